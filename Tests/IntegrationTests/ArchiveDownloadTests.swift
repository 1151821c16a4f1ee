import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("The archive that people take along", .serialized)
@LoopActor
struct ArchiveDownloadTests {
    private static let path = "GET /v1/users/alice/archive"

    /// What chunks hold (RFC 9112, section 7.1); nil where the last one is missing.
    private func unchunked(_ body: String) -> String? {
        var (rest, whole) = (Array(body.utf8)[...], [UInt8]())
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return nil }
            let start = end + 2
            guard count > 0 else {
                return rest[start...].elementsEqual("\r\n".utf8) ? String(decoding: whole, as: UTF8.self) : nil
            }
            guard start + count + 2 <= rest.endIndex else { return nil }
            whole += rest[start..<start + count]
            rest = rest[(start + count + 2)...]
        }
        return nil
    }

    /// Without what an import gives out anew, and without the password, which only an export has.
    private func comparable(_ text: String) -> [String] {
        text.split(separator: "\n").map {
            String($0).replacing(/"revision":\d+,("micros":\d+,)?/, with: "").replacing(
                /,?"password":"[^"]*"/,
                with: ""
            )
        }
    }

    // The archive of a cluster, and one Redis that takes it in.
    @Test("is what an export has of one user, and an import gives the same lists")
    func same() async throws {
        try await withGateway(on: .cluster) { server, gateway in
            for uid in ["alice", "bob", "carol"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            let name = #"{"name":"Älice","face":"🦊"}"#
            #expect(try await gateway.ask("PATCH /v1/users/alice/profile", alice.bearer, body: name).status == 200)
            for number in 0..<250 {
                let day = "2026-1\(number % 3)-1\(number % 7)"
                let status = ["todo", "complete"][number % 2]
                let visibility = ["public", "followers", "private"][number % 3]
                let fields: [String: any Sendable] = [
                    "id": "t\(number)", "content": "할 일 \(number)", "date": day, "status": status,
                    "position": number % 2 == 0 ? Double(-number) : 0.5, "visibility": visibility,
                ]
                let body = String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
                #expect(try await gateway.ask("POST /v1/users/alice/todos", alice.bearer, body: body).status == 201)
            }
            try await gateway.write("PUT /v1/users/bob/following/alice", with: bob.bearer)
            try await gateway.write("PUT /v1/users/alice/followers/bob", with: alice.bearer)
            try await gateway.write("PUT /v1/users/alice/following/bob", with: alice.bearer)
            try await gateway.write("PUT /v1/users/alice/blocked/carol", with: alice.bearer)
            for id in ["t0", "t3"] {
                let line = "PUT /v1/users/alice/todos/\(id)/reactions/bob"
                #expect(try await gateway.ask(line, bob.bearer, body: #"{"emoji":"🎉"}"#).status == 200)
            }
            let answer = try await gateway.ask(Self.path, alice.cookie)
            #expect(
                answer.status == 200
                    && answer.fields("Content-Disposition") == [#"attachment; filename="todomate-alice.jsonl""#]
            )
            #expect(answer.fields("Transfer-Encoding") == ["chunked"] && answer.fields("Cache-Control") == ["no-store"])
            #expect(answer.fields("Content-Type") == ["application/x-ndjson"])
            let archive = try #require(unchunked(answer.body), "it has its end")
            #expect(!archive.contains("$argon2id$"), "no hash of a password")
            let export = try await server.todomate("export", "--with-profiles", "alice")
            #expect(comparable(archive) == comparable(export.output))
            #expect(archive.split(separator: "\n").count == 256, "a profile, todos, three relations and two reactions")
            try await withRedis { other in
                let file = other.folder.path + "/alice.jsonl"
                try archive.write(toFile: file, atomically: true, encoding: .utf8)
                let imported = try await other.todomate("import", file)
                #expect(imported.ending == .exit(0), "\(imported.errors)")
                let again = try await other.todomate("export", "--with-profiles", "alice")
                // Bob is not there, and so he does not follow her.
                let expected = comparable(archive).filter { !$0.contains(#""list":"followers""#) }
                #expect(comparable(again.output).sorted() == expected.sorted())
            }
        }
    }

    @Test("is its owner's alone, or of a token that may read", arguments: Backing.allCases)
    func access(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            let todo = #"{"id":"t","content":"secret milk","date":"2026-11-20","visibility":"private"}"#
            #expect(try await gateway.ask("POST /v1/users/alice/todos", alice.bearer, body: todo).status == 201)
            for scope in TokenScope.allCases {
                let wish = #"{"name":"x","scope":"\#(scope.rawValue)","days":1}"#
                let made = try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: wish)
                let answer = try await gateway.ask(Self.path, try gateway.client(in: made).bearer)
                #expect(answer.status == (scope == .feed ? 403 : 200), "\(scope)")
            }
            for (fields, status) in [([], 401), (bob.cookie, 403)] {
                let answer = try await gateway.ask(Self.path, fields)
                #expect(answer.status == status && !answer.text.contains("milk"))
            }
            #expect(try await gateway.ask("\(Self.path)?viewer=alice", alice.cookie).status == 422)
            #expect(try await gateway.ask("GET /v1/users/a%20b/archive", alice.cookie).status == 422)
            let whole = try await gateway.ask(Self.path, alice.cookie)
            #expect(unchunked(whole.body)?.contains("secret milk") == true)
            // HTTP/1.0 knows no chunks: it could not tell a cut answer from a whole one.
            let old = try await gateway.ask(bytes: "\(Self.path) HTTP/1.0\r\nHost: h\r\n\(alice.bearer[0])\r\n\r\n")
            #expect(old.status == 505 && !old.text.contains("milk"))
            let head = try await gateway.ask(Self.path.replacing("GET", with: "HEAD"), alice.bearer)
            #expect(head.status == 200 && head.body.isEmpty && !head.fields("Content-Disposition").isEmpty)
        }
    }

    @Test("is given five times, and then every ten minutes", arguments: RedisKind.allCases)
    func budget(_ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--write-rate", "20") { _, gateway in
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            for _ in 0..<5 { #expect(try await gateway.ask(Self.path, alice.bearer).status == 200) }
            let refused = try await gateway.ask(Self.path, alice.bearer)
            #expect(refused.status == 429 && !refused.fields("Retry-After").isEmpty)
            #expect(try await gateway.ask("GET /v1/users/alice/todos", alice.bearer).status == 200)
        }
    }

    // It takes long, and tells on a cluster what it does on one Redis.
    @Test("is cut, and not ended, when the session ends; a slow reader holds up nobody and no memory")
    func cut() async throws {
        try await withGateway(on: .cluster) { server, gateway in
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            let other = try await gateway.signIn("alice")
            let detail = String(repeating: "x", count: 9000)
            let todos = (0..<1000).map { number in
                let day = "2026-\(10 + number % 3)-1\(number % 9)"
                return #"{"id":"t\#(number)","uid":"alice","content":"x","detail":"\#(detail)","date":"\#(day)"}"#
            }
            let file = server.folder.path + "/big.jsonl"
            try todos.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await server.todomate("import", file).ending == .exit(0))
            let slow = try RawConnection(port: gateway.port, reads: false)
            slow.send("\(Self.path) HTTP/1.1\r\nHost: h\r\n\(alice.bearer[0])\r\n\r\n")
            #expect(try await gateway.ask("GET /healthz").status == 200, "others are answered")
            try await gateway.write("DELETE /v1/users/alice/sessions", with: other.cookie)
            try await eventually("the worker has let go of it") {
                try await gateway.ask("GET /metrics").body.contains("todomate_connections_open 1\n")
            }
            slow.startReading()
            await slow.waitUntilEnded()
            #expect(slow.receivedBytes < 9_000_000 && unchunked(Answer(slow.text).body) == nil, "it has no end")
            let whole = try await gateway.ask(Self.path, other.bearer)
            #expect(unchunked(whole.body)?.split(separator: "\n").count == 1001, "the account and its todos")
        }
    }
}
