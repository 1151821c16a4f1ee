import EventLoop
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("How much one may have, over HTTP and in the terminal", .serialized)
@LoopActor
struct LimitTests {
    private static let path = "GET /v1/users/alice/limits"
    private static let todo = #"{"content":"x","date":"2026-11-20"}"#

    private func limits(_ gateway: any HTTPGateway, _ client: SignedInClient) async throws -> String {
        let answer = try await gateway.ask(Self.path, client.cookie)
        #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"])
        return answer.body
    }

    @Test("is told to its owner, and to nobody else", arguments: Backing.allCases)
    func owner(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            // One of the backings has a token for its own requests.
            let before = try await limits(gateway, alice)
            let tokens = try #require(
                before.firstMatch(of: /"tokens":\{"used":(\d),"most":100\}/).flatMap { Int($0.1) }
            )
            // Nor do they limit the rate of writes, and one of them no bytes.
            let rest =
                #""goals":{"used":0,"most":100},"following":{"used":0,"most":5000},"streams":{"used":0,"most":1000}"#
            let bytes = gateway.redis == nil ? "" : #""bytes":{"used":0,"most":33554432},"#
            let usual = #"{"todos":{"used":0,"most":50000},\#(bytes)"tokens":{"used":\#(tokens),"most":100},\#(rest)}"#
            #expect(before == usual)
            #expect(try await gateway.ask("POST /v1/users/alice/todos", alice.cookie, body: Self.todo).status == 201)
            let wish = #"{"name":"x","scope":"read","days":1}"#
            let made = try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: wish)
            let token = try gateway.client(in: made)
            try await gateway.withStores { stores in
                let changes: [AccountLimits.Kind: AccountLimits.Change] = [
                    .todos: .most(7), .bytes: .most(0), .tokens: .most(0), .writes: .most(90),
                ]
                _ = try await stores.operators.limit("alice", changes, by: nil)
            }
            let after = try await limits(gateway, alice)
            #expect(after.contains(#"{"todos":{"used":1,"most":7},"bytes":{"used":"#), "\(after)")
            #expect(after.contains(#","most":0},"tokens":{"used":\#(tokens + 1),"most":0},\#(rest),"#), "\(after)")
            #expect(after.hasSuffix(#","writes":{"most":90},"own":["todos","bytes","tokens","writes"]}"#), "\(after)")
            #expect(try await gateway.ask(Self.path, token.bearer).body == after, "a token may read it")
            for (line, fields, status) in [
                (Self.path, [], 401), (Self.path, bob.cookie, 403), (Self.path + "?x=1", alice.cookie, 422),
                ("GET /v1/users/b%20b/limits", alice.cookie, 422), ("PUT /v1/users/alice/limits", alice.cookie, 405),
            ] {
                let answer = try await gateway.ask(line, fields)
                #expect(answer.status == status && !answer.body.contains("most"), "\(line): \(answer.text)")
            }
        }
    }

    @Test("counts goals, who is followed and open streams", arguments: Backing.allCases)
    func others(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let alice = try await gateway.signIn("alice")
            try await gateway.withStores { stores in
                _ = try await stores.goals.set(GoalPatch(id: "home", name: "Home"), of: "alice")
                _ = try await stores.relations.follow("bob", by: "alice")
            }
            let stream = try RawConnection(port: gateway.port)
            let lines = ["GET /v1/users/alice/changes HTTP/1.1", "Host: 127.0.0.1:\(gateway.port)"] + alice.bearer
            stream.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            defer { stream.close() }
            for part in [#""goals":{"used":1,"#, #""following":{"used":1,"#, #""streams":{"used":1,"#] {
                try await eventually("\(part) is told") { try await limits(gateway, alice).contains(part) }
            }
        }
    }

    @Test("has the writes that the workers allow each", arguments: RedisKind.allCases)
    func writes(_ kind: RedisKind) async throws {
        try await withTwoWorkers(on: kind, "--write-rate", "20") { _, workers in
            let alice = try await workers[0].signIn("alice")
            #expect(try await limits(workers[0], alice).hasSuffix(#","writes":{"most":1200}}"#))
        }
    }

    @Test("is told by the command as well", arguments: RedisKind.allCases)
    func command(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("library", "load")
            // Without an account there are no tokens.
            let nobody = try await server.todomate("limits", "alice")
            let usual = "todos     0 of 50000\nbytes     0 B of 32 MiB\ngoals     0 of 100\nfollowing 0 of 5000\n"
            #expect(nobody.ending == .exit(0) && nobody.output == usual, "\(nobody)")
            #expect(try await server.call("todomate_enroll", "alice", GatewayProcess.passwordHash) == "1")
            _ = try await server.todomate("add", "alice", "Buy milk")
            _ = try await server.todomate("user", "limit", "alice", "--todos", "20000", "--writes", "600/min")
            let own = try await server.todomate("limits", "alice")
            #expect(own.output.contains("todos     1 of 20000, as an operator allows\n"), "\(own)")
            #expect(own.output.contains("tokens    0 of 100\n"))
            #expect(own.output.hasSuffix("writes    600 a minute, as an operator allows\n"))
            let json = try await server.todomate("limits", "alice", "--json").output
            #expect(json.hasPrefix(#"{"todos":{"used":1,"most":20000},"bytes":{"used":"#), "\(json)")
            #expect(json.hasSuffix(#""writes":{"most":600},"own":["todos","writes"]}"# + "\n"), "\(json)")
            let bad = try await server.todomate("limits", "al ice")
            #expect(
                bad.ending != .exit(0) && bad.output.isEmpty && bad.errors.contains("uid must be 1 to 64"),
                "\(bad)"
            )
        }
    }
}
