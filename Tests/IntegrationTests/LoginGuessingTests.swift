import EventLoop
import Foundation
import TestServers
import Testing
import TodoMateGateway
import TodoMateRedis

extension AttackTests {
    @Suite("Workers attacked by guessing passwords")
    @LoopActor
    struct LoginGuessingTests {
        private static let password = "right-\(GatewayProcess.unutterable)"

        /// Runs `body` with two workers on one Redis that holds accounts of two users.
        private func withWorkers(_ body: @LoopActor (RedisServer, [GatewayProcess]) async throws -> Void) async throws {
            try await withGateway { server, first in
                let accounts = RedisAccountStore(server.url, timeout: .seconds(20))
                let hash = try #require(await PasswordHasher().hash(Self.password))
                for uid in ["alice", "bob"] { try await accounts.setPasswordHash(hash, of: uid) }
                accounts.close()
                let second = try await GatewayProcess(on: server, port: freePort())
                do {
                    try await body(server, [first, second])
                } catch {
                    await second.program.stop()
                    throw error
                }
                try await second.finish()
            }
        }

        private func logIn(_ gateway: GatewayProcess, _ user: String, _ password: String) async throws -> Answer {
            try await gateway.ask("POST /v1/session", body: "{\"user\":\"\(user)\",\"password\":\"\(password)\"}")
        }

        /// The status that a login from another address of this machine gets.
        private func logIn(_ gateway: GatewayProcess, _ user: String, from address: String) async throws -> String {
            let body = "{\"user\":\"\(user)\",\"password\":\"\(Self.password)\"}"
            let options = ["-sS", "-m", "60", "-o", "/dev/null", "-w", "%{http_code}", "--interface", address]
            let request = [
                "-H", "Content-Type: application/json", "-d", body, "http://127.0.0.1:\(gateway.port)/v1/session",
            ]
            return try await Program.run("curl", options + request).output
        }

        @Test("stop checking after ten wrong ones from one address, all workers together, and for no longer than said")
        func account() async throws {
            try await withWorkers { server, workers in
                for number in 0..<10 {
                    let answer = try await logIn(workers[number % 2], "alice", "wrong-\(number)")
                    #expect(answer.status == 401 && answer.isProblem)
                }
                for worker in workers {
                    let answer = try await logIn(worker, "alice", Self.password)
                    #expect(answer.status == 429 && answer.isProblem, "also the right one is refused")
                    #expect(answer.fields("Retry-After") == ["300"])
                    #expect(answer.fields("Set-Cookie").isEmpty && !answer.body.contains("eyJ"))
                }
                let bob = try await logIn(workers[0], "bob", Self.password)
                #expect(bob.status == 201, "bob is nobody's enemy")
                // Alice herself, somewhere else, is not locked out by who guesses; nor is what she has open.
                let elsewhere = try await logIn(workers[1], "alice", from: "127.0.0.2")
                #expect(elsewhere == "201")
                let open = try await workers[0].ask("GET /v1/users/alice/todos", GatewayProcess.bearer("alice"))
                #expect(open.status == 200)
                for key in try await server.cli("KEYS", "*logins*").split(separator: "\n") {
                    let seconds = Int(try await server.cli("TTL", String(key))) ?? -1
                    #expect((1...300).contains(seconds), "\(key) ends by itself")
                }
            }
        }

        @Test("stop checking after sixty from one address, whomever they are for")
        func address() async throws {
            try await withWorkers { server, workers in
                try await server.cli("SET", "todomate:logins:127.0.0.1", "59", "EX", "300")
                let last = try await logIn(workers[0], "nobody", "wrong")
                #expect(last.status == 401)
                let limited = try await logIn(workers[1], "bob", Self.password)
                #expect(limited.status == 429)
                let elsewhere = try await logIn(workers[0], "bob", from: "127.0.0.2")
                #expect(elsewhere == "201")
            }
        }

        @Test("tell clients behind a trusted proxy apart, and believe nobody else")
        func proxies() async throws {
            for (options, isTrusted) in [(["--trusted-proxies", "127.0.0.0/8"], true), ([], false)] {
                try await withRedis { server in
                    let gateway = try await GatewayProcess(on: server, port: freePort(), options)
                    for number in 0..<11 {
                        // What the client itself claims stands first, and is another one each time.
                        let field = "X-Forwarded-For: 203.0.113.\(number), 192.0.2.1"
                        let body = "{\"user\":\"alice\",\"password\":\"wrong\"}"
                        let answer = try await gateway.ask("POST /v1/session", field, body: body)
                        #expect(answer.status == (number < 10 ? 401 : 429))
                    }
                    let counted = try await server.cli("KEYS", "todomate:logins:*")
                    #expect(counted == "todomate:logins:\(isTrusted ? "192.0.2.1" : "127.0.0.1")")
                    #expect(gateway.program.errors.contains("from=192.0.2.1") == isTrusted)
                    #expect(!gateway.program.errors.contains("203.0.113."))
                    try await gateway.finish()
                }
            }
        }

        @Test("let a right password clear what its own address got wrong, and no more")
        func forgets() async throws {
            try await withWorkers { server, workers in
                for _ in 0..<3 {
                    let answer = try await logIn(workers[0], "bob", "wrong")
                    #expect(answer.status == 401)
                }
                for _ in 0..<3 {
                    let answer = try await logIn(workers[0], "alice", "wrong")
                    #expect(answer.status == 401)
                }
                let right = try await logIn(workers[1], "alice", Self.password)
                #expect(right.status == 201)
                let ofAlice = try await server.cli("GET", "todomate:{alice}:logins:127.0.0.1")
                #expect(ofAlice.isEmpty)
                let ofBob = try await server.cli("GET", "todomate:{bob}:logins:127.0.0.1")
                #expect(ofBob == "3")
                let ofAddress = try await server.cli("GET", "todomate:logins:127.0.0.1")
                #expect(ofAddress == "6", "the address keeps its wrong ones")
            }
        }

        @Test("go on serving while many guess at once, at new names")
        func flood() async throws {
            try await withWorkers { server, workers in
                let flood = try (0..<120).map { number in
                    let connection = try RawConnection(port: workers[0].port)
                    let body = "{\"user\":\"u\(number)\",\"password\":\"wrong\"}"
                    connection.send(
                        "POST /v1/session HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n"
                            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                    return connection
                }
                let health = try await workers[0].ask("GET /healthz")
                #expect(health.status == 200, "the loop is free")
                try await eventually("all are answered", within: .seconds(60)) { flood.allSatisfy(\.isEnded) }
                let counts = Dictionary(grouping: flood.flatMap(\.statuses)) { $0 }.mapValues(\.count)
                #expect(counts.values.reduce(0, +) == 120 && Set(counts.keys).isSubset(of: [401, 429, 503]))
                #expect(counts[401, default: 0] <= 60, "no more than the address may try")
            }
        }
    }
}
