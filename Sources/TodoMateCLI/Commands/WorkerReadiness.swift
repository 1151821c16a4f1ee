import EventLoop
import RedisClient
import TodoMateRedis

/// Whether a worker can serve at this moment, for `/readyz`.
@LoopActor
final class WorkerReadiness {
    private let repository: RedisTodoRepository
    private let connection: ConnectionLog
    private let writes: WriteWatch
    private var cluster = ClusterReadiness()
    private static let patience = Duration.seconds(1)

    init(_ repository: RedisTodoRepository, _ connection: ConnectionLog, _ writes: WriteWatch) {
        (self.repository, self.connection, self.writes) = (repository, connection, writes)
    }

    /// What could not be served when it was last asked, although the worker is ready.
    var limitation: String? { cluster.limitation }

    /// Why it cannot serve; nil when it can.
    func objection() async -> String? {
        if let objection = await reachObjection() { return objection }
        // One that is full serves all the same.
        return writes.refusal.flatMap { $0.isOfReplica ? $0.reason : nil }
    }

    private func reachObjection() async -> String? {
        do throws(RedisError) {
            guard let condition = try await repository.clusterCondition(within: Self.patience) else {
                if let objection = connection.objection { return objection }
                return await ReadinessProbe.objection(to: repository)
            }
            guard connection.isPrepared else { return ConnectionLog.isUnprepared }
            let loading = condition.withoutFunctions.isEmpty ? nil : await ReadinessProbe.objection(to: repository)
            return cluster.objection(condition, loading: loading, trouble: connection.subscriberTrouble)
        } catch {
            return "\(error)"
        }
    }
}
