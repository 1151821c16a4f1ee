import CommandArguments
import EventLoop
import RedisClient
import TodoMateRedis

/// The start of what `todomate up` keeps todos in.
@LoopActor
struct StoreStart {
    private let store: PrivateStore
    private let servers: [Supervisor]
    private let stop: StopSignal
    /// A server that ends as often before it runs steadily does not start at all.
    private static let mostFailures = 3

    init(_ store: PrivateStore, _ servers: [Supervisor], _ stop: StopSignal) {
        (self.store, self.servers, self.stop) = (store, servers, stop)
    }

    /// Returns when Redis answers, in a cluster for all slots, and has the function library; or when it is stopped first.
    ///
    /// - Throws: `CommandError` with the last words of the redis-server that does not start.
    func waitUntilReady() async throws {
        let formation = store.isCluster ? ClusterFormation(store) : nil
        var repository: RedisTodoRepository?
        let preparation = Task {
            try await formation?.run()
            let opened = RedisTodoRepository(store.redisURL, timeout: .seconds(1))
            repository = opened
            try await opened.prepare()
        }
        defer { repository?.close() }
        let watch = LoopTimer(every: .milliseconds(50)) {
            // Closing these ends the wait.
            guard stop.isStopped || failed != nil else { return }
            formation?.close()
            repository?.close()
        }
        defer { watch.cancel() }
        do {
            try await preparation.value
        } catch {
            if !stop.isStopped { throw explained(error) }
        }
    }

    private var failed: Int? { servers.firstIndex { $0.failures >= Self.mostFailures } }

    private func explained(_ error: any Error) -> CommandError {
        guard let number = failed ?? (store.isCluster ? nil : 0) else {
            return CommandError("the cluster does not start: \(error)", exitCode: .unavailable)
        }
        let server = store.servers[number]
        let name = store.isCluster ? "the redis-server of \(server.folder)" : "redis-server"
        return CommandError(
            "\(name) does not start; its last words:\n\(server.lastWords)",
            exitCode: .unavailable
        )
    }
}
