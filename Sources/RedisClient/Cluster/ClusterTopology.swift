/// Which node of a cluster serves which slot, as one node said at one moment.
package struct ClusterTopology: Equatable, Sendable {
    /// The primaries that serve slots.
    package private(set) var primaries: [RedisEndpoint] = []
    /// The replicas of each primary.
    package private(set) var replicas: [RedisEndpoint: [RedisEndpoint]] = [:]
    /// The [configuration epoch](https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#configuration-epoch)
    /// that the node had seen: a higher one knows of later failovers.
    package private(set) var epoch = 0
    /// Whether that node reached enough of the others to serve all slots.
    package private(set) var isWhole = false
    /// The number of the primary of each slot; nil where nobody serves it.
    private var owners: [Int?] = Array(repeating: nil, count: HashSlot.count)

    /// A cluster of which nothing is known.
    package init() {}

    /// Reads the answers to [CLUSTER INFO](https://redis.io/docs/latest/commands/cluster-info/) and
    /// [CLUSTER SLOTS](https://redis.io/docs/latest/commands/cluster-slots/).
    ///
    /// - Parameters:
    ///   - facts: lines of a name, a colon and a value.
    ///   - reply: ranges of slots and their nodes, the primary first.
    ///   - asked: how the node was reached, which stands in where it does not know its own name.
    package init?(info facts: String, slots reply: RedisValue, asked: RedisEndpoint) {
        for line in facts.split(whereSeparator: \.isNewline) {
            if line == "cluster_state:ok" { isWhole = true }
            if line.hasPrefix("cluster_current_epoch:") { epoch = Int(line.split(separator: ":")[1]) ?? 0 }
        }
        guard let ranges = reply.array else { return nil }
        for range in ranges {
            guard let words = range.array, words.count >= 3, let first = words[0].integer, let last = words[1].integer,
                first >= 0, first <= last, last < HashSlot.count,
                let nodes = Self.endpoints(words.dropFirst(2), asked), let primary = nodes.first
            else { return nil }
            let number = self.number(of: primary)
            replicas[primary] = Array(nodes.dropFirst())
            for slot in first...last { owners[slot] = number }
        }
    }

    private static func endpoints(_ nodes: ArraySlice<RedisValue>, _ asked: RedisEndpoint) -> [RedisEndpoint]? {
        var endpoints: [RedisEndpoint] = []
        for node in nodes {
            guard let words = node.array, words.count >= 2, let port = words[1].integer, (1...65535).contains(port)
            else { return nil }
            let host = words[0].string ?? ""
            // Where the host is missing or unknown, it is that of the node that was asked.
            endpoints.append(RedisEndpoint(host: ["", "?"].contains(host) ? asked.host : host, port: port))
        }
        return endpoints
    }

    private mutating func number(of primary: RedisEndpoint) -> Int {
        if let known = primaries.firstIndex(of: primary) { return known }
        primaries.append(primary)
        return primaries.count - 1
    }

    /// Who serves a slot, if anybody.
    package func owner(of slot: Int) -> RedisEndpoint? { owners[slot].map { primaries[$0] } }

    /// Notes what a node said of one slot, until all are asked for again.
    mutating func move(_ slot: Int, to endpoint: RedisEndpoint) { owners[slot] = number(of: endpoint) }

    /// The slots that a node serves.
    package func slots(of endpoint: RedisEndpoint) -> [Int] {
        guard let number = primaries.firstIndex(of: endpoint) else { return [] }
        return owners.indices.filter { owners[$0] == number }
    }

    /// The slots that nobody serves.
    package var uncovered: [Int] { owners.indices.filter { owners[$0] == nil } }

    /// The slots that another node serves than before, or nobody.
    package func slotsMoved(since before: ClusterTopology) -> [Int] {
        let isSameOrder = primaries == before.primaries
        return owners.indices.filter {
            isSameOrder ? owners[$0] != before.owners[$0] : owner(of: $0) != before.owner(of: $0)
        }
    }
}
