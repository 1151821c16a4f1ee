import EventLoop
import Foundation
import TestServers
import Testing

extension AttackTests {
    @Suite("Workers flooded with logins")
    @LoopActor
    struct LoginFloodTests {
        private func withWorkers(
            on kind: RedisKind,
            _ body: @LoopActor (any TestRedis, [GatewayProcess]) async throws -> Void
        ) async throws {
            // They believe `X-Forwarded-For`.
            try await withTwoWorkers(on: kind, "--trusted-proxies", "127.0.0.0/8", body: body)
        }

        private static func body(_ user: String, _ password: String) -> String {
            "{\"user\":\"\(user)\",\"password\":\"\(password)\"}"
        }

        /// A wrong one, as it is sent.
        private static func request(_ user: String, from address: String, _ field: String = "") -> String {
            let body = body(user, "wrong")
            return "POST /v1/session HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\(field)"
                + "X-Forwarded-For: \(address)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }

        private func logIn(
            _ gateway: GatewayProcess,
            _ user: String,
            _ password: String = GatewayProcess.password,
            from address: String
        ) async throws -> Answer {
            let body = Self.body(user, password)
            return try await gateway.ask("POST /v1/session", "X-Forwarded-For: \(address)", body: body)
        }

        /// Guesses from many addresses until strangers are refused for the account's sake, and for two seconds at least.
        private func attack(_ workers: [GatewayProcess], _ user: String) async throws -> Answer {
            // Several at once, or a busy machine gives back places as fast as these take them.
            for round in 0..<60 {
                let attempts = (0..<8).map { number in
                    let address = "10.\(user.count).\(round).\(number)"
                    return Task { try await logIn(workers[number % 2], user, "wrong", from: address) }
                }
                var answers: [Answer] = []
                for attempt in attempts { answers.append(try await attempt.value) }
                if let refusal = answers.first(where: { $0.status == 429 && Self.wait($0) ?? 0 > 1 }) { return refusal }
            }
            throw NotRefused()
        }

        /// What an address is told that has tried one account ten times.
        private func refusal(_ workers: [GatewayProcess], _ user: String, from address: String) async throws -> Answer {
            // Each worker hears of what the other looked at a little later.
            for number in 0..<4 {
                let answer = try await logIn(workers[number % 2], user, "wrong", from: address)
                if answer.status == 429 { return answer }
            }
            throw NotRefused()
        }

        private struct NotRefused: Error {}

        private static func wait(_ answer: Answer) -> Int? { answer.fields("Retry-After").first.flatMap { Int($0) } }

        // It takes long: on one Redis, whose file tells that nothing was written.
        @Test("write nothing for a name that is nobody's, however many are tried")
        func invented() async throws {
            try await withWorkers(on: .one) { server, workers in
                let before = try await server.cli("DBSIZE")
                let written = try await server.cli("INFO", "persistence")
                // Most from one address, so that most are refused; some from others, so that some are looked at.
                let flood = try (0..<195).map { part in
                    let connection = try RawConnection(port: workers[0].port)
                    connection.send((0..<10).map { Self.request("n\(part * 10 + $0)", from: "192.0.2.1") }.joined())
                    return connection
                }
                for number in 0..<50 {
                    let answer = try await logIn(workers[1], "m\(number)", "wrong", from: "198.51.100.\(number)")
                    #expect(answer.status == 401)
                }
                // A worker that is short of time ends connections whose requests have waited too long.
                try await eventually("all are answered or ended", within: .seconds(60)) {
                    flood.allSatisfy { $0.statuses.count == 10 || $0.isEnded }
                }
                #expect(flood.contains { !$0.statuses.isEmpty })
                #expect(Set(flood.flatMap(\.statuses)).isSubset(of: [401, 429, 503]))
                let after = try await server.cli("DBSIZE")
                #expect(after == before)
                #expect(try await server.cli("INFO", "persistence") == written, "nothing was written, and taken back")
            }
        }

        @Test("let an owner in from elsewhere while one address guesses", arguments: RedisKind.allCases)
        func oneAddress(_ kind: RedisKind) async throws {
            try await withWorkers(on: kind) { _, workers in
                let start = ContinuousClock.now
                var statuses: [Int?] = []
                for number in 0..<130 {
                    statuses.append(
                        try await logIn(workers[number % 2], "alice", "wrong", from: "203.0.113.1").status
                    )
                }
                #expect(statuses.prefix(10).allSatisfy { $0 == 401 } && Set(statuses) == [401, 429])
                // Each worker hears of what the other looked at a little later, and one more may be every half a minute.
                let most = 12 + Int(start.duration(to: .now) / .seconds(30))
                #expect(statuses.count { $0 == 401 } <= most)
                let owner = try await logIn(workers[0], "alice", from: "192.0.2.7")
                #expect(owner.status == 201)
            }
        }

        @Test("keep who goes on though refused waiting, and nobody else", arguments: RedisKind.allCases)
        func slowly(_ kind: RedisKind) async throws {
            try await withWorkers(on: kind) { _, workers in
                let flood = try RawConnection(port: workers[0].port)
                flood.send(String(repeating: Self.request("alice", from: "203.0.113.1"), count: 250))
                try await eventually("refusals are no longer at once", within: .seconds(60)) {
                    flood.statuses.count >= 130
                }
                let owner = try await logIn(workers[0], "alice", from: "192.0.2.7")
                #expect(owner.status == 201)
                #expect(flood.statuses.count < 250, "what is left of them waits")
            }
        }

        @Test("let in who signed in from there before, while many addresses guess", arguments: RedisKind.allCases)
        func knownAddress(_ kind: RedisKind) async throws {
            try await withWorkers(on: kind) { _, workers in
                let before = try await logIn(workers[0], "alice", from: "192.0.2.7")
                #expect(before.status == 201)
                for (number, worker) in workers.enumerated() {
                    var stranger: Answer
                    var address = 10 * number
                    // A place that comes back in between is theirs, from another address each time.
                    repeat {
                        let refusal = try await attack(workers, "alice")
                        #expect(refusal.isProblem)
                        address += 1
                        stranger = try await logIn(worker, "alice", from: "198.51.100.\(address)")
                    } while stranger.status == 201 && address % 10 < 4
                    #expect(stranger.status == 429, "also with the right password")
                    let wait = try #require(Self.wait(stranger))
                    #expect((1...3).contains(wait), "the next place is near")
                    let owner = try await logIn(worker, "alice", from: "192.0.2.7")
                    #expect(owner.status == 201)
                    let bob = try await logIn(worker, "bob", from: "198.51.100.\(address)")
                    #expect(bob.status == 201)
                }
            }
        }

        @Test("refuse a name that is nobody's as they refuse one that is somebody's", arguments: RedisKind.allCases)
        func alike(_ kind: RedisKind) async throws {
            try await withWorkers(on: kind) { _, workers in
                var answers: [[Answer]] = []
                for user in ["alice", "nobody"] {
                    var told: [Answer] = []
                    let address = "192.0.2.\(user.count)"
                    // Each at another worker than the one before.
                    for number in 0..<10 {
                        told.append(try await logIn(workers[number % 2], user, "wrong", from: address))
                    }
                    #expect(told.allSatisfy { $0.status == 401 })
                    told.append(try await refusal(workers, user, from: address))
                    told.append(try await attack(workers, user))
                    answers.append(told)
                }
                for (known, unknown) in zip(answers[0], answers[1]) {
                    #expect(known.status == unknown.status)
                    // How long depends on how fast they were asked.
                    let bodies = [known, unknown].map { $0.body.replacing(/in \d+ s/, with: "in some time") }
                    #expect(bodies[0] == bodies[1])
                    #expect((Self.wait(known) == nil) == (Self.wait(unknown) == nil))
                }
            }
        }

        @Test("take back what they were too busy to look at", arguments: RedisKind.allCases)
        func busy(_ kind: RedisKind) async throws {
            try await withWorkers(on: kind) { _, workers in
                let crowd = try (0..<60).map { number in
                    let connection = try RawConnection(port: workers[0].port)
                    connection.send(Self.request("n\(number)", from: "192.0.2.1", "Connection: close\r\n"))
                    return connection
                }
                try await eventually("all are answered", within: .seconds(60)) { crowd.allSatisfy(\.isEnded) }
                let statuses = crowd.flatMap(\.statuses)
                #expect(statuses.contains(503) && !statuses.contains(429))
                var looked = statuses.count { $0 == 401 }
                for number in 0..<61 {
                    guard try await logIn(workers[0], "m\(number)", "wrong", from: "192.0.2.1").status == 401 else {
                        break
                    }
                    looked += 1
                }
                #expect(looked >= 60, "only what was looked at counts")
            }
        }
    }
}
