import EventLoop
import TestServers
import Testing
import TodoMate

extension AttackTests {
    @Suite("A worker attacked with requests that end somewhere else")
    @LoopActor
    struct FramingAttackTests {
        /// Fields of a POST that creates a todo, its body, and the status it must get.
        private static let attacks: [(fields: String, body: String, status: Int)] = [
            ("Content-Length: 0\r\nContent-Length: 0", "", 400), ("Content-Length: 0\r\nContent-Length: 44", "", 400),
            ("Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n", 400),
            ("Transfer-Encoding: xchunked", "0\r\n\r\n", 501), ("Transfer-Encoding: chunked, identity", "", 501),
            ("Transfer-Encoding : chunked", "0\r\n\r\n", 400), ("X: y\r\n Transfer-Encoding: chunked", "", 400),
            ("Content-Length: +0", "", 400), ("Content-Length: -1", "", 400), ("Content-Length: 0x0", "", 400),
            ("Content-Length: 18446744073709551616", "", 400), ("Content-Length: 65537", "", 413),
            ("Transfer-Encoding: chunked", "zz\r\n", 400), ("Transfer-Encoding: chunked", "-1\r\n", 400),
            ("Transfer-Encoding: chunked", "0\r\nAuthorization: Bearer x\r\n\r\n", 400),
            ("Transfer-Encoding: chunked", "10001\r\n", 413), ("X: a\nY: b", "", 400), ("X: a\u{0}b", "", 400),
            ("Host: other", "", 400), ("authorization: Bearer x", "", 400), ("Expect: something", "", 417),
            (String(repeating: "X: y\r\n", count: 10_000) + "X: y", "", 431),
            ("X: " + String(repeating: "y", count: 9000), "", 431),
        ]

        @Test("answers with a problem, closes, and does nothing of what follows", arguments: Backing.allCases)
        func refuses(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                let (alice, bob) = (try GatewayProcess.bearer("alice"), try GatewayProcess.bearer("bob"))
                let todo = "{\"content\":\"evil\",\"date\":\"2026-11-20\"}"
                let following =
                    "POST /v1/users/bob/todos HTTP/1.1\r\nHost: h\r\n\(bob)\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(todo.utf8.count)\r\n\r\n\(todo)"
                for attack in Self.attacks {
                    let head = "POST /v1/users/alice/todos HTTP/1.1\r\nHost: h\r\n\(alice)\r\n\(attack.fields)\r\n\r\n"
                    let answer = try await gateway.ask(bytes: head + attack.body + following)
                    #expect(answer.status == attack.status, "\(attack.fields.prefix(60).debugDescription)")
                    #expect(answer.isProblem && answer.fields("Connection") == ["close"])
                    #expect(answer.text.ranges(of: "HTTP/1.1 ").count == 1, "nothing else is answered")
                }
                if let keys = try await gateway.redis?.dataKeys() { #expect(keys.isEmpty, "nothing was written") }
                for uid in ["alice", "bob"] { #expect(try await gateway.latest(of: uid) == .zero) }
                // The same bytes where they are a request: the test itself could have written.
                let answer = try await gateway.ask(
                    bytes: following.replacing("Host", with: "Connection: close\r\nHost")
                )
                #expect(answer.status == 201)
            }
        }

        @Test("answers with a problem whatever is no request line", arguments: Backing.allCases)
        func lines(_ backing: Backing) async throws {
            let lines = [
                ("GET /healthz", 400), ("GET /healthz HTTP/1.1\n", 400), ("get /healthz HTTP/1.1", 501),
                ("TRACE /healthz HTTP/1.1", 501), ("PRI * HTTP/2.0", 505), ("GET /healthz HTTP/0.9", 505),
                ("GET http://h/healthz HTTP/1.1", 400), ("CONNECT h:80 HTTP/1.1", 501), ("GET  /healthz HTTP/1.1", 400),
                ("GET /health\u{0}z HTTP/1.1", 400), ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1", 414),
                ("\u{16}\u{3}\u{1}\u{2}", 400),
            ]
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                for (line, status) in lines {
                    let answer = try await gateway.ask(bytes: line + "\r\nHost: h\r\n\r\n")
                    #expect(answer.status == status && answer.isProblem, "\(line.prefix(60).debugDescription)")
                }
                // The old version is understood, and closed after its answer.
                let old = try await gateway.ask(bytes: "GET /healthz HTTP/1.0\r\n\r\n")
                #expect(old.status == 200 && old.body == "alive\n")
            }
        }

        @Test("refuses what is well-formed but not to be had, by the right code", arguments: Backing.allCases)
        func codes(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                let alice = try GatewayProcess.bearer("alice")
                let todos = "/v1/users/alice/todos"
                let text = "{\"content\":\"a\",\"date\":\"2026-11-20\"}"
                let answers = [
                    (411, try await gateway.ask("POST \(todos)", alice)),
                    (
                        415,
                        try await gateway.ask("POST \(todos)", alice, "Content-Type: text/plain", "Content-Length: 0")
                    ),
                    (415, try await gateway.ask("POST \(todos)", [alice, "Content-Encoding: gzip"], body: text)),
                    (406, try await gateway.ask("GET /v1/users/alice/changes", alice, "Accept: image/png")),
                    (405, try await gateway.ask("PUT \(todos)", alice, body: text)),
                    (404, try await gateway.ask("GET /v1/nothing", alice)),
                    (422, try await gateway.ask("POST \(todos)", alice, body: "{\"content\":1}")),
                    (413, try await gateway.ask("POST \(todos)", [alice], body: String(repeating: " ", count: 65_537))),
                    (400, try await gateway.ask("GET \(todos)?date=%zz", alice)),
                ]
                for (status, answer) in answers {
                    #expect(answer.status == status && answer.isProblem, "\(answer.text.prefix(300))")
                }
                #expect(answers[4].1.fields("Allow") == ["GET, HEAD, OPTIONS, POST"])
            }
        }
    }
}
