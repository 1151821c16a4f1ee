import EventLoop
import Foundation
import TestServers
import Testing
import TodoMateGateway
import TodoMateRedis

/// One Redis that is full: of a cluster it is a node, which `ClusterWorkerTests` names.
@Suite("A Redis whose memory is full")
@LoopActor
struct FullRedisTests {
    private static let password = "right-\(GatewayProcess.unutterable)"
    private static let todos = "/v1/users/alice/todos"

    /// Runs `body` with a worker and an owner's token, once Redis is full.
    private func withFullRedis(
        before prepare: @LoopActor (RedisServer, GatewayProcess, String) async throws -> Void = { _, _, _ in },
        _ body: @LoopActor (RedisServer, GatewayProcess, String) async throws -> Void
    ) async throws {
        try await withGateway { server, gateway in
            let alice = try GatewayProcess.bearer("alice")
            try await prepare(server, gateway, alice)
            // Less than an empty server takes.
            try await server.cli("CONFIG", "SET", "maxmemory", "100kb", "maxmemory-policy", "noeviction")
            try await body(server, gateway, alice)
        }
    }

    /// What a request may say besides: the device that it comes from, an operation id.
    enum Extra: CaseIterable {
        case nothing, device, operation, both

        /// The fields of one request.
        var fields: [String] {
            let device = ["User-Agent: curl/8.0"]
            let operation = ["Idempotency-Key: \"\(UUID().uuidString)\""]
            return switch self {
            case .nothing: []
            case .device: device
            case .operation: operation
            case .both: device + operation
            }
        }
    }

    @Test("refuses what grows, with advice, and does what frees or hides", arguments: Extra.allCases)
    func writes(_ extra: Extra) async throws {
        try await withFullRedis(before: { server, gateway, alice in
            for id in ["a", "b"] { try await server.add("alice", "milk", id: id) }
            let open = try await gateway.ask("PATCH \(Self.todos)/a", alice, body: "{\"visibility\":\"public\"}")
            #expect(open.status == 200)
            try await server.call("todomate_settings", "alice", "{\"audience\":\"public\"}")
            let bob = try GatewayProcess.bearer("bob")
            _ = try GatewayProcess.bearer("dave")
            for other in ["carol", "dave"] {
                try await server.call("todomate_follow", other, "alice")
                let pair = try await server.call("todomate_pair", other, "alice")
                try await server.call("todomate_meet", "alice", other, pair)
            }
            let reaction = try await gateway.ask(
                "PUT \(Self.todos)/a/reactions/bob",
                bob,
                body: "{\"emoji\":\"👍\"}"
            )
            #expect(reaction.status == 200)
            let follows = try await gateway.ask("PUT /v1/users/bob/following/alice", bob)
            #expect(follows.status == 200)
        }) { server, gateway, alice in
            let bob = try GatewayProcess.bearer("bob")
            let grows: [(String, String, String?)] = [
                ("POST \(Self.todos)", alice, "{\"content\":\"bread\",\"date\":\"2026-11-20\"}"),
                ("PATCH \(Self.todos)/a", alice, "{\"content\":\"more milk\"}"),
                ("PATCH \(Self.todos)/b", alice, "{\"visibility\":\"public\"}"),
                ("PATCH \(Self.todos)/a", alice, "{\"visibility\":\"private\",\"detail\":\"long\"}"),
                ("PUT \(Self.todos)/b/reactions/alice", alice, "{\"emoji\":\"👍\"}"),
                ("PUT /v1/users/alice/following/bob", alice, nil),
                ("PATCH /v1/users/bob/profile", bob, "{\"audience\":\"public\"}"),
            ]
            for (line, fields, body) in grows {
                let answer = try await gateway.ask(line, [fields] + extra.fields, body: body)
                #expect(answer.status == 503 && answer.isProblem, "\(line): \(answer.text)")
                #expect(answer.body.contains("out of memory") && answer.body.contains("removing and hiding"), "\(line)")
            }
            let read = try await gateway.ask("GET \(Self.todos)", alice)
            #expect(read.status == 200)
            let shrinks: [(String, String, String?)] = [
                ("DELETE \(Self.todos)/a/reactions/bob", bob, nil),
                ("PATCH \(Self.todos)/a", alice, "{\"visibility\":\"private\"}"),
                ("PATCH /v1/users/alice/profile", alice, "{\"audience\":\"private\"}"),
                ("PUT /v1/users/alice/blocked/bob", alice, nil),
                ("DELETE /v1/users/alice/followers/carol", alice, nil),
                ("DELETE \(Self.todos)/a", alice, nil),
            ]
            for (line, fields, body) in shrinks {
                let answer = try await gateway.ask(line, [fields] + extra.fields, body: body)
                #expect([200, 204].contains(answer.status), "\(line): \(answer.text)")
            }
            let unfollowed = try await gateway.ask(
                "DELETE /v1/users/dave/following/alice",
                try GatewayProcess.bearer("dave")
            )
            #expect([200, 204].contains(unfollowed.status))
            let hidden = try await gateway.ask("GET \(Self.todos)?viewer=bob", bob)
            #expect(hidden.status == 403)
            // What was logged is what was done: nothing is left half-way.
            try await server.cli("CONFIG", "SET", "maxmemory", "0")
            let doctor = try await server.todomate("doctor")
            #expect(doctor.output.contains("todos, index and log agree"), "\(doctor.output)")
        }
    }

    @Test("lets people sign in")
    func signIn() async throws {
        try await withFullRedis(before: { server, _, _ in
            let hash = try #require(await PasswordHasher().hash(Self.password))
            _ = try await server.call("todomate_set_password", "alice", hash)
        }) { _, gateway, _ in
            for (password, status) in [("wrong", 401), (Self.password, 201)] {
                let body = "{\"user\":\"alice\",\"password\":\"\(password)\"}"
                let answer = try await gateway.ask("POST /v1/session", body: body)
                #expect(answer.status == status)
            }
        }
    }

    @Test("is told by readiness, metrics, log and doctor, and so is its end")
    func told() async throws {
        try await withFullRedis { server, gateway, _ in
            try await eventually("it is told") {
                let answer = try await gateway.ask("GET /readyz")
                // Reads are served: no worker is to be taken out for what all of them have.
                #expect(answer.status == 200)
                return answer.body.contains("writes are refused") && answer.body.contains("out of memory")
            }
            let metrics = try await gateway.ask("GET /metrics")
            #expect(metrics.body.contains("\ntodomate_writes_refused 1\n"))
            #expect(gateway.program.errors.contains("message=\"Redis refuses writes"))
            let doctor = try await server.todomate("doctor")
            #expect(doctor.ending != .exit(0))
            #expect(doctor.output.contains("writes are refused"), "\(doctor.output)")
            try await server.cli("CONFIG", "SET", "maxmemory", "0")
            try await eventually("it is over") { try await gateway.ask("GET /readyz").body == "ready\n" }
            let later = try await gateway.ask("GET /metrics")
            #expect(later.body.contains("\ntodomate_writes_refused 0\n"))
        }
    }
}
