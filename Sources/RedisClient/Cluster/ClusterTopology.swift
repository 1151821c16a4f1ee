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
    /// The primaries' ids, by their numbers; empty where nothing but an address is known.
    private var ids: [String] = []
    /// What that node said of all nodes, by their ids.
    private var members: [String: ClusterMember] = [:]
    /// In which configuration epoch a slot must have been given away, at least, that a redirection told of.
    private var movedIn: [Int: Int] = [:]

    /// A cluster of which nothing is known.
    package init() {}

    /// Reads the answers to [CLUSTER INFO](https://redis.io/docs/latest/commands/cluster-info/),
    /// [CLUSTER NODES](https://redis.io/docs/latest/commands/cluster-nodes/) and
    /// [CLUSTER SLOTS](https://redis.io/docs/latest/commands/cluster-slots/).
    ///
    /// - Parameters:
    ///   - facts: lines of a name, a colon and a value.
    ///   - nodes: a line for each node.
    ///   - reply: ranges of slots and their nodes, the primary first.
    ///   - asked: how the node was reached, which stands in where it does not know its own name.
    package init?(info facts: String, nodes: String, slots reply: RedisValue, asked: RedisEndpoint) {
        members = ClusterMember.all(in: nodes)
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
            ids[number] = words[2].array.flatMap { $0.count >= 3 ? $0[2].string : nil } ?? ""
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
        ids.append("")
        return primaries.count - 1
    }

    /// Who serves a slot, if anybody.
    package func owner(of slot: Int) -> RedisEndpoint? { owners[slot].map { primaries[$0] } }

    /// Notes what a node said of one slot, until all are asked for again.
    mutating func move(_ slot: Int, to endpoint: RedisEndpoint) {
        // Slots are given away in a new epoch.
        movedIn[slot] = owners[slot].map { epoch(ofNumber: $0) + 1 }
        owners[slot] = number(of: endpoint)
    }

    private func epoch(ofNumber number: Int) -> Int { members[ids[number]]?.epoch ?? 0 }

    /// In which configuration epoch a slot went to where it is, at least.
    private func epoch(of slot: Int) -> Int { movedIn[slot] ?? owners[slot].map { epoch(ofNumber: $0) } ?? 0 }

    /// This answer, without what was so before `known`: a slot that went to another node in a later configuration epoch stays there.
    ///
    /// A node that slept, or has not heard of a failover yet, names who served a slot before. What that one says does not fit what
    /// the new owner has said since. Only where whoever asked was told that the new owner is dead or none of the cluster, an earlier
    /// epoch counts: an operator gave the slot away by hand, or the cluster is another one.
    func brought(upTo known: ClusterTopology) -> ClusterTopology {
        var result = self
        let isGone = known.primaries.indices.map { hasNoPlace(for: known.primaries[$0], known.ids[$0]) }
        for slot in owners.indices where known.epoch(of: slot) > epoch(of: slot) {
            guard let number = known.owners[slot], !isGone[number], let owner = owner(of: slot),
                owner != known.primaries[number]
            else { continue }
            result.keep(slot, known.primaries[number], known.ids[number], known)
        }
        return result
    }

    /// Whether whoever was asked knows that a node is dead, or does not know it.
    private func hasNoPlace(for endpoint: RedisEndpoint, _ id: String) -> Bool {
        if !id.isEmpty { return members[id]?.hasFailed ?? true }
        return members.values.contains { $0.address == "\(endpoint.host):\(endpoint.port)" && $0.hasFailed }
    }

    private mutating func keep(_ slot: Int, _ owner: RedisEndpoint, _ id: String, _ known: ClusterTopology) {
        let number = number(of: owner)
        if ids[number].isEmpty { ids[number] = id }
        if let replicas = known.replicas[owner], self.replicas[owner] == nil { self.replicas[owner] = replicas }
        owners[slot] = number
        movedIn[slot] = known.epoch(of: slot)
    }

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
