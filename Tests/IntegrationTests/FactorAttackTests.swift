import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

extension AttackTests {
    @Suite("A second factor that somebody wants to go around")
    @LoopActor
    struct FactorAttackTests {
        private static let password = GatewayProcess.password

        /// The status that a sign-in from another address of this machine gets.
        private func logIn(_ gateway: any HTTPGateway, _ code: String, from address: String) async throws -> String {
            let body = JSONObject(["user": "alice", "password": Self.password, "code": code]).text
            let options = ["-sS", "-m", "60", "-o", "/dev/null", "-w", "%{http_code}", "--interface", address]
            let request = [
                "-H", "Content-Type: application/json", "-d", body, "http://127.0.0.1:\(gateway.port)/v1/session",
            ]
            return try await Program.run("curl", options + request).output
        }

        @Test("shows to nobody who does not know the password", arguments: Backing.allCases)
        func hidden(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
                let app = try await gateway.turnOnFactor(with: try await gateway.signIn("alice").cookie)
                var answers: Set<String> = []
                for uid in ["alice", "bob", "nobody"] {
                    for code in [nil, try app.code(), app.recoveryCodes[0], "123456"] {
                        let answer = try await gateway.trySigningIn(uid, "wrong", code: code)
                        #expect(answer.status == 401)
                        answers.insert(answer.text.replacing(/\r\nDate: [^\r]+/, with: ""))
                    }
                }
                #expect(answers.count == 1, "\(answers)")
                #expect(try await gateway.trySigningIn("alice", code: app.recoveryCodes[0]).status == 201, "still good")
            }
        }

        @Test("keeps nothing between two requests that another could take over", arguments: Backing.allCases)
        func fixation(_ backing: Backing) async throws {
            try await withGateways(2, on: backing) { gateways in
                let gateway = gateways[0]
                for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
                let mallory = try await gateway.signIn("bob")
                let app = try await gateway.turnOnFactor(with: try await gateway.signIn("alice").cookie)
                // With mallory's own cookie, as a page of hers may have set it, and one that she made up.
                let origin = "Origin: http://127.0.0.1:\(gateway.port)"
                let fixed = [
                    mallory.cookie, ["Cookie: todomate_session=\(String(repeating: "x", count: 60))", origin],
                ]
                for fields in fixed {
                    let asked = try await gateway.trySigningIn("alice", code: nil, fields)
                    #expect(asked.status == 401 && asked.fields("Set-Cookie").isEmpty)
                    // The password was right a moment ago: the code alone, or with another password, opens nothing.
                    for body in [
                        JSONObject(["user": "alice", "code": try app.code()]).text,
                        JSONObject(["code": try app.code()]).text,
                        JSONObject(["user": "alice", "password": "", "code": try app.code()]).text,
                        JSONObject(["user": "bob", "password": "wrong", "code": try app.code()]).text,
                    ] {
                        for one in gateways {
                            let place = "Origin: http://127.0.0.1:\(one.port)"
                            let answer = try await one.ask("POST /v1/session", [fields[0], place], body: body)
                            #expect(
                                [401, 422].contains(answer.status) && answer.fields("Set-Cookie").isEmpty,
                                "\(body)"
                            )
                        }
                    }
                }
                let answer = try await gateway.trySigningIn("alice", code: try app.code(), mallory.cookie)
                let alice = try gateway.client(in: answer)
                #expect(alice.token.uid == "alice" && alice.token.id != mallory.token.id && alice.text != mallory.text)
                #expect(
                    try await gateway.ask("GET /v1/users/alice/todos", mallory.bearer).status == 200,
                    "as a stranger"
                )
                #expect(try await gateway.ask("GET /v1/users/alice/events", mallory.bearer).status == 403)
            }
        }

        @Test(
            "has ten wrong codes looked at, from everywhere together, and recovery codes ever",
            arguments: RedisKind.allCases
        )
        func guessing(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
                let app = try await workers[0].turnOnFactor(with: try await workers[0].signIn("alice").cookie)
                for number in 0..<10 {
                    let address = "127.0.0.\(2 + number % 3)"
                    let status = try await logIn(workers[number % 2], try app.wrongCode(number), from: address)
                    #expect(status == "403")
                }
                for (number, worker) in workers.enumerated() {
                    #expect(try await logIn(worker, try app.code(), from: "127.0.0.\(5 + number)") == "429")
                    #expect(try await logIn(worker, try app.wrongCode(), from: "127.0.0.\(5 + number)") == "429")
                }
                let answer = try await workers[0].trySigningIn("alice", code: try app.code())
                let wait = answer.fields("Retry-After").first.flatMap { Int($0) } ?? 0
                #expect(answer.status == 429 && (3000...3600).contains(wait) && answer.fields("Set-Cookie").isEmpty)
                #expect(try await logIn(workers[1], app.recoveryCodes[0], from: "127.0.0.7") == "201")
                #expect(
                    try await logIn(workers[1], try app.code(), from: "127.0.0.7") == "429",
                    "it makes up for nothing"
                )
            }
        }

        @Test("is not made easier by a right password in between", arguments: RedisKind.allCases)
        func between(_ kind: RedisKind) async throws {
            try await withTwoWorkers(on: kind) { _, workers in
                let app = try await workers[0].turnOnFactor(with: try await workers[0].signIn("alice").cookie)
                for number in 0..<9 {
                    #expect(try await workers[number % 2].trySigningIn("alice", "wrong").status == 401)
                    // Costs nothing, and clears nothing.
                    for worker in workers {
                        #expect(try await worker.trySigningIn("alice", code: nil).kind == "second-factor")
                    }
                }
                #expect(try await workers[0].trySigningIn("alice", code: try app.wrongCode()).status == 403)
                #expect(try await workers[0].trySigningIn("alice", code: nil).status == 429)
                try await eventually("the other one has heard of it") {
                    try await workers[1].trySigningIn("alice", code: nil).status == 429
                }
                // Nor is the address known by it, which others' attempts do not concern.
                #expect(try await logIn(workers[0], try app.code(), from: "127.0.0.2") == "201")
            }
        }

        @Test("is nobody's but the owner's to set up and turn off", arguments: Backing.allCases)
        func owners(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
                let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
                let app = try await gateway.turnOnFactor(with: alice.cookie)
                let both = JSONObject(["password": Self.password, "code": app.recoveryCodes[0]]).text
                let requests =
                    [
                        ("GET", "", nil), ("POST", "", JSONObject(["password": Self.password]).text),
                        ("PUT", "", JSONObject(["code": try app.code()]).text), ("POST", "/recovery-codes", both),
                        ("POST", "/off", both),
                    ] as [(String, String, String?)]
                for (method, end, body) in requests {
                    let line = "\(method) /v1/users/alice/factor\(end)"
                    for (who, fields, status) in [
                        ("nobody", [], 401), ("bob", bob.cookie, 403), ("bob's program", bob.bearer, 403),
                    ] {
                        let answer = try await gateway.ask(line, fields, body: body)
                        #expect(answer.status == status && answer.isProblem, "\(line) by \(who)")
                    }
                    guard method != "GET" else { continue }
                    for fields in [[alice.cookie[0], "Origin: https://evil.example"], [alice.cookie[0]]] {
                        #expect(
                            try await gateway.ask(line, fields, body: body).status == 403,
                            "\(line) by another page"
                        )
                    }
                    for bad in ["{}", "[]", "{", #"{"code":7}"#, #"{"password":null,"code":null}"#, #"{"x":1}"#] {
                        let answer = try await gateway.ask(line, alice.cookie, body: bad)
                        #expect([400, 422].contains(answer.status), "\(line) \(bad)")
                    }
                }
                for code in ["null", "7", "true", "[]"] {
                    let body = #"{"user":"alice","password":"\#(Self.password)","code":\#(code)}"#
                    #expect(try await gateway.ask("POST /v1/session", body: body).status == 422, "\(code)")
                }
                for code in [
                    String(repeating: "1", count: 60_000), "٣٣٣٣٣٣", "１２３４５６", "+12345", "-12345", "12 345\u{0}", "1e5",
                ] {
                    #expect(try await gateway.trySigningIn("alice", code: code).status == 403, "\(code.prefix(20))")
                }
                #expect(try await gateway.trySigningIn("alice", code: try app.code()).kind != "second-factor")
            }
        }
    }
}
