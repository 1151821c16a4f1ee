import EventLoop
import TestServers
import Testing
import TodoMateGateway

extension GatewayProcess {
    /// What alice and bob sign in with.
    nonisolated static let password = "right-\(unutterable)"
}

/// Runs `body` with two workers on one Redis with accounts of alice and bob, and looks at both afterwards.
@LoopActor
func withTwoWorkers(
    _ options: String...,
    body: @LoopActor (RedisServer, [GatewayProcess]) async throws -> Void
) async throws {
    try await withGateway(options) { server, first in
        let hash = try #require(await PasswordHasher().hash(GatewayProcess.password))
        for uid in ["alice", "bob"] { _ = try await server.call("todomate_enroll", uid, hash) }
        let second = try await GatewayProcess(on: server, port: freePort(), options)
        do {
            try await body(server, [first, second])
        } catch {
            await second.program.stop()
            throw error
        }
        try await second.finish()
    }
}
