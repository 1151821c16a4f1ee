import EventLoop
import TestServers
import Testing
import TodoMate

extension AttackTests {
    @Suite("A worker attacked with paths that mean something else")
    @LoopActor
    struct PathAttackTests {
        private static let paths = [
            "/v1/users/alice/../bob/todos", "/v1/users/alice/%2e%2e/bob/todos", "/v1/users/alice/%2E%2E/bob/todos/t1",
            "/v1/users/alice%2f..%2fbob/todos", "/v1/users/alice%2F%2E%2E%2Fbob/todos",
            "/v1/users/alice%5c..%5cbob/todos",
            "/v1/users/bob%00alice/todos", "/v1/users/alice%00/todos", "/v1/users/alice/todos/%00",
            "/v1/users/%c0%ae%c0%ae/bob/todos", "/v1/users/alice%c0%afbob/todos", "/v1/users/%ff/todos",
            "/v1/users/alice/todos/%ed%a0%80", "/v1/users/%2562ob/todos", "/v1/users/alice%252f..%252fbob/todos",
            "/v1/users//bob/todos", "//v1/users/bob/todos", "/v1//users/bob/todos", "/v1/users/bob/todos/",
            "/v1/users/bob/todos//t1", "/./v1/users/bob/todos", "/v1/users/bob/./todos", "/v1/users/bob/todos/%2e",
            "/v1/users/alice/todos/..%2f..%2fbob%2ftodos%2ft1", "/v1/users/alice;bob/todos", "/v1/users/{bob}/todos",
            "/v1/users/bob}:x{/todos", "/v1/users/b%6fb/todos", "/v1/users/BOB/todos", "/v1/users/bob%20/todos",
            "/v1/users/bob%0d%0aX-Evil:1/todos", "/v1/users/alice/todos/t1%3fuid=bob", "/V1/users/bob/todos",
            "/v1/users/bob/changes", "/v1/users/alice/changes/../../bob/changes", "/v1/users/bob/todos?uid=alice",
            "/v1/users/bob/todos/t1", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/../../etc/passwd",
            "/v1/users/" + String(repeating: "a", count: 5000) + "/todos", "/" + String(repeating: "/", count: 4000),
            "/" + String(repeating: "a/", count: 3000),
        ]

        @Test(
            "shows nobody else's todos on any of them",
            arguments: ["GET", "HEAD", "DELETE", "PUT"],
            Backing.allCases
        )
        func paths(_ method: String, _ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                try await gateway.add("bob", GatewayProcess.unutterable, id: "t1")
                try await gateway.write("PATCH /v1/users/bob/profile", as: "bob", #"{"audience":"private"}"#)
                let latest = try await gateway.latest(of: "bob")
                let alice = try GatewayProcess.bearer("alice")
                let body = method == "PUT" ? "{\"content\":\"evil\",\"date\":\"2026-11-20\"}" : nil
                for path in Self.paths {
                    let answer = try await gateway.ask("\(method) \(path)", alice, body: body)
                    let status = try #require(answer.status)
                    // Another spelling may be another user, of whom there is nothing to see.
                    let isNobody = status == 200 && answer.fields("ETag") == ["\"0-0-public\""]
                    #expect(
                        isNobody || [400, 403, 404, 405, 422].contains(status),
                        "\(status) for \(method) \(path.prefix(80))"
                    )
                    #expect(!answer.text.contains(GatewayProcess.unutterable), "\(method) \(path.prefix(80))")
                    #expect(!answer.text.contains("\nX-Evil:"), "no field is injected")
                }
                let todos = try await gateway.ask("GET /v1/users/bob/todos", as: "bob").body
                #expect(
                    todos.contains(GatewayProcess.unutterable) && !todos.contains("evil"),
                    "bob's todo is as it was"
                )
                #expect(try await gateway.latest(of: "bob") == latest)
                if let keys = try await gateway.redis?.dataKeys() {
                    #expect(keys.allSatisfy { $0.hasPrefix("todomate:{bob}:") }, "no other key was made")
                }
            }
        }
    }
}
