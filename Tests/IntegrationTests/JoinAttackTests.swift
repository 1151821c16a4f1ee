import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMateGateway

extension AttackTests {
    @Suite("Invitations and links that are attacked")
    @LoopActor
    struct JoinAttackTests {
        /// How somebody tries to get in whom nobody invited.
        enum Attack: String, CaseIterable, Sendable {
            case otherSecret, otherInviter, noSecret, cutSecret, resetCode, pathOfOthers
            case takenBack, usedUp, expired, inviterRemoved
            case foreignOrigin, cookieWithoutOrigin, oversized, notJSON
        }

        @Test("let in nobody, and say no more than that", arguments: Backing.dealt(Attack.allCases))
        func attacks(_ attack: Attack, _ backing: Backing) async throws {
            // Accounts are removed by a command, and time passes by what is written into Redis.
            guard ![.inviterRemoved, .expired].contains(attack) || backing != .memory else { return }
            try await withGateways(on: backing, door: .inviting) { gateways in
                let gateway = gateways[0]
                let made = try await gateway.invite(by: "alice")
                _ = try GatewayProcess.bearer("bob")
                // The form is open.
                let look = try await gateway.look(at: made.invitation)
                #expect(look.status == 200)
                var (code, fields) = (made.invitation, [String]())
                var body: String?
                var expected = (404, "not-found")
                switch attack {
                case .otherSecret: code = LinkCode(of: "alice", for: .join).text
                case .otherInviter: code = "bob.\(made.secret)"
                case .noSecret: code = "alice."
                case .cutSecret: code = String(made.invitation.dropLast())
                case .resetCode: code = "alice.\(made.id)"
                case .pathOfOthers: code = "alice}:x.\(made.secret)"
                case .takenBack:
                    try await gateway.write("DELETE /v1/users/alice/invitations/\(made.id)", as: "alice")
                case .usedUp: #expect(try await gateway.join("first", by: made.invitation).status == 201)
                case .expired: try await expire(made, in: #require(gateway.redis))
                case .inviterRemoved: _ = try await gateway.redis?.todomate("user", "remove", "alice")
                case .foreignOrigin:
                    fields = ["Origin: https://evil.example"]
                    expected = (403, "forbidden")
                case .cookieWithoutOrigin:
                    fields = ["Cookie: todomate_session=x"]
                    expected = (403, "forbidden")
                case .oversized:
                    body = "{\"user\":\"nina\",\"password\":\"\(String(repeating: "x", count: 300_000))\"}"
                    expected = (413, "too-large")
                case .notJSON:
                    body = "user=nina&password=long-enough"
                    expected = (400, "malformed")
                }
                let text = #"{"user":"nina","password":"long-enough","invitation":"\#(code)"}"#
                let answer = try await gateway.ask("POST /v1/accounts", fields, body: body ?? text)
                #expect(answer.status == expected.0 && answer.kind == expected.1, "\(answer.text)")
                #expect(answer.fields("Set-Cookie").isEmpty && !answer.body.contains(made.secret))
                let again = try await gateway.trySigningIn("nina", "long-enough")
                #expect(again.status == 401, "there is no such account")
                if body == nil, fields.isEmpty {
                    let other = try await gateway.look(at: code)
                    #expect(other.status == 404 && other.body == answer.body, "one answer for all of them")
                }
            }
        }

        /// Lets the time of an invitation of alice's be over.
        private func expire(_ made: MadeInvitation, in redis: any TestRedis) async throws {
            let key = "todomate:{alice}:invitations"
            let stored = try await redis.cli("HGET", key, made.id)
            let now = Int(Date().timeIntervalSince1970)
            let earlier = stored.replacing(/"expires":\d+/, with: "\"expires\":\(now - 1)")
            #expect(earlier != stored)
            try await redis.cli("HSET", key, made.id, earlier)
        }

        @Test("have one winner when two names come at the same moment for one use", arguments: Backing.allCases)
        func race(_ backing: Backing) async throws {
            try await withGateways(2, on: backing, door: .inviting) { gateways in
                for round in 0..<3 {
                    let made = try await gateways[0].invite()
                    async let left = gateways[0].join("left\(round)", by: made.invitation)
                    async let right = gateways[1].join("right\(round)", by: made.invitation)
                    let answers = try await [left, right]
                    #expect(answers.compactMap(\.status).sorted() == [201, 404])
                    for (name, answer) in zip(["left", "right"], answers) {
                        let signedIn = try await gateways[0].trySigningIn("\(name)\(round)")
                        #expect(signedIn.status == (answer.status == 201 ? 201 : 401))
                    }
                }
            }
        }

        @Test("let those whom the inviter blocked make an account, and follow nobody", arguments: Backing.allCases)
        func blocked(_ backing: Backing) async throws {
            try await withGateways(on: backing, door: .inviting) { gateways in
                let gateway = gateways[0]
                try await gateway.write("PUT /v1/users/alice/blocked/nina", as: "alice")
                let made = try await gateway.invite()
                let joined = try await gateway.join("nina", by: made.invitation, follows: true)
                #expect(joined.status == 201)
                let session = try joined.read(GivenSession.self)
                #expect(session.following != "following")
                let todos = try await gateway.ask("GET /v1/users/alice/todos", session.bearer)
                #expect(todos.status == 403)
            }
        }

        @Test("stop looking after thirty that found nothing, at all workers together", arguments: RedisKind.allCases)
        func guesses(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind, "--registration", "open", "--invitations", "everyone") { _, workers in
                let made = try await workers[0].invite(by: "alice", uses: 100)
                for number in 0..<30 {
                    let worker = workers[number % 2]
                    // Wrong invitations, names that are taken, and links for passwords, one as another.
                    let answer =
                        switch number % 3 {
                        case 0: try await worker.look(at: LinkCode(of: "alice", for: .join).text)
                        case 1: try await worker.join("bob", by: made.invitation)
                        default:
                            try await worker.ask(
                                "POST /v1/password-reset",
                                body: #"{"user":"alice","secret":"x","password":"long-enough"}"#
                            )
                        }
                    #expect(answer.status == (number % 3 == 1 ? 409 : 404), "\(number): \(answer.body)")
                }
                for worker in workers {
                    // What counted at one worker is announced to the other; to find an invitation costs nothing.
                    try await eventually("it heard of all thirty") {
                        try await worker.look(at: made.invitation).status == 429
                    }
                    for answer in [
                        try await worker.look(at: made.invitation), try await worker.join("nina", by: made.invitation),
                        try await worker.join("nina", by: nil),
                    ] {
                        #expect(answer.status == 429 && answer.isProblem, "also the right one is refused")
                        let wait = try #require(answer.fields("Retry-After").first.flatMap { Int($0) })
                        #expect((1...60).contains(wait))
                    }
                }
                let own = try await workers[0].trySigningIn("alice")
                #expect(own.status == 201, "who has an account is not kept out")
            }
        }

        @Test(
            "make no more than five accounts an hour without an invitation, at all workers together",
            arguments: RedisKind.allCases
        )
        func accounts(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind, "--registration", "open", "--invitations", "everyone") { _, workers in
                for number in 0..<5 {
                    let answer = try await workers[number % 2].join("guest\(number)", by: nil)
                    #expect(answer.status == 201)
                }
                for worker in workers {
                    let answer = try await worker.join("guest5", by: nil)
                    #expect(answer.status == 429)
                    let wait = try #require(answer.fields("Retry-After").first.flatMap { Int($0) })
                    #expect((60...3600).contains(wait))
                }
                let made = try await workers[0].invite()
                let invited = try await workers[1].join("guest6", by: made.invitation)
                #expect(invited.status == 201, "invitations count their uses themselves")
            }
        }

        @Test(
            "make no more than five either where they ask all workers at the same moment",
            arguments: RedisKind.allCases
        )
        func crowd(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind, "--registration", "open") { _, workers in
                let crowd = (0..<12).map { number in
                    Task { try await workers[number % 2].join("guest\(number)", by: nil).status }
                }
                var answers: [Int?] = []
                for one in crowd { answers.append(try await one.value) }
                #expect(answers.count { $0 == 201 } == 5 && Set(answers) == [201, 429], "\(answers)")
            }
        }

        @Test("leave no secret in a command to Redis, a channel, a key or a log")
        func secrets() async throws {
            // MONITOR tells what one server was sent.
            try await withTwoWorkers(on: .one, "--invitations", "everyone") { server, workers in
                let monitor = try RunningProgram("redis-cli", ["-s", "\(server.url)", "MONITOR"])
                try await eventually("it listens") { !monitor.lines.isEmpty }
                let made = try await workers[0].invite(by: "alice", uses: 2)
                let reset = try await server.todomate("user", "reset", "bob", "--server", "https://todo.example")
                let secret = try #require(reset.output.firstMatch(of: /#reset=bob\.(\S+)/).map { String($0.1) })
                _ = try await workers[1].look(at: made.invitation)
                _ = try await workers[0].join("nina", by: made.invitation, follows: true)
                _ = try await workers[1].join("alice", by: made.invitation)
                let body = #"{"user":"bob","secret":"\#(secret)","password":"\#(GatewayProcess.password)"}"#
                for _ in 0..<2 { _ = try await workers[0].ask("POST /v1/password-reset", body: body) }
                try await eventually("all of it is seen") { monitor.output.contains("todomate_reset_password") }
                await monitor.stop()
                let log = workers.map(\.program.errors).joined() + reset.errors
                for word in [made.secret, secret, GatewayProcess.unutterable] {
                    #expect(!monitor.output.contains(word))
                    #expect(!log.contains(word))
                }
                #expect(
                    log.contains("invitation made") && log.contains("account made") && log.contains("password reset")
                )
            }
        }
    }
}
