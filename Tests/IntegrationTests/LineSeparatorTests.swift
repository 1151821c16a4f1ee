import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("U+2028 and U+2029 in a detail")
@LoopActor
struct LineSeparatorTests {
    private nonisolated static let separators = ["\u{2028}", "\u{2029}"]

    /// The detail of every todo here, and the inside of its JSON string.
    private let text = "\u{2028}a\u{2029}\u{2029} \\\u{2028}\"\u{2028}\" \\u2028 … 우\n\u{2029}"
    private let json = #"\u2028a\u2029\u2029 \\\u2028\"\u2028\" \\u2028 … 우\n\u2029"#

    /// The detail as JSON lets it stand.
    private var raw: String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private func isEscaped(_ answer: String, _ count: Int = 1) -> Bool {
        answer.ranges(of: #""detail":"\#(json)""#).count == count && !Self.separators.contains { answer.contains($0) }
    }

    /// What a function is given: with separators and without, however they are spelled.
    private func given(_ fields: String) -> [String] {
        [raw, json].map { #"{\#(fields)"content":"x","date":"2026-11-20","detail":"\#($0)"}"# }
    }

    /// A todo as a library before this one stored it.
    private func old(_ id: String, _ uid: String = "alice") -> String {
        #"{"id":"\#(id)","uid":"\#(uid)","date":"2026-11-20","content":"x","detail":"\#(raw)","status":"todo","#
            + #""position":1,"revision":1,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z","#
            + #""visibility":"public"}"#
    }

    /// Puts such a todo there, and the message with it into the log.
    private func store(_ server: any TestRedis, _ id: String) async throws {
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        let change = "1-1763677123456789"
        let message = #"{"id":"\#(change)","type":"added","todo":\#(old(id))}"#
        for command in [
            RedisCommand("HSET", "todomate:{alice}:todos", id, old(id)),
            RedisCommand("ZADD", "todomate:{alice}:days", "20261120", id),
            RedisCommand("XADD", "todomate:{alice}:log", change, "change", message),
        ] { try await client.send(command) }
    }

    @Test("is escaped in all that the functions store, log and answer")
    func functions() async throws {
        try await withFunctions { functions, server in
            for (number, todo) in given("\"visibility\":\"public\",").enumerated() {
                let added = await functions(
                    "add",
                    todo.replacing("{", with: "{\"id\":\"a\(number)\",", maxReplacements: 1)
                )
                #expect(isEscaped(added), "\(added)")
                let plain = #"{"id":"u\#(number)","content":"x","date":"2026-11-20"}"#
                _ = await functions("add", plain)
                let updated = await functions("update", "u\(number)", todo)
                #expect(isEscaped(updated), "\(updated)")
                let line = todo.replacing("{", with: "{\"id\":\"i\(number)\",\"uid\":\"alice\",", maxReplacements: 1)
                #expect(await functions("import", "add", line) == "added")
                #expect(await functions("import", "add", line) == "unchanged")
                for id in ["a", "u", "i"] { #expect(isEscaped(await functions("get", "\(id)\(number)"))) }
            }
            let first = try #require(try await server.log(of: "alice").first?.firstMatch(of: /"id":"(\d+-\d+)"/)).1
            for id in ["a0", "u1"] { #expect(isEscaped(await functions("react", id, "bob", "🎉"))) }
            #expect(isEscaped(await functions("list"), 6))
            #expect(isEscaped(await functions("view", "bob"), 6))
            #expect(isEscaped(await functions("feed", "bob", "0", "100"), 6))
            #expect(isEscaped(await functions("since", String(first)), 7))
            #expect(isEscaped(await functions("remove", "a1")))
            for message in try await server.log(of: "alice") {
                #expect(!Self.separators.contains { message.contains($0) }, "\(message)")
            }
        }
    }

    @Test("comes out escaped by every function, though an older one stored it as it was")
    func older() async throws {
        try await withFunctions { functions, server in
            for id in ["old", "older"] {
                try await store(server, id)
                try await server.cli("XTRIM", "todomate:{alice}:log", "MAXLEN", "1")
                #expect(isEscaped(await functions("get", id)))
                #expect(isEscaped(await functions("list")))
                #expect(isEscaped(await functions("view", "alice")))
                #expect(isEscaped(await functions("feed", "alice", "0", "10")))
                #expect(isEscaped(await functions("update", id, #"{"content":"y"}"#, "7")))
                let again = #"{"id":"\#(id)","content":"x","date":"2026-11-20","detail":"\#(json)"}"#
                #expect(isEscaped(await functions("add", again)))
                if id == "older" { #expect(isEscaped(await functions("update", id, #"{"content":"y"}"#))) }
                #expect(isEscaped(await functions("remove", id)))
                try await server.cli("DEL", "todomate:{alice}:log")
            }
        }
    }

    @Test(
        "comes out escaped by every door, though an older library stored and logged it, or a hand published it",
        arguments: RedisKind.allCases
    )
    func doors(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await store(server, "old")
            let list = try await gateway.ask("GET /v1/users/alice/todos", as: "alice").body
            #expect(isEscaped(list))
            #expect(isEscaped(try await gateway.ask("GET /v1/users/alice/todos/old", as: "alice").body))
            #expect(isEscaped(try await gateway.ask("GET /v1/users/alice/todos", as: "bob").body))
            #expect(isEscaped(try await gateway.ask("GET /v1/users/alice/todos/old", as: "bob").body))
            let problem = try await gateway.ask(
                "PATCH /v1/users/alice/todos/old",
                ["If-Match: \"9\"", try GatewayProcess.bearer("alice")],
                body: #"{"content":"y"}"#
            )
            #expect(problem.status == 412 && isEscaped(problem.body))
            let unknown = try await gateway.ask(
                "PATCH /v1/users/alice/todos/old",
                as: "alice",
                body: "{\"a\u{2028}\":1}"
            )
            #expect(unknown.isProblem && !unknown.body.contains("\u{2028}"))

            let fresh = try BoardReader(gateway.port, "/v1/users/alice/changes", as: "alice")
            let resumed = try BoardReader(gateway.port, "/v1/users/alice/changes", as: "alice", since: "0-0")
            let board = try BoardReader(gateway.port, "/v1/changes?users=alice", as: "bob")
            let readers = [fresh, resumed, board]
            try await eventually("all have begun") { readers.allSatisfy { isEscaped($0.text) } }
            let published = try await server.publish(
                Array(#"{"type":"added","todo":\#(old("by-hand"))}"#.utf8),
                to: "alice"
            )
            #expect(published == 1)
            try await eventually("all have heard") { readers.allSatisfy { isEscaped($0.text, 2) } }
            for body in given("\"visibility\":\"public\",") {
                let posted = try await gateway.ask("POST /v1/users/alice/todos", as: "alice", body: body)
                #expect(posted.status == 201 && isEscaped(posted.body))
            }
            try await eventually("all have heard") { readers.allSatisfy { isEscaped($0.text, 4) } }
            #expect(isEscaped(try await gateway.ask("GET /v1/users/alice/todos", as: "alice").body, 3))
        }
    }

    @Test("is escaped in an archive, and comes back as it was", arguments: RedisKind.allCases)
    func archive(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await store(server, "old")
            let path = server.folder.path + "/archive.jsonl"
            #expect(try await server.todomate("export", "-o", path).ending == .exit(0))
            let archive = try String(contentsOfFile: path, encoding: .utf8)
            #expect(isEscaped(archive) && archive.split(separator: "\n").count == 1)
            // Also one that an older version wrote.
            let olderPath = server.folder.path + "/older.jsonl"
            try (old("old") + "\n").write(toFile: olderPath, atomically: true, encoding: .utf8)
            for path in [path, olderPath] {
                try await server.cli("FLUSHALL")
                let imported = try await server.todomate("import", path)
                #expect(imported.ending == .exit(0) && imported.errors.hasPrefix("1 added"), "\(imported.errors)")
                let again = try await server.todomate("export").output
                #expect(
                    again.replacing(/"revision":.*?"createdAt"/, with: "")
                        == archive.replacing(/"revision":.*?"createdAt"/, with: "")
                )
                #expect(try await server.todomate("import", path).errors.hasPrefix("1 unchanged"))
            }
        }
    }
}
