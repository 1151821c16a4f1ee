package import RedisClient
package import TodoMate

// How well Redis does.
extension RedisTodoRepository {
    /// Why Redis refuses writes, for instance because it is full; nil when it accepts them, or cannot be reached. In a cluster it
    /// names the first node that refuses them.
    package func writeRefusal() async -> WriteRefusal? {
        guard let (node, error) = await functions.writeRefusal() else { return nil }
        guard error.code != "READONLY" else { return .replica(node, isInCluster: client.isCluster) }
        let reason = TodoError(.server(error)).description
        return WriteRefusal(reason: client.isCluster ? "\(node): \(reason)" : reason, isOfReplica: false)
    }

    /// How much of the cluster serves; nil where it is one Redis.
    ///
    /// - Parameter patience: how long a node has to answer.
    package func clusterCondition(within patience: Duration) async throws(RedisError) -> ClusterCondition? {
        client.isCluster ? try await ClusterCondition.of(client, within: patience) : nil
    }

    /// How well this process keeps up with the cluster; nil where it is one Redis.
    package var clusterFigures: ClusterFigures? {
        guard let directory = client.directory, let state = subscriber.clusterState else { return nil }
        return ClusterFigures(
            slotsMoved: directory.slotsMoved,
            refreshes: directory.refreshes,
            unsettled: state.unsettled,
            resubscriptions: state.resubscriptions,
            secondsOutOfSync: state.secondsOutOfSync,
            silentConnections: state.silentConnections,
            probesAreRefused: state.probesAreRefused
        )
    }
}
