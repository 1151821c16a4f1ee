import EventLoop
import Foundation
import TestServers
import Testing
import TodoMateGateway

/// Every way in, every way in which it ends, every door and two workers.
@Suite("Sessions that end", .serialized)
@LoopActor
struct SessionEndTests {
    private static let other = "other-\(GatewayProcess.unutterable)"
    /// Everywhere within a second is the promise; a machine under load gets some more.
    private static let bound = Duration.seconds(3)

    /// How somebody came in.
    enum Way: String, CaseIterable, Sendable {
        case cookie, bearer, token
    }

    /// How it ends.
    enum Ending: String, CaseIterable, Sendable {
        case signOut, passwd, remove, purge, sessionEnd, sessionEndAll, removedAndMadeAgain
        /// Whether other sessions of the user go on.
        var isOfOne: Bool { self == .signOut || self == .sessionEnd }
    }

    private nonisolated static let pairs = Way.allCases.flatMap { way in Ending.allCases.map { (way, $0) } }

    /// A session: the field that carries it, and its id.
    struct Ticket: Sendable {
        let field: String
        let id: String
        let isCookie: Bool
    }

    /// Runs `body` with two workers where bob has public todos.
    private func withWorkers(
        on kind: RedisKind,
        _ body: @LoopActor (any TestRedis, [GatewayProcess]) async throws -> Void
    ) async throws {
        try await withTwoWorkers(on: kind) { server, workers in
            try await server.add("alice", "milk", id: "t1")
            try await server.add("bob", "bread", id: "t1")
            try await body(server, workers)
        }
    }

    private func todomate(_ server: any TestRedis, _ words: String..., input: String? = nil) async throws
        -> Program.Outcome
    {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let piped = input.map { "printf '%s\\n' '\($0)' | " } ?? ""
        return try await Program.run(
            "sh",
            ["-c", "\(piped)\(Program.builtPrograms.path)/todomate \(line)"],
            environment: ["TODOMATE_REDIS": server.address, "TODOMATE_SECRET": GatewayProcess.secret]
        )
    }

    private func come(_ way: Way, _ server: any TestRedis, _ gateway: GatewayProcess) async throws -> Ticket {
        let text: String
        if way == .token {
            let made = try await todomate(server, "token", "alice", "--ttl", "1h", "--name", "test")
            text = made.output.trimmingCharacters(in: .newlines)
        } else {
            let body = "{\"user\":\"alice\",\"password\":\"\(GatewayProcess.password)\"}"
            let answer = try await gateway.ask("POST /v1/session", body: body)
            text = try #require(answer.body.firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) })
            #expect(answer.fields("Set-Cookie").first?.hasPrefix("todomate_session=\(text); ") == true)
        }
        let token = try #require(TokenSigner(secret: GatewayProcess.secret)?.verify(text))
        let field = way == .cookie ? "Cookie: todomate_session=\(text)" : "Authorization: Bearer \(text)"
        return Ticket(field: field, id: token.id, isCookie: way == .cookie)
    }

    /// The statuses of a read and of a write.
    private func doors(_ gateway: GatewayProcess, _ ticket: Ticket) async throws -> [Int?] {
        let origin = ticket.isCookie ? ["Origin: http://127.0.0.1:\(gateway.port)"] : []
        let read = try await gateway.ask("GET /v1/users/alice/todos", ticket.field)
        let write = try await gateway.ask(
            "POST /v1/users/alice/todos",
            [ticket.field] + origin,
            body: #"{"content":"more","date":"2026-11-20"}"#
        )
        return [read.status, write.status]
    }

    /// Alice's own stream, hers of bob, and a board of both.
    private func streams(_ gateway: GatewayProcess, _ ticket: Ticket) async throws -> [RawConnection] {
        let targets = ["/v1/users/alice/changes", "/v1/users/bob/changes", "/v1/changes?users=alice,bob"]
        let streams = try targets.map { target in
            let connection = try RawConnection(port: gateway.port)
            connection.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(ticket.field)\r\n\r\n")
            return connection
        }
        for stream in streams { try await eventually("it begins") { stream.text.contains("event: snapshot") } }
        return streams
    }

    private func end(
        _ ending: Ending,
        _ ticket: Ticket,
        _ server: any TestRedis,
        _ gateway: GatewayProcess
    ) async throws {
        switch ending {
        case .signOut:
            let fields = [ticket.field, "Origin: http://127.0.0.1:\(gateway.port)", "Content-Length: 0"]
            let answer = try await gateway.ask("DELETE /v1/session", fields)
            #expect(answer.status == 204)
            #expect(answer.fields("Set-Cookie").first?.hasPrefix("todomate_session=; ") == true)
        case .passwd: try await succeed(todomate(server, "user", "passwd", "alice", input: Self.other))
        case .remove: try await succeed(todomate(server, "user", "remove", "alice"))
        case .purge: try await succeed(todomate(server, "user", "remove", "--purge", "alice"))
        case .sessionEnd: try await succeed(todomate(server, "session", "end", "alice", String(ticket.id.prefix(8))))
        case .sessionEndAll: try await succeed(todomate(server, "session", "end", "alice", "--all"))
        case .removedAndMadeAgain:
            try await succeed(todomate(server, "user", "remove", "alice"))
            try await succeed(todomate(server, "user", "add", "alice", "--keep-todos", input: Self.other))
        }
    }

    private func succeed(_ outcome: Program.Outcome) async throws {
        #expect(outcome.ending == .exit(0), "\(outcome.errors)")
    }

    @Test("end at every door of every worker, and no other does", arguments: RedisKind.inTurn(pairs))
    func matrix(_ pair: (Way, Ending), _ kind: RedisKind) async throws {
        let (way, ending) = pair
        try await withWorkers(on: kind) { server, workers in
            let ticket = try await come(way, server, workers[0])
            let stays = try await come(.bearer, server, workers[1])
            var (ended, others): ([RawConnection], [RawConnection]) = ([], [])
            for worker in workers {
                let before = try await doors(worker, ticket)
                #expect(before == [200, 201], "\(way) lets in")
                ended += try await streams(worker, ticket)
                others += try await streams(worker, stays)
            }
            let bob = try workers.map { try $0.follow("bob") }
            try await end(ending, ticket, server, workers[0])
            try await eventually("all streams are closed", within: Self.bound) { ended.allSatisfy(\.isEnded) }
            for worker in workers {
                try await eventually("every door is closed", within: Self.bound) {
                    try await doors(worker, ticket) == [401, 401]
                }
            }
            // What happens afterwards is told to those alone who are still in.
            try await server.add("bob", "after", id: "t9")
            if ending.isOfOne {
                for worker in workers {
                    let after = try await doors(worker, stays)
                    #expect(after == [200, 201], "the other session goes on")
                }
                for stream in others where stream.text.contains("bread") {
                    try await eventually("it is told") { stream.text.contains("after") }
                }
                #expect(others.allSatisfy { !$0.isEnded })
            } else {
                try await eventually("the others are closed as well", within: Self.bound) {
                    others.allSatisfy(\.isEnded)
                }
            }
            for stream in bob { try await eventually("bob is told") { stream.text.contains("after") } }
            #expect(bob.allSatisfy { !$0.isEnded }, "bob's sessions are not alice's")
            #expect(ended.allSatisfy { !$0.text.contains("after") })
        }
    }

    @Test("end also where the announcement was lost with the connection", arguments: RedisKind.allCases)
    func lostAnnouncement(_ kind: RedisKind) async throws {
        try await withWorkers(on: kind) { server, workers in
            let ticket = try await come(.bearer, server, workers[0])
            let streams = try await streams(workers[0], ticket) + streams(workers[1], ticket)
            for _ in 0..<5 { try await server.cli("CLIENT", "KILL", "TYPE", "pubsub") }
            try await end(.sessionEnd, ticket, server, workers[0])
            try await server.cli("CLIENT", "KILL", "TYPE", "pubsub")
            try await server.add("alice", "after", id: "t9")
            try await eventually("all streams are closed", within: Self.bound) { streams.allSatisfy(\.isEnded) }
            #expect(streams.allSatisfy { !$0.text.contains("after") }, "nothing of afterwards is told")
        }
    }

    @Test("end where somebody deletes the account or the session by hand", arguments: RedisKind.allCases)
    func byHand(_ kind: RedisKind) async throws {
        try await withWorkers(on: kind) { server, workers in
            for key in ["sessions", "profile"] {
                let ticket = try await come(.bearer, server, workers[0])
                let streams = try await streams(workers[1], ticket)
                try await server.cli("DEL", "todomate:{alice}:\(key)")
                try await eventually("all streams are closed", within: .seconds(10)) { streams.allSatisfy(\.isEnded) }
                try await eventually("every door is closed", within: .seconds(10)) {
                    try await doors(workers[1], ticket) == [401, 401]
                }
            }
        }
    }

    @Test("are neither let in nor sent away while nobody can be asked", arguments: RedisKind.allCases)
    func unavailable(_ kind: RedisKind) async throws {
        try await withWorkers(on: kind) { server, workers in
            let ticket = try await come(.bearer, server, workers[0])
            let before = try await doors(workers[0], ticket)
            #expect(before == [200, 201])
            let streams = try await streams(workers[0], ticket)
            try await server.crash("alice")
            let answer = try await workers[0].ask("GET /v1/users/alice/todos", ticket.field)
            #expect(answer.status == 503 && answer.isProblem && !answer.fields("Retry-After").isEmpty)
            let session = try await workers[0].ask("GET /v1/session", ticket.field)
            #expect(session.status == 503, "a page is not sent to sign in")
            let out = try await workers[0].ask("DELETE /v1/session", ticket.field)
            #expect(out.status == 503, "what was not ended is not told as ended")
            #expect(streams.allSatisfy { !$0.isEnded })
            // An empty Redis knows no account.
            try await server.restart("alice", isEmpty: true)
            try await eventually("all streams are closed", within: .seconds(20)) { streams.allSatisfy(\.isEnded) }
        }
    }

    @Test("let in all who come at the same moment, while one question is asked for them", arguments: RedisKind.allCases)
    func burst(_ kind: RedisKind) async throws {
        try await withWorkers(on: kind) { _, workers in
            for number in 0..<10 {
                // Somebody of whom the worker has never heard.
                let uid = "user\(number)"
                let field = try GatewayProcess.bearer(uid)
                let connections = try (0..<40).map { _ in
                    let connection = try RawConnection(port: workers[1].port)
                    connection.send(
                        "GET /v1/users/\(uid)/todos HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(field)\r\n\r\n"
                    )
                    return connection
                }
                try await eventually("all are answered") { connections.allSatisfy(\.isEnded) }
                #expect(connections.flatMap(\.statuses) == Array(repeating: 200, count: 40))
            }
        }
    }

    @Test("of a password that was checked before it was changed do not begin", arguments: RedisKind.allCases)
    func race(_ kind: RedisKind) async throws {
        try await withWorkers(on: kind) { server, _ in
            let before = try await server.cli("HGET", "todomate:{alice}:profile", "generation")
            _ = try await server.call("todomate_set_password", "alice", "$argon2id$other")
            let draft = #"{"id":"Zm9vYmFyYmF6cXV4cXV1eA","kind":"sign-in","seconds":60}"#
            let answer = try await server.call("todomate_begin_session", "alice", draft, before)
            #expect(answer.hasPrefix("TODOMATE_CONFLICT "), "\(answer)")
            let live = try await server.cli("HLEN", "todomate:{alice}:sessions")
            #expect(live == "0")
        }
    }

    // It takes long, and tells on a cluster what it does on one Redis.
    @Test("give way from the oldest sign-in on, and tokens do not")
    func bounded() async throws {
        try await withWorkers(on: .cluster) { server, workers in
            let ticket = try await come(.bearer, server, workers[0])
            let stream = try await streams(workers[1], ticket)
            for kind in ["token", "sign-in"] {
                for number in 0..<100 {
                    let id = "\(kind == "token" ? "T" : "S")\(String(repeating: "0", count: 18))\(100 + number)"
                    let draft = "{\"id\":\"\(id)\",\"kind\":\"\(kind)\",\"seconds\":3600}"
                    let answer = try await server.call("todomate_begin_session", "alice", draft)
                    #expect(Int(answer) != nil, "\(answer)")
                }
            }
            try await eventually("the first one gave way", within: Self.bound) { stream.allSatisfy(\.isEnded) }
            let full = try await todomate(server, "token", "alice")
            #expect(full.ending == .exit(65) && full.errors.contains("session end alice"), "\(full.errors)")
            let count = try await server.cli("HLEN", "todomate:{alice}:sessions")
            #expect(count == "200")
        }
    }

    @Test("and accounts are refused to those who would inherit, until that is said", arguments: RedisKind.allCases)
    func inheritance(_ kind: RedisKind) async throws {
        try await withWorkers(on: kind) { server, _ in
            try await succeed(todomate(server, "user", "remove", "alice"))
            let refused = try await todomate(server, "user", "add", "alice", input: Self.other)
            #expect(refused.ending == .exit(65))
            #expect(refused.errors.contains("--keep-todos") && refused.errors.contains("user remove --purge alice"))
            let token = try await todomate(server, "token", "alice")
            #expect(token.ending == .exit(65) && token.errors.contains("user add alice"))
            try await succeed(todomate(server, "user", "remove", "--purge", "alice"))
            let keys = try await server.cli("KEYS", "todomate:{alice}:*")
            #expect(keys.isEmpty)
            try await succeed(todomate(server, "user", "add", "alice", input: Self.other))
            let listed = try await todomate(server, "list", "alice", "--all")
            #expect(!listed.output.contains("milk"))
        }
    }

    @Test("and an operator is told whose name a new one is mistaken for", arguments: RedisKind.allCases)
    func lookAlikes(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("library", "load")
            let alice = try await todomate(server, "user", "add", "alice", input: Self.other)
            #expect(alice.ending == .exit(0) && !alice.errors.contains("mistaken"), "\(alice.errors)")
            let other = try await todomate(server, "user", "add", "a1ice", input: Self.other)
            #expect(other.ending == .exit(0) && other.output == "a1ice can sign in now.\n")
            #expect(other.errors.contains("todomate: a1ice is easily mistaken for alice\n"), "\(other.errors)")
            let doctor = try await server.todomate("doctor")
            #expect(!doctor.output.contains("alike") && !doctor.output.contains("look like"), "\(doctor.output)")
        }
    }
}
