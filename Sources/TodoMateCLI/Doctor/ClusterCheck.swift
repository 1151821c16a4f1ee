import EventLoop
import RedisClient

/// Asks each primary of a cluster how it sees the cluster.
@LoopActor
enum ClusterCheck {
    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        guard context.client.isCluster else { return [] }
        var views: [ClusterView] = []
        let findings = try await EachNode.findings(context) { node in
            var config = RedisCommand("CONFIG", "GET")
            for name in ClusterView.settings { config.append(name) }
            let replies = try await node.pipelined([
                RedisCommand("CLUSTER", "INFO"), RedisCommand("CLUSTER", "NODES"), RedisCommand("INFO"), config,
            ])
            guard let info = replies[0].string, let nodes = replies[1].string else {
                let advice = "allow it: ACL SETUSER <user> +cluster|info +cluster|nodes"
                return [.error("cluster", "this Redis user may not ask for the state of the cluster", advice)]
            }
            let facts = ServerFacts(info: replies[2].string ?? "", config: ServerFacts.settings(in: replies[3]) ?? [:])
            views.append(ClusterView(node: "\(node.url)", info: info, nodes: nodes, facts: facts))
            return []
        }
        return findings + ClusterFindings.findings(views)
    }
}
