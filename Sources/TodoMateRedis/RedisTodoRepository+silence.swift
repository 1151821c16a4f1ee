import EventLoop
import RedisClient
package import TodoMate

extension RedisTodoRepository {
    /// Which nodes do not answer this process at the moment, and of whom no messages reach it; nil when all do.
    ///
    /// It costs each node a `PING`, and finds one that hangs before its connection counts as dead.
    ///
    /// - Parameter patience: how long a node has to answer.
    package func silence(within patience: Duration) async -> Silence? {
        guard client.isCluster || subscriber.isConnected else { return Silence(of: ["the connection for messages"]) }
        let nodes: [RedisNode]
        do throws(RedisError) {
            nodes = try await client.primaries()
        } catch {
            return Silence(of: [error.reason])
        }
        let deadline = ContinuousClock.now + patience
        let answers = nodes.map { node in Task { @LoopActor in await node.isSilent(by: deadline) } }
        var silent: Set<String> = []
        for (node, answer) in zip(nodes, answers) where await answer.value { silent.insert(node.url.description) }
        let missing = subscriber.missing
        guard !silent.isEmpty || !missing.isEmpty else { return nil }
        guard client.isCluster else { return Silence(of: silent) }
        return Silence(of: silent.union(missing)) { [client] uid in
            guard !missing.contains(TodoKeys.channel(of: uid)) else { return true }
            // What a slot without a node holds by now is not known to anybody.
            return client.knownNode(of: TodoKeys.user(uid)).map { silent.contains($0.url.description) } ?? true
        }
    }
}

extension RedisNode {
    fileprivate func isSilent(by deadline: ContinuousClock.Instant) async -> Bool {
        switch await answer(to: RedisCommand("PING"), by: deadline) {
        case .success: false
        // One that cannot save, or does not let this user ask, answers all the same.
        case .failure(.server(let error)): ["LOADING", "BUSY", "MASTERDOWN"].contains(error.code)
        case .failure: true
        }
    }
}
