import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// A gateway in this process, over stores in memory: nothing of it speaks to Redis.
@LoopActor
final class MemoryGateway: HTTPGateway {
    let port: Int
    var redis: (any TestRedis)? { nil }
    private let gateway: Gateway
    private let repository: InMemoryTodoRepository
    var stores: Stores { repository.stores }
    var mailQueue: MailQueue? { gateway.mailing?.queue }

    init(over repository: InMemoryTodoRepository, allowing origins: [String] = [], door: Door = Door()) throws {
        var configuration = GatewayConfiguration()
        configuration.port = 0
        configuration.allowedOrigins = Set(origins)
        configuration.signer = TokenSigner(secret: GatewayProcess.secret)
        configuration.writesPerSecond = nil
        (configuration.registration, configuration.inviters) = (door.registration, door.inviters)
        (configuration.providers, configuration.publicURL) = (door.providers, door.publicURL)
        if let path = door.mail {
            let json = try Data(contentsOf: URL(fileURLWithPath: path))
            configuration.mail = try MailSettings(from: Array(json)) {
                $0
            } place: {
                $0
            }
            configuration.mailBackoff = Backoff(base: .milliseconds(100), cap: .milliseconds(400))
        }
        let log = Logger(write: { _ in })
        let metrics = Metrics(log)
        gateway = Gateway(
            configuration,
            stores: repository.stores,
            container: DIContainer(repository: repository, monitor: metrics),
            metrics: metrics,
            log: log,
            readiness: { nil }
        )
        self.repository = repository
        port = try gateway.listen()
    }

    func finish() async throws {
        #expect(try await ask("GET /healthz").status == 200, "the gateway still answers")
        await gateway.drain(grace: .seconds(5))
    }
}

/// Who may come in.
struct Door: Sendable {
    var registration = Registration.invited
    var inviters = Inviters.nobody
    /// For gateways of this process alone.
    var providers: [IdentityProvider] = []
    var publicURL: String?
    /// The file that describes a mail server; it needs ``publicURL``.
    var mail: String?
    /// Workers believe `X-Forwarded-For`; gateways of this process do not.
    var isBehindProxy = false

    /// Anyone may invite.
    static let inviting = Door(inviters: .everyone)

    /// What says so to a worker.
    var options: [String] {
        let mails = mail.map { ["--mail-file", $0] } ?? []
        let url = publicURL.map { ["--public-url", $0] } ?? []
        let proxy = isBehindProxy ? ["--trusted-proxies", "127.0.0.0/8"] : []
        return ["--registration", registration.rawValue, "--invitations", inviters.rawValue] + mails + url + proxy
    }
}

/// Where a gateway under test keeps what it stores.
enum Backing: CaseIterable {
    case redis, cluster, memory

    /// Each of these in memory, and on one of the kinds of Redis in turn: for long tables whose rows lead to the same stores.
    static func dealt<Row>(_ rows: [Row]) -> [(Row, Backing)] {
        rows.map { ($0, .memory) } + RedisKind.inTurn(rows).map { ($0, $1 == .one ? .redis : .cluster) }
    }
}

/// Runs `body` with gateways that share what is stored: worker processes on one Redis or a cluster, or gateways in this process.
///
/// - Parameters:
///   - count: how many gateways.
///   - backing: what they keep things in.
///   - origins: whose pages the first one allows to call.
///   - door: who may come in; nil for what is usual.
@LoopActor
func withGateways(
    _ count: Int = 1,
    on backing: Backing,
    allowing origins: [String] = [],
    door: Door? = nil,
    body: @LoopActor ([any HTTPGateway]) async throws -> Void
) async throws {
    switch backing {
    case .redis, .cluster:
        let rights = door?.options ?? []
        let options = (origins.isEmpty ? [] : ["--allow-origin", origins.joined(separator: ",")]) + rights
        try await withRedis(on: backing == .redis ? .one : .cluster) { server in
            try await withGateway(on: server, options) { first in
                var gateways = [first]
                for _ in 1..<count { gateways.append(try await GatewayProcess(on: server, port: freePort(), rights)) }
                try await body(gateways)
                for gateway in gateways.dropFirst() { try await gateway.finish() }
            }
        }
    case .memory:
        let repository = InMemoryTodoRepository()
        let generations = try await TestSession.beginAll(in: repository.stores.sessions)
        try await TestSession.$generations.withValue(generations) {
            var gateways = [try MemoryGateway(over: repository, allowing: origins, door: door ?? Door())]
            for _ in 1..<count {
                let other = InMemoryTodoRepository(sharing: repository)
                gateways.append(try MemoryGateway(over: other, door: door ?? Door()))
            }
            try await body(gateways)
            for gateway in gateways { try await gateway.finish() }
        }
    }
}
