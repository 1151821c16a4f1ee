import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("An archive that people bring along, over HTTP", .serialized)
@LoopActor
struct ArchiveUploadTests {
    private static let path = "/v1/users/alice/archive"

    private static func line(_ id: String, uid: String = "alice", _ rest: String = "") -> String {
        #"{"id":"\#(id)","uid":"\#(uid)","date":"2026-11-20","content":"x"\#(rest)}"#
    }

    private func send(
        _ gateway: any HTTPGateway,
        _ body: String,
        _ fields: [String],
        query: String = "",
        type: String = "application/x-ndjson"
    ) async throws -> Answer {
        let head = [
            "POST \(Self.path)\(query) HTTP/1.1", "Host: 127.0.0.1:\(gateway.port)", "Connection: close",
            "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
        ]
        return try await gateway.ask(bytes: (head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    @Test("is written once its lines are in order, each as it can be", arguments: Backing.allCases)
    func writes(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            let lines = [Self.line("a"), Self.line("b", #","status":"complete""#)].joined(separator: "\n") + "\r\n"
            let first = try await send(gateway, lines, alice.bearer)
            #expect(first.body == #"{"lines":[{"outcome":"added"},{"outcome":"added"}]}"#, "\(first.text)")
            let again = try await send(gateway, lines, alice.bearer)
            #expect(again.body == #"{"lines":[{"outcome":"unchanged"},{"outcome":"unchanged"}]}"#)
            let other = Self.line("a", #","detail":"d""#) + "\n" + Self.line("c")
            let refused = try await send(gateway, other, alice.bearer)
            #expect(
                refused.body
                    == #"{"lines":[{"outcome":"refused","reason":"another todo has the id a already"},{"outcome":"added"}]}"#
            )
            let replaced = try await send(gateway, other, alice.bearer, query: "?replace=yes")
            #expect(replaced.body == #"{"lines":[{"outcome":"replaced"},{"outcome":"unchanged"}]}"#)
            // Notes are checked as they are wherever they are written, and an owner's own todo does not become one.
            let notes = [
                Self.line("note-of-2026-11-20"), Self.line("note-of-2026-11-21"), Self.line("note-of-x"),
                #"{"id":"note-of-2026-11-20","uid":"alice","date":"2026-11-20","content":"📔","status":"incomplete","detail":"Rain"}"#,
            ]
            let told = try await send(
                gateway,
                notes.joined(separator: "\n\r\n\n"),
                alice.bearer + ["Content-Encoding: identity"]
            )
            let refusal =
                #"{"outcome":"refused","reason":"ids that begin with note-of- are of notes, each on the day that its id names"}"#
            #expect(told.body.hasSuffix(#"\#(refusal),\#(refusal),{"outcome":"added"}]}"#), "\(told.body)")
            // What was had comes back the same.
            let archive = try await gateway.ask("GET \(Self.path)", alice.bearer)
            #expect(archive.body.contains(#""detail":"d""#) && archive.body.contains(#""status":"complete""#))
        }
    }

    @Test("changes nothing where one line, the query or the body is not in order", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            let good = Self.line("a")
            for (bad, status, reason) in [
                (Self.line("b", uid: "bob"), 422, "line 2: its uid must be alice"),
                (#"{"profile":{"uid":"alice","fields":{"password":"$argon2id$x"}}}"#, 422, "line 2: it is no todo"),
                (#"{"link":{"uid":"alice","with":"bob","list":"followers","at":1}}"#, 422, "line 2: it is no todo"),
                (Self.line("b", #","colour":"red""#), 422, "line 2: there is no field 'colour'"), ("{", 422, "line 2"),
                ("\u{0}", 422, "line 2"),
                ("\u{FEFF}" + Self.line("b"), 422, "line 2: it begins with a byte order mark"),
                (Self.line("b", #","uid":"bob""#), 422, "line 2: the field 'uid' is there twice"),
                (Self.line("b", #","\u0069d":"note-of-x""#), 422, "line 2: the field 'id' is there twice"),
                (Self.line("a/b"), 422, "line 2: id must be"), (Self.line("a\\u0000b"), 422, "line 2: id must be"),
                (Self.line("b", #","revision":9007199254740993"#), 422, "line 2: revision must be"),
                (Self.line("b", #","micros":9007199254740992"#), 422, "line 2: micros must be"),
                (Self.line("b", #","position":1e400"#), 422, "line 2"),
                (Self.line("b", #","detail":"\ud800""#), 422, "line 2"),
                (String(repeating: "[", count: 30_000), 422, "line 2"),
                (
                    #"{ "profile":{"uid":"alice","fields":{"routines":"[]"}}}"#, 422,
                    "line 2: there is no field 'profile'"
                ),
                ((0..<100).map { Self.line("t\($0)") }.joined(separator: "\n"), 422, "1 to 100"),
                (Self.line("b", #","detail":"\#(String(repeating: "x", count: 66_000))""#), 413, "at most 65536 bytes"),
            ] {
                let answer = try await send(gateway, good + "\n" + bad, alice.bearer)
                #expect(answer.status == status && answer.isProblem, "\(bad.prefix(60)): \(answer.text)")
                #expect(answer.body.contains(reason), "\(answer.body)")
            }
            for (body, fields, query, type, status) in [
                (good, alice.bearer, "", "application/json", 415), ("", alice.bearer, "", "application/x-ndjson", 422),
                (good, alice.bearer, "?replace=maybe", "application/x-ndjson", 422),
                (good, alice.bearer, "?viewer=alice", "application/x-ndjson", 422),
                (good, bob.bearer, "", "application/x-ndjson", 403), (good, [], "", "application/x-ndjson", 401),
                (good, alice.bearer + [#"Idempotency-Key: "k""#], "", "application/x-ndjson", 400),
                (good, alice.bearer + ["Content-Encoding: gzip"], "", "application/x-ndjson", 415),
                ("\r\n\r\n", alice.bearer, "", "application/x-ndjson", 422),
            ] as [(String, [String], String, String, Int)] {
                let answer = try await send(gateway, body, fields, query: query, type: type)
                #expect(answer.status == status && answer.isProblem, "\(query) \(type): \(answer.text)")
            }
            for scope in TokenScope.allCases where scope != .write {
                let wish = #"{"name":"x","scope":"\#(scope.rawValue)","days":1}"#
                let made = try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: wish)
                let answer = try await send(gateway, good, try gateway.client(in: made).bearer)
                #expect(answer.status == 403, "\(scope): \(answer.text)")
            }
            let list = try await gateway.ask("GET /v1/users/alice/todos", alice.bearer)
            #expect(list.body.contains(#""todos":[]"#), "\(list.body)")
        }
    }

    @Test("counts as so many writes, and not at all of an account that is to be deleted", arguments: RedisKind.allCases)
    func bounds(_ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--write-rate", "1") { _, gateway in
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            // Thirty at once, and then one a second.
            @LoopActor func upload(_ number: Int) async throws -> Answer {
                let lines = (0..<40).map { Self.line("t\(number)-\($0)") }.joined(separator: "\n")
                return try await send(gateway, lines, alice.bearer)
            }
            #expect(try await upload(0).status == 200)
            var refused = try await upload(1)
            // On a busy machine the one of a second may have come back.
            for number in 2..<5 where refused.status == 200 { refused = try await upload(number) }
            #expect(refused.status == 429 && !refused.fields("Retry-After").isEmpty, "\(refused.text)")
        }
    }

    @Test("writes no more when many are sent at once than one after another")
    func atOnce() async throws {
        try await withGateway("--write-rate", "1") { _, gateway in
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            let start = ContinuousClock.now
            let uploads = (0..<20).map { number in
                let lines = (0..<40).map { Self.line("t\(number)-\($0)") }.joined(separator: "\n")
                return Task { try await send(gateway, lines, alice.bearer).status }
            }
            var statuses: [Int?] = []
            for upload in uploads { statuses.append(try await upload.value) }
            // Thirty at once: after the first one there are none, and then one a second.
            let most = 1 + Int(start.duration(to: .now) / .seconds(1))
            #expect((1...most).contains(statuses.count { $0 == 200 }), "\(statuses)")
            #expect(Set(statuses) == [200, 429], "\(statuses)")
        }
    }
}
