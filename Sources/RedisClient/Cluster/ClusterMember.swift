/// What a node of a cluster says of another one, or of itself: what its answer about slots leaves out.
struct ClusterMember: Equatable, Sendable {
    /// Its address, a colon and its port.
    var address: String
    /// The [configuration epoch](https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#configuration-epoch)
    /// in which it was given its slots: of two that claim one, that of the higher epoch has it.
    var epoch: Int
    /// Whether most primaries have found it dead.
    var hasFailed: Bool

    /// Reads the lines of [CLUSTER NODES](https://redis.io/docs/latest/commands/cluster-nodes/), by the ids of the nodes.
    static func all(in lines: String) -> [String: ClusterMember] {
        var members: [String: ClusterMember] = [:]
        for line in lines.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            guard words.count >= 8, let epoch = Int(words[6]) else { continue }
            let hasFailed = words[2].split(separator: ",").contains("fail")
            members[String(words[0])] = ClusterMember(
                address: String(words[1].prefix { $0 != "@" }),
                epoch: epoch,
                hasFailed: hasFailed
            )
        }
        return members
    }
}
