/// What one primary of a cluster says of the cluster and of itself.
struct ClusterView: Sendable {
    /// How it was reached: host and port.
    let node: String
    /// The lines of [CLUSTER INFO](https://redis.io/docs/latest/commands/cluster-info/).
    let state: [String: String]
    /// All nodes that it knows.
    let members: [ClusterMember]
    /// Its own facts and settings.
    let facts: ServerFacts

    /// The settings that are checked.
    static let settings = ["cluster-require-full-coverage"]

    /// - Parameters:
    ///   - info: the text of CLUSTER INFO.
    ///   - nodes: that of CLUSTER NODES.
    init(node: String, info: String, nodes: String, facts: ServerFacts) {
        self.node = node
        state = ServerFacts(info: info, config: [:]).info
        members = nodes.split(whereSeparator: \.isNewline).compactMap { ClusterMember($0) }
        self.facts = facts
    }

    /// Itself.
    var itself: ClusterMember? { members.first(where: \.isSelf) }

    /// How many keys it holds, as INFO says: `db0:keys=12,expires=0,avg_ttl=0`.
    var keys: Int {
        facts.info["db0"]?.firstMatch(of: /keys=(\d+)/).flatMap { Int($0.1) } ?? 0
    }
}
