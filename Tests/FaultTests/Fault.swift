import EventLoop
import Foundation
import TestServers

/// What can go wrong with a deployment; each happens, lasts, and heals.
enum Fault: String, CaseIterable {
    case workerKilled, workerStopped, workerTerminated
    case redisKilled, redisSleeping, redisPaused, redisBusy, redisLoading
    case pubsubConnectionsKilled, commandConnectionsKilled, allConnectionsKilled, outputBufferTooSmall
    case functionsFlushed, memoryFull, readOnlyReplica, passwordChanged
    case logTrimmed, logDeleted, logDeletedWhileAway, logEmptied
    case everythingFlushed, userForgotten, tailLost, clockSetBack, nameUnresolvable
    case connectionDelayed, connectionTrickling, connectionCutInTheMiddle, connectionBlackholed
    case readersDropped
    // Of a cluster.
    case slotMoved, slotMoveHeldUp, slotMovedWhileCut
    case primaryKilled, primaryDemoted, primaryTakenOver, primaryStopped, primaryParted, shardParted
    case primaryEmptied, replicaEmptied, replicaOutdated, nodeAddedAndRemoved

    /// Those that can happen to one Redis, or to a cluster.
    static func all(on kind: RedisKind) -> [Fault] {
        switch kind {
        case .one: allCases.filter { !ofCluster.contains($0) }
        case .cluster: allCases.filter { !ofOne.contains($0) }
        }
    }

    /// Only a cluster has slots and replicas.
    static let ofCluster: Set<Fault> = [
        .slotMoved, .slotMoveHeldUp, .slotMovedWhileCut, .primaryKilled, .primaryDemoted,
        .primaryTakenOver, .primaryStopped, .primaryParted, .shardParted, .primaryEmptied, .replicaEmptied,
        .replicaOutdated, .nodeAddedAndRemoved,
    ]
    /// Whether the nodes of a cluster tell afterwards that it has happened.
    var marksNodes: Bool { Self.ofCluster.contains(self) || [.redisKilled, .redisLoading, .tailLost].contains(self) }

    /// A node of a cluster refuses REPLICAOF, and who becomes a replica there is another's by CLUSTER; another password of one node
    /// would part it from the others as well, which `primaryParted` does; and the URL names nodes by their addresses.
    private static let ofOne: Set<Fault> = [.readOnlyReplica, .passwordChanged, .nameUnresolvable]

    /// Leaves users with todos and without the log of them: what comes next meets a history that nobody can name.
    static let leavesNoLog: Set<Fault> = [.logDeleted, .logEmptied]
    /// Takes more away, from those in particular whose log is gone.
    static let followsAtOnce: Set<Fault> = [
        .everythingFlushed, .primaryEmptied, .userForgotten, .tailLost, .readersDropped,
    ]

    /// Makes it happen, waits, and repairs it.
    @LoopActor
    func happen(to deployment: Deployment, _ clients: [StreamClient], _ random: inout SeededRandom) async throws {
        if let cluster = deployment.cluster {
            guard try await !happen(to: cluster, of: deployment, &random) else { return }
        }
        let worker = Int.random(in: 0..<Deployment.workerCount, using: &random)
        let time = Duration.milliseconds(Int.random(in: 200...1500, using: &random))
        let proxy = deployment.proxies.randomElement(using: &random) ?? deployment.proxies[worker]
        switch self {
        case .workerKilled: try await deployment.replace(worker: worker, with: SIGKILL)
        case .workerTerminated: try await deployment.replace(worker: worker, with: SIGTERM)
        case .workerStopped:
            await deployment.signal(SIGSTOP, worker: worker)
            await LoopTimer.sleep(for: time)
            await deployment.resume(worker)
        case .redisKilled:
            await deployment.redis.crash()
            await LoopTimer.sleep(for: time / 2)
            try await deployment.restartRedis()
        case .redisSleeping: await deployment.control("DEBUG", "SLEEP", "\(Double(time / .milliseconds(1)) / 1000)")
        case .redisPaused:
            await deployment.control("CLIENT", "PAUSE", String(Int(time / .milliseconds(1))))
            await LoopTimer.sleep(for: time)
        case .redisBusy: try await beBusy(deployment, time)
        case .redisLoading: try await loadSlowly(deployment)
        case .pubsubConnectionsKilled: await deployment.control("CLIENT", "KILL", "TYPE", "pubsub")
        case .commandConnectionsKilled: await deployment.control("CLIENT", "KILL", "TYPE", "normal")
        case .allConnectionsKilled:
            await deployment.control("CLIENT", "KILL", "TYPE", "pubsub")
            await deployment.control("CLIENT", "KILL", "TYPE", "normal")
        case .outputBufferTooSmall: try await shrinkOutputBuffers(deployment)
        case .functionsFlushed: await deployment.control("FUNCTION", "FLUSH")
        case .logTrimmed: await trimLogs(deployment, clients)
        case .memoryFull:
            await deployment.control("CONFIG", "SET", "maxmemory", "1mb", "maxmemory-policy", "noeviction")
            await LoopTimer.sleep(for: time)
            await deployment.control("CONFIG", "SET", "maxmemory", "0")
        case .readOnlyReplica: try await beReadOnly(deployment, time)
        case .passwordChanged: try await changePassword(deployment, time)
        case .logDeleted: try await deleteLogs(deployment, &random)
        case .logDeletedWhileAway: await deleteLogsUnseen(deployment, clients)
        case .logEmptied:
            for key in try await someLogs(deployment, &random) { await deployment.control("XTRIM", key, "MAXLEN", "0") }
        case .userForgotten: await forgetUser(deployment, &random)
        case .everythingFlushed: await deployment.loseData { await deployment.control("FLUSHALL") }
        case .tailLost: try await loseTail(deployment, &random)
        case .clockSetBack:
            try await setClockBack(deployment, by: Int.random(in: 2...3600, using: &random), after: time)
        case .nameUnresolvable: try await loseName(deployment, worker, for: time)
        case .connectionDelayed: await pass(proxy, .delay(.milliseconds(120)), for: time)
        case .connectionTrickling: await pass(proxy, .trickle, for: time)
        case .connectionBlackholed: try await swallow(proxy)
        case .connectionCutInTheMiddle: try await cut(proxy)
        case .readersDropped:
            for client in clients where Bool.random(using: &random) { client.drop() }
        case _ where Self.ofCluster.contains(self): break  // It has happened.
        default: preconditionFailure("\(self) is not described")
        }
    }
}
