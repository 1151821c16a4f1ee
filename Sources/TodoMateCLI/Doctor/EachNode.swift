import EventLoop
import RedisClient

/// Checks each server that holds todos: the one Redis, or all primaries of a cluster.
@LoopActor
enum EachNode {
    /// What a check finds on all of them. A node of a cluster that does not answer is a finding, and does not end the check.
    static func findings(
        _ context: DoctorCheck.Context,
        _ check: @LoopActor (RedisNode) async throws -> [Finding]
    ) async throws -> [Finding] {
        let nodes = try await context.client.primaries()
        guard context.client.isCluster else { return try await check(nodes[0]) }
        await context.silence.look(at: nodes)
        var parts: [NodeFindings] = []
        for node in nodes where context.silence.finding(of: node) == nil {
            do {
                parts.append(NodeFindings(node: "\(node.url)", findings: try await check(node)))
            } catch let error as RedisError {
                context.silence.note(node, error)
            }
        }
        return nodes.compactMap(context.silence.finding) + NodeFindings.together(parts)
    }
}
