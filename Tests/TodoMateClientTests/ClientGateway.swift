import EventLoop
import Foundation
import TestServers
import TodoMate
import TodoMateClient

@testable import TodoMateGateway

/// A gateway with sign-in in this process, which can go and come back at its port.
@LoopActor
final class ClientGateway {
    private static let secret = "client-tests-sign-with-this-secret-of-some-length"

    let repository: InMemoryTodoRepository
    /// Kept for it while it is away.
    let port: Int
    private var gateway: Gateway?
    private var generations: [String: Int] = [:]
    private let streamsPerUser: Int

    var stores: Stores { repository.stores }
    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

    /// - Parameters:
    ///   - logLength: how many changes each user's log keeps.
    ///   - streamsPerUser: how many streams a user may have open.
    init(logLength: Int = 1000, streamsPerUser: Int = 1000) async throws {
        self.streamsPerUser = streamsPerUser
        port = try freePort()
        repository = InMemoryTodoRepository(logLength: logLength)
        generations = try await TestSession.beginAll(in: repository.stores.sessions)
        try start()
    }

    /// Begins to listen, where it did before.
    func start() throws {
        var configuration = GatewayConfiguration()
        configuration.port = port
        configuration.writesPerSecond = nil
        configuration.streamsPerUser = streamsPerUser
        configuration.signer = TokenSigner(secret: Self.secret)
        let gateway = Gateway(configuration, stores: stores, log: Logger(write: { _ in }))
        _ = try gateway.listen()
        self.gateway = gateway
    }

    /// Sends everybody away and listens no more.
    func stop() async {
        await gateway?.drain(grace: .seconds(5))
        gateway = nil
    }

    /// A token of somebody's.
    func token(_ uid: String, lasting seconds: TimeInterval = 3600) -> String {
        let token = SessionToken(
            uid: uid,
            expiry: Date() + seconds,
            id: TestSession.id(of: uid),
            generation: generations[uid] ?? 1
        )
        return TokenSigner(secret: Self.secret)?.sign(token) ?? ""
    }

    func client(_ uid: String) -> TodoClient {
        TodoClient(server: url, uid: uid, zone: .gmt, credentials: FixedToken(token(uid)))
    }

    /// A client that keeps things in a file.
    func client(_ uid: String, keepingIn path: String) throws -> TodoClient {
        try TodoClient(server: url, uid: uid, zone: .gmt, credentials: FixedToken(token(uid)), keepingIn: path)
    }
}

/// Runs `body` with a gateway, and ends it.
@LoopActor
func withClientGateway(
    logLength: Int = 1000,
    streamsPerUser: Int = 1000,
    _ body: @LoopActor (ClientGateway) async throws -> Void
) async throws {
    let gateway = try await ClientGateway(logLength: logLength, streamsPerUser: streamsPerUser)
    do {
        try await body(gateway)
    } catch {
        await gateway.stop()
        throw error
    }
    await gateway.stop()
}

/// Runs `body` with a folder of its own.
@LoopActor
func withFolder(_ body: @LoopActor (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("client-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
