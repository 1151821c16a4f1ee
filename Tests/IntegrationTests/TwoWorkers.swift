import EventLoop
import TestServers
import Testing

extension GatewayProcess {
    /// What alice and bob sign in with.
    nonisolated static let password = "right-\(unutterable)"
    /// The hash of that with the least work that libsodium allows, as hundreds of guesses are held against it.
    nonisolated static let passwordHash =
        "$argon2id$v=19$m=8,t=1,p=1$jmvGmF7g2AnNF/f+DtvMDw$xwVhkQDPKamrvX7y/C88a0/2QAA6L3Mzz+Rza6FUxeA"
}

/// Runs `body` with two workers on a Redis of some kind with accounts of alice and bob, and looks at both afterwards.
@LoopActor
func withTwoWorkers(
    on kind: RedisKind,
    _ options: String...,
    body: @LoopActor (any TestRedis, [GatewayProcess]) async throws -> Void
) async throws {
    try await withRedis(on: kind) { server in
        try await withTwoWorkers(on: server, options) { try await body(server, $0) }
    }
}

@LoopActor
private func withTwoWorkers(
    on server: any TestRedis,
    _ options: [String],
    body: @LoopActor ([GatewayProcess]) async throws -> Void
) async throws {
    try await withGateway(on: server, options) { first in
        for uid in ["alice", "bob"] {
            try await server.call("todomate_enroll", uid, GatewayProcess.passwordHash)
        }
        let second = try await GatewayProcess(on: server, port: freePort(), options)
        do {
            for topic in ["joins", "logins"] {
                try await eventually("they hear each other") {
                    try await server.subscribers(of: "todomate:shared:workers:\(topic)") == 2
                }
            }
            try await body([first, second])
        } catch {
            await second.program.stop()
            throw error
        }
        try await second.finish()
    }
}
