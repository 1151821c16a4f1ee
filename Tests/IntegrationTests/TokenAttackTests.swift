import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

extension AttackTests {
    @Suite("A worker attacked with tokens that it did not give")
    @LoopActor
    struct TokenAttackTests {
        /// What names the session of alice that the Redis of this test knows.
        private static var session: String {
            "\"jti\":\"\(TestSession.id(of: "alice"))\",\"gen\":\(TestSession.begin("alice"))"
        }

        /// A token with any header and payload, rightly signed by HMAC-SHA-256 with any secret.
        private static func token(
            _ header: String = #"{"alg":"HS256","typ":"JWT"}"#,
            payload: String = "{\"sub\":\"alice\",\"exp\":4102444800,\(session)}",
            secret: String = GatewayProcess.secret
        ) -> String {
            let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
            return "\(signed).\(Base64URL.encode(Sodium.authenticate(Array(signed.utf8), key: Array(secret.utf8))))"
        }

        private static func forgeries() -> [(what: String, token: String)] {
            let good = token()
            let parts = good.split(separator: ".").map(String.init)
            let now = Int(Date().timeIntervalSince1970)
            let root = Base64URL.encode(#"{"sub":"root","exp":4102444800}"#.utf8)
            let algorithms = ["none", "None", "HS512", "RS256", "ES256", "", "hs256"]
            return algorithms.map { ("alg \($0)", token("{\"alg\":\"\($0)\"}")) } + [
                ("no algorithm", token("{}")),
                ("alg none, unsigned", "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(parts[1])."),
                ("another key", token(secret: "another-secret-of-more-than-32-bytes!")),
                ("an empty key", token(secret: "")),
                ("expired", token(payload: "{\"sub\":\"alice\",\"exp\":\(now - 1),\(session)}")),
                (
                    "not valid yet",
                    token(payload: "{\"sub\":\"alice\",\"exp\":4102444800,\"nbf\":\(now + 3600),\(session)}")
                ),
                (
                    "issued in the future",
                    token(payload: "{\"sub\":\"alice\",\"exp\":4102444800,\"iat\":\(now + 3600),\(session)}")
                ),
                ("without an end", token(payload: "{\"sub\":\"alice\",\(session)}")),
                ("nobody's", token(payload: "{\"exp\":4102444800,\(session)}")),
                ("an end in words", token(payload: "{\"sub\":\"alice\",\"exp\":\"4102444800\",\(session)}")),
                ("a list of subjects", token(payload: "{\"sub\":[\"alice\"],\"exp\":4102444800,\(session)}")),
                ("extensions to be understood", token(#"{"alg":"HS256","typ":"JWT","crit":["b64"],"b64":false}"#)),
                ("of an older version", token(payload: #"{"sub":"alice","iat":1795000000,"exp":4102444800}"#)),
                (
                    "of another generation",
                    token(
                        payload:
                            "{\"sub\":\"alice\",\"exp\":4102444800,\"jti\":\"\(TestSession.id(of: "alice"))\",\"gen\":2}"
                    )
                ),
                (
                    "of no session",
                    token(
                        payload: "{\"sub\":\"alice\",\"exp\":4102444800,\"jti\":\"Zm9vYmFyYmF6cXV4cXV1eA\",\"gen\":1}"
                    )
                ),
                ("truncated", String(good.dropLast())), ("half", String(good.prefix(good.count / 2))),
                ("longer", good + "A"), ("one more dot", good + "."), ("a part more", good + ".e30"),
                ("a dot in front", "." + good), ("an empty signature", "\(parts[0]).\(parts[1])."),
                ("two parts", "\(parts[0]).\(parts[1])"), ("padded", good + "="), ("nothing", ""), ("dots", ".."),
                ("another payload", "\(parts[0]).\(root).\(parts[2])"),
                ("very long", String(repeating: "a", count: 4000)),
            ]
        }

        @Test("lets in the one it gave, and no other", arguments: Backing.allCases)
        func forged(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                try await gateway.add("alice", GatewayProcess.unutterable, id: "t1")
                let path = "GET /v1/users/alice/todos"
                let welcome = try await gateway.ask(path, "Authorization: Bearer \(Self.token())")
                #expect(welcome.status == 200 && welcome.body.contains(GatewayProcess.unutterable))
                for (what, token) in Self.forgeries() {
                    for field in ["Authorization: Bearer \(token)", "Cookie: todomate_session=\(token)"] {
                        let answer = try await gateway.ask(path, field)
                        #expect(answer.status == 401 && answer.isProblem, "\(what): \(field.prefix(14))")
                        #expect(answer.fields("WWW-Authenticate").first?.hasPrefix("Bearer") == true)
                    }
                }
            }
        }

        @Test("lets nobody in without a token, or with one in a wrong place", arguments: Backing.allCases)
        func misplaced(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                try await gateway.add("alice", GatewayProcess.unutterable, id: "t1")
                let token = try GatewayProcess.token("alice")
                for path in ["todos", "todos/t1", "changes"] {
                    for query in ["", "?token=\(token)", "?access_token=\(token)", "?authorization=Bearer%20\(token)"] {
                        let answer = try await gateway.ask("GET /v1/users/alice/\(path)\(query)")
                        #expect(answer.status == 401 && !answer.text.contains(GatewayProcess.unutterable))
                    }
                }
                for field in ["Authorization: \(token)", "Authorization: Basic \(token)", "X-Token: \(token)"] {
                    let answer = try await gateway.ask("GET /v1/users/alice/todos", field)
                    #expect(answer.status == 401)
                }
            }
        }

        @Test("keeps everybody out of everybody else's todos and streams", arguments: Backing.allCases)
        func others(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                try await gateway.add("alice", GatewayProcess.unutterable, id: "t1")
                try await gateway.write("PATCH /v1/users/alice/profile", as: "alice", #"{"audience":"private"}"#)
                let latest = try await gateway.latest(of: "alice")
                let bob = try GatewayProcess.bearer("bob")
                let body = "{\"content\":\"evil\",\"date\":\"2026-11-20\"}"
                for line in [
                    "GET todos", "GET todos/t1", "HEAD todos/t1", "DELETE todos/t1", "GET changes", "HEAD changes",
                ] {
                    let answer = try await gateway.ask(line.replacing(" ", with: " /v1/users/alice/"), bob)
                    #expect(answer.status == 403 && !answer.text.contains(GatewayProcess.unutterable), "\(line)")
                }
                for line in ["POST todos", "PUT todos/t1", "PATCH todos/t1", "PUT todos/t2"] {
                    let answer = try await gateway.ask(line.replacing(" ", with: " /v1/users/alice/"), bob, body: body)
                    #expect(answer.status == 403, "\(line)")
                }
                #expect(try await gateway.latest(of: "alice") == latest, "nothing was written")
            }
        }

        @Test("ends a stream when the token that opened it ends", arguments: Backing.allCases)
        func expires(_ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                let stream = try RawConnection(port: gateway.port)
                let token = try GatewayProcess.token("alice", lasting: 6)
                stream.send("GET /v1/users/alice/changes HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\r\n")
                try await eventually("it is open") { stream.text.contains("event: snapshot") }
                try await eventually("it is closed") { stream.isEnded }
                #expect(stream.statuses == [200])
            }
        }
    }
}
