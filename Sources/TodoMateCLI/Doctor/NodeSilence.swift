import EventLoop
import RedisClient

/// The nodes of a cluster that did not answer while it was checked: each is waited for once, and all of them together.
@LoopActor
final class NodeSilence {
    private var reasons: [String: String] = [:]
    private var hasAsked = false

    /// Asks all nodes at once, the first time.
    func look(at nodes: [RedisNode]) async {
        guard !hasAsked else { return }
        hasAsked = true
        let answers = nodes.map { node in
            Task { () async -> RedisError? in
                do throws(RedisError) {
                    _ = try await node.send(RedisCommand("PING"))
                    return nil
                } catch {
                    return error
                }
            }
        }
        for (node, answer) in zip(nodes, answers) {
            switch await answer.value {
            // One that refuses this is there.
            case nil, .server?: break
            case let error?: note(node, error)
            }
        }
    }

    /// A node did not answer.
    func note(_ node: RedisNode, _ error: RedisError) { reasons["\(node.url)"] = error.reason }

    /// What there is to say of a node that did not answer; nil for one that did.
    func finding(of node: RedisNode) -> Finding? {
        reasons["\(node.url)"].map { .silentNode("\(node.url)", $0) }
    }
}
