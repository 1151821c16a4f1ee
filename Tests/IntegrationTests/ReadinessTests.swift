import EventLoop
import TestServers
import Testing

extension AttackTests {
    /// On one Redis: a worker of a cluster of which a part is gone is ready all the same, as ``ClusterWorkerTests`` expects.
    @Suite("A worker whose Redis goes away")
    @LoopActor
    struct ReadinessTests {
        @Test("says that it is not ready while Redis hangs, and brings back functions that were flushed")
        func hanging() async throws {
            try await withRedis("--enable-debug-command", "yes") { server in
                let gateway = try await GatewayProcess(on: server, port: freePort())
                let stream = try BoardReader(gateway.port, "/v1/changes?users=alice", as: "alice")
                try await stream.expect("snapshot alice own: ")
                let sleep = Task { try await server.cli("DEBUG", "SLEEP", "4") }
                try await eventually("it is not ready") {
                    let answer = try await gateway.ask("GET /readyz")
                    return answer.status == 503 && answer.body.contains("did not answer")
                }
                // At once: its usual heartbeat comes every 15 s. Whoever comes in between is told as well.
                try await eventually("a stream says so") { stream.values(after: "data: ").contains(#"{"live":false}"#) }
                _ = try await sleep.value
                try await eventually("and that it is over") { stream.values(after: "data: ").last == "{}" }
                stream.close()
                // This Redis keeps nothing, not even who alice is.
                try await server.flush(but: "alice")
                try await eventually("it is ready again") { try await gateway.ask("GET /readyz").status == 200 }
                try await server.cli("FUNCTION", "FLUSH")
                try await eventually("the functions are there") {
                    let answer = try await gateway.ask("GET /readyz")
                    let functions = try await server.cli("FUNCTION", "LIST")
                    return answer.status == 200 && functions.contains("todomate")
                }
                try await gateway.finish()
            }
        }

        @Test("says that it is not ready while its Redis is a replica, and what to do about it")
        func demoted() async throws {
            try await withGateway { server, gateway in
                try await gateway.add("alice", "x", id: "t1")
                try await server.cli("REPLICAOF", "127.0.0.1", "1")
                try await eventually("it is not ready") { try await gateway.ask("GET /readyz").status == 503 }
                let answer = try await gateway.ask("GET /readyz")
                #expect(answer.body.contains("is a read-only replica: name the primary with --redis, or make"))
                #expect(answer.body.contains("REPLICAOF NO ONE"))
                #expect(try await gateway.ask("GET /metrics").body.contains("todomate_writes_refused 1"))
                try await server.cli("REPLICAOF", "NO", "ONE")
                try await eventually("it is ready again") { try await gateway.ask("GET /readyz").body == "ready\n" }
            }
        }

        @Test("says that it is not ready and why, lives on, and is ready when Redis is back")
        func ready() async throws {
            try await withGateway { server, gateway in
                let alice = try GatewayProcess.bearer("alice")
                let before = try await gateway.ask("GET /readyz")
                #expect(before.status == 200)
                await server.crash()
                try await eventually("it is not ready") { try await gateway.ask("GET /readyz").status == 503 }
                let answer = try await gateway.ask("GET /readyz")
                #expect(answer.body.contains("Redis"), "it says why")
                let health = try await gateway.ask("GET /healthz")
                #expect(health.status == 200, "it lives")
                let todos = try await gateway.ask("GET /v1/users/alice/todos", alice)
                #expect(todos.status == 503 && todos.isProblem && todos.fields("Retry-After") == ["1"])
                try await server.start()
                // This Redis keeps nothing, not even who alice is.
                try await server.flush(but: "alice")
                try await eventually("it is ready again") { try await gateway.ask("GET /readyz").status == 200 }
                try await eventually("it serves") {
                    try await gateway.ask("GET /v1/users/alice/todos", alice).status == 200
                }
            }
        }
    }
}
