import EventLoop
import TestServers
import Testing
import TodoMate

extension AttackTests {
    @Suite("A worker called by pages of other sites")
    @LoopActor
    struct CrossOriginTests {
        private static let fields = [
            "Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers",
            "Access-Control-Max-Age", "Access-Control-Expose-Headers",
        ]

        @Test("writes nothing for a cookie without its own origin", arguments: Backing.allCases)
        func cookies(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                let cookie = "Cookie: todomate_session=\(try GatewayProcess.token("alice"))"
                let body = "{\"content\":\"evil\",\"date\":\"2026-11-20\"}"
                let host = "127.0.0.1:\(gateway.port)"
                let origins = [
                    "https://evil.example", "null", "http://\(host).evil.example", "http://evil.example/\(host)",
                    "http://127.0.0.1", "HTTP://\(host)", "http://\(host)/", "file://",
                    "http://\(host) http://evil.example",
                ]
                for method in ["POST /v1/users/alice/todos", "PUT /v1/users/alice/todos/t1"] {
                    let bare = try await gateway.ask(method, cookie, body: body)
                    #expect(bare.status == 403, "without an Origin")
                    for origin in origins {
                        let answer = try await gateway.ask(method, cookie, "Origin: \(origin)", body: body)
                        #expect(answer.status == 403 && answer.isProblem, "\(origin)")
                        #expect(Self.fields.allSatisfy { answer.fields($0).isEmpty })
                    }
                }
                #expect(try await gateway.latest(of: "alice") == .zero, "nothing was written")
                let own = try await gateway.ask(
                    "POST /v1/users/alice/todos",
                    cookie,
                    "Origin: http://\(host)",
                    body: body
                )
                #expect(own.status == 201)
                let program = try await gateway.ask("GET /v1/users/alice/todos", cookie)
                #expect(program.status == 200, "reading needs no Origin")
            }
        }

        @Test("says nothing to other origins unless some are allowed", arguments: Backing.allCases)
        func silent(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let answer = try await gateways[0].ask("OPTIONS /v1/users/alice/todos", "Origin: https://app.example")
                #expect(answer.status == 204 && answer.body.isEmpty)
                #expect(Self.fields.allSatisfy { answer.fields($0).isEmpty } && answer.fields("Vary").isEmpty)
            }
        }

        @Test("answers the pages of allowed origins, and tells caches to keep them apart", arguments: Backing.allCases)
        func allowed(_ backing: Backing) async throws {
            let origins = ["https://app.example", "https://b.example"]
            try await withGateways(on: backing, allowing: origins) { gateways in
                let gateway = gateways[0]
                let todos = "/v1/users/alice/todos"
                let request = "Access-Control-Request-Method: PATCH"
                let preflight = try await gateway.ask("OPTIONS \(todos)/t1", "Origin: https://app.example", request)
                #expect(preflight.status == 204 && preflight.body.isEmpty)
                #expect(preflight.fields("Access-Control-Allow-Origin") == ["https://app.example"])
                #expect(preflight.fields("Access-Control-Allow-Methods").first?.contains("PATCH") == true)
                #expect(preflight.fields("Access-Control-Allow-Headers").first?.contains("Authorization") == true)
                for origin in ["https://evil.example", "null", "https://app.example.evil", "https://APP.example"] {
                    let answer = try await gateway.ask("OPTIONS \(todos)", "Origin: \(origin)", request)
                    #expect(Self.fields.allSatisfy { answer.fields($0).isEmpty }, "\(origin)")
                    #expect(answer.fields("Vary") == ["Origin"])
                }
                let alice = try GatewayProcess.bearer("alice")
                let read = try await gateway.ask("GET \(todos)", alice, "Origin: https://b.example")
                #expect(read.status == 200 && read.fields("Access-Control-Allow-Origin") == ["https://b.example"])
                #expect(read.fields("Vary") == ["Origin"] && read.fields("Access-Control-Allow-Credentials").isEmpty)
                let health = try await gateway.ask("GET /healthz")
                #expect(health.fields("Vary") == ["Origin"])
                let server = try await gateway.ask("OPTIONS *")
                #expect(server.fields("Allow").first?.contains("PATCH") == true)
            }
        }

        @Test("answers HEAD as GET without the body, and 304 without one", arguments: Backing.allCases)
        func heads(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                try await gateway.add("alice", "milk", id: "t1")
                let alice = try GatewayProcess.bearer("alice")
                for path in ["/healthz", "/readyz", "/metrics", "/v1/session", "/v1/users/alice/todos/t1", "/nothing"] {
                    let (get, head) = (
                        try await gateway.ask("GET \(path)", alice), try await gateway.ask("HEAD \(path)", alice)
                    )
                    #expect(head.status == get.status && head.body.isEmpty, "\(path)")
                    for name in ["Content-Type", "ETag", "Cache-Control"] {
                        #expect(head.fields(name) == get.fields(name))
                    }
                    #expect(head.fields("Content-Length").count == 1)
                }
                let tag = try #require(
                    try await gateway.ask("GET /v1/users/alice/todos/t1", alice).fields("ETag").first
                )
                for known in [tag, "W/\(tag)", "\"x\", \(tag)", "\"x\",W/\(tag) , \"y\"", "*"] {
                    for method in ["GET", "HEAD"] {
                        let line = "\(method) /v1/users/alice/todos/t1"
                        let answer = try await gateway.ask(line, alice, "If-None-Match: \(known)")
                        #expect(answer.status == 304 && answer.body.isEmpty, "\(known)")
                        #expect(answer.fields("Content-Length").isEmpty && answer.fields("ETag") == [tag])
                    }
                }
                let unknown = try await gateway.ask("GET /v1/users/alice/todos/t1", alice, "If-None-Match: \"x\"")
                #expect(unknown.status == 200)
            }
        }

        @Test("writes on a condition only when it holds", arguments: Backing.allCases)
        func conditions(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                try await gateway.add("alice", "milk", id: "t1")
                let alice = try GatewayProcess.bearer("alice")
                let (line, body) = ("PATCH /v1/users/alice/todos/t1", "{\"content\":\"bread\"}")
                for (tag, status) in [
                    ("\"2\"", 412), ("W/\"1\"", 412), ("W/\"1\", W/\"2\"", 412), ("1", 400), ("\"\"", 400),
                    ("\"-1\"", 400),
                    ("\"1", 400), ("\"x\"", 400), ("\"1\", \"2\"", 400), ("\"99999999999999999999\"", 400), (" ", 400),
                ] {
                    let answer = try await gateway.ask(line, alice, "If-Match: \(tag)", body: body)
                    #expect(answer.status == status && answer.isProblem, "\(tag)")
                }
                #expect(try await gateway.latest(of: "alice").version == 1, "nothing was written")
                for (number, field) in ["TAG", "*", " TAG , W/TAG"].enumerated() {
                    let read = try await gateway.ask("GET /v1/users/alice/todos/t1", alice)
                    let tag = field.replacing("TAG", with: try #require(read.fields("ETag").first))
                    let words = body.replacing("bread", with: "\(number)!")
                    let answer = try await gateway.ask(line, alice, "If-Match: \(tag)", body: words)
                    #expect(answer.status == 200, "\(tag)")
                }
            }
        }
    }
}
