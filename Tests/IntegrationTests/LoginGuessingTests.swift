import EventLoop
import Foundation
import TestServers
import Testing

extension AttackTests {
    @Suite("Workers attacked by guessing passwords")
    @LoopActor
    struct LoginGuessingTests {
        private func logIn(_ gateway: GatewayProcess, _ user: String, _ password: String) async throws -> Answer {
            try await gateway.ask("POST /v1/session", body: "{\"user\":\"\(user)\",\"password\":\"\(password)\"}")
        }

        /// The status that a login from another address of this machine gets.
        private func logIn(_ gateway: GatewayProcess, _ user: String, from address: String) async throws -> String {
            let body = "{\"user\":\"\(user)\",\"password\":\"\(GatewayProcess.password)\"}"
            let options = ["-sS", "-m", "60", "-o", "/dev/null", "-w", "%{http_code}", "--interface", address]
            let request = [
                "-H", "Content-Type: application/json", "-d", body, "http://127.0.0.1:\(gateway.port)/v1/session",
            ]
            return try await Program.run("curl", options + request).output
        }

        @Test(
            "stop checking after ten wrong ones from one address, all workers together, and for no longer than said",
            arguments: RedisKind.allCases
        )
        func account(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { server, workers in
                for number in 0..<10 {
                    let answer = try await logIn(workers[number % 2], "alice", "wrong-\(number)")
                    #expect(answer.status == 401 && answer.isProblem)
                }
                var late = 0
                for worker in workers {
                    // A worker hears of what the other looked at a little later.
                    try await eventually("it heard of all ten") {
                        if try await logIn(worker, "alice", "wrong").status == 429 { return true }
                        late += 1
                        return false
                    }
                    let answer = try await logIn(worker, "alice", GatewayProcess.password)
                    #expect(answer.status == 429 && answer.isProblem, "also the right one is refused")
                    let wait = try #require(answer.fields("Retry-After").first.flatMap { Int($0) })
                    #expect((1...30 * (late + 1)).contains(wait) && answer.body.contains("in \(wait) s"))
                    #expect(answer.fields("Set-Cookie").isEmpty && !answer.body.contains("eyJ"))
                }
                #expect(late <= 1, "only the last of them was on its way")
                let bob = try await logIn(workers[0], "bob", GatewayProcess.password)
                #expect(bob.status == 201, "bob is nobody's enemy")
                // Alice herself, somewhere else, is not locked out by who guesses; nor is what she has open.
                let elsewhere = try await logIn(workers[1], "alice", from: "127.0.0.2")
                #expect(elsewhere == "201")
                let open = try await workers[0].ask("GET /v1/users/alice/todos", GatewayProcess.bearer("alice"))
                #expect(open.status == 200)
                let seconds = Int(try await server.cli("TTL", "todomate:{alice}:addresses")) ?? -1
                #expect((1...180 * 86_400).contains(seconds), "what is remembered ends by itself")
                // The nodes of a cluster count their own each.
                guard kind == .one else { return }
                let keys = try await server.cli("DBSIZE")
                #expect(
                    keys == "8",
                    "two profiles, two lists of addresses, two tables of sessions, two lists of events"
                )
            }
        }

        @Test(
            "look at no more of forty that come at the same moment than of forty in a row",
            arguments: RedisKind.allCases
        )
        func atOnce(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
                let body = "{\"user\":\"alice\",\"password\":\"wrong\"}"
                let head = "POST /v1/session HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                let type = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                let crowd = try (0..<40).map { _ in try RawConnection(port: workers[0].port) }
                for connection in crowd { connection.send(head + type + body) }
                try await eventually("all are answered", within: .seconds(60)) { crowd.allSatisfy(\.isEnded) }
                let statuses = crowd.flatMap(\.statuses)
                #expect(statuses.count == 40 && Set(statuses).isSubset(of: [401, 429, 503]))
                #expect(statuses.count { $0 == 401 } == 10, "no more than the address may try at one account")
                let log = workers[0].program.errors
                #expect(log.matches(of: /sign-in refused/).count == 10, "only what was looked at is told")
            }
        }

        @Test(
            "tell a name in the log that is somebody's, and none that may be a password",
            arguments: RedisKind.allCases
        )
        func logged(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
                // Ten of each, and one more that is not looked at.
                for number in 0..<22 {
                    let user = number.isMultiple(of: 2) ? "alice" : GatewayProcess.unutterable
                    let answer = try await logIn(workers[0], user, "wrong-\(GatewayProcess.unutterable)")
                    #expect(answer.status == (number < 20 ? 401 : 429))
                }
                let lines = workers[0].program.errors.split(separator: "\n").filter { $0.contains("sign-in refused") }
                #expect(lines.count == 20 && lines.allSatisfy { $0.contains("from=") })
                #expect(lines.count { $0.contains("uid=alice") } == 10)
                #expect(lines.count { $0.contains("uid=") } == 10)
                #expect(!workers[0].program.errors.contains(GatewayProcess.unutterable))
            }
        }

        @Test("stop checking after sixty from one address, whomever they are for", arguments: RedisKind.allCases)
        func address(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
                let start = ContinuousClock.now
                var (looked, isRefused) = (0, false)
                // Until one is refused and, before another one may be, the right one at the other worker, too.
                for number in 0..<200 where !isRefused {
                    guard try await logIn(workers[number % 2], "nobody-\(number)", "wrong").status == 429 else {
                        looked += 1
                        continue
                    }
                    isRefused = try await logIn(workers[(number + 1) % 2], "bob", GatewayProcess.password).status == 429
                }
                #expect(isRefused && looked >= 60)
                #expect(looked <= 61 + Int(start.duration(to: .now) / .seconds(5)))
                let elsewhere = try await logIn(workers[0], "bob", from: "127.0.0.2")
                #expect(elsewhere == "201")
            }
        }

        @Test("tell clients behind a trusted proxy apart, and believe nobody else", arguments: RedisKind.allCases)
        func proxies(_ kind: RedisKind) async throws {
            for (options, isTrusted) in [(["--trusted-proxies", "127.0.0.0/8"], true), ([], false)] {
                try await withRedis(on: kind) { server in
                    let gateway = try await GatewayProcess(on: server, port: freePort(), options)
                    for number in 0..<11 {
                        // What the client itself claims stands first, and is another one each time.
                        let field = "X-Forwarded-For: 203.0.113.\(number), 192.0.2.1"
                        let body = "{\"user\":\"alice\",\"password\":\"wrong\"}"
                        let answer = try await gateway.ask("POST /v1/session", field, body: body)
                        #expect(answer.status == (number < 10 ? 401 : 429))
                    }
                    let other = try await gateway.ask(
                        "POST /v1/session",
                        "X-Forwarded-For: 192.0.2.1, 192.0.2.2",
                        body: "{\"user\":\"alice\",\"password\":\"wrong\"}"
                    )
                    #expect(other.status == (isTrusted ? 401 : 429))
                    #expect(gateway.program.errors.contains("from=192.0.2.1") == isTrusted)
                    #expect(!gateway.program.errors.contains("203.0.113."))
                    try await gateway.finish()
                }
            }
        }

        @Test("let a right password clear what its own address got wrong, and no more", arguments: RedisKind.allCases)
        func forgets(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
                for (user, count) in [("bob", 9), ("alice", 3)] {
                    for _ in 0..<count {
                        let answer = try await logIn(workers[0], user, "wrong")
                        #expect(answer.status == 401)
                    }
                }
                let right = try await logIn(workers[1], "alice", GatewayProcess.password)
                #expect(right.status == 201)
                for (user, left) in [("alice", 10), ("bob", 1)] {
                    let start = ContinuousClock.now
                    var (looked, refused) = (0, 0)
                    for number in 1...20 where refused < 2 {
                        if try await logIn(workers[number % 2], user, "wrong").status == 429 {
                            refused += 1
                        } else {
                            (looked, refused) = (looked + 1, 0)
                        }
                    }
                    // Each worker hears of what the other did a little later, and one more may be every half a minute.
                    let most = left + 3 + Int(start.duration(to: .now) / .seconds(30))
                    #expect(refused == 2 && looked >= left && looked <= most, "\(user): \(looked)")
                }
            }
        }

        @Test("go on serving while many guess at once, at new names", arguments: RedisKind.allCases)
        func flood(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
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
