/// Findings about a cluster from how its primaries see it: the doctor's knowledge of clusters, without I/O.
struct ClusterFindings {
    private static let topic = "cluster"
    private static let slotCount = 16_384

    private let views: [ClusterView]
    /// Any node, as redis-cli's cluster commands take it.
    private let anyNode: String
    /// The addresses of the nodes by their ids.
    private let addresses: [String: String]

    /// All findings about the cluster that these primaries see, good ones included.
    static func findings(_ views: [ClusterView]) -> [Finding] {
        guard let first = views.first else { return [] }
        let cluster = ClusterFindings(views, anyNode: first.node)
        var findings =
            cluster.failedNodes + cluster.downNodes + [cluster.uncovered, cluster.disagreement].compactMap { $0 }
        if !findings.contains(where: { $0.severity == .error }) {
            let count = cluster.primaries.count
            findings.insert(.ok(topic, "\(count) primar\(count == 1 ? "y serves" : "ies serve") all slots"), at: 0)
        }
        findings += [cluster.moving, cluster.majority, cluster.coverage, cluster.empty, cluster.unconnected].compactMap
        { $0 }
        return findings + ClusterLoad.findings(views)
    }

    private init(_ views: [ClusterView], anyNode: String) {
        (self.views, self.anyNode) = (views, anyNode)
        var addresses: [String: String] = [:]
        for member in views.flatMap(\.members) where addresses[member.id]?.hasPrefix(":") ?? true {
            addresses[member.id] = member.address
        }
        // A node may not know its own address.
        for view in views { if let id = view.itself?.id { addresses[id] = view.node } }
        self.addresses = addresses
    }

    private func name(_ id: String) -> String { addresses[id] ?? id }

    /// Those that serve slots, as far as anybody knows.
    private var primaries: Set<String> {
        Set(views.flatMap(\.members).filter { $0.isPrimary && !$0.slots.isEmpty && !$0.hasFailed }.map(\.id))
    }

    // MARK: Nodes

    private var failedNodes: [Finding] {
        var seen: Set<String> = []
        return views.flatMap(\.members).sorted { $0.address < $1.address }.compactMap { member in
            guard member.hasFailed || member.isSuspected, seen.insert(member.id).inserted else { return nil }
            let name = name(member.id)
            guard views.contains(where: { $0.members.contains { $0.id == member.id && $0.hasFailed } }) else {
                return .warning(
                    "nodes",
                    "\(name) does not answer some of the others",
                    "check it, and the network between"
                )
            }
            guard member.slots.isEmpty else {
                return .error(
                    "nodes",
                    "\(name) has failed, and no replica took its place: \(member.slotCount) slots",
                    "start it again"
                )
            }
            let role = member.primary.map { "a replica of \(self.name($0))" } ?? "without slots"
            return .warning(
                "nodes",
                "\(name), \(role), has failed",
                "start it again, or let the others forget it: redis-cli --cluster del-node \(anyNode) \(member.id)"
            )
        }
    }

    /// Nodes that refuse every key.
    private var downNodes: [Finding] {
        let down = views.filter { $0.state["cluster_state"] == "fail" }.map(\.node)
        guard !down.isEmpty else { return [] }
        return [
            .error(
                Self.topic,
                "\(NodeFindings.names(down)): cluster_state is fail, so that all todos there are refused",
                "bring back the nodes that are missing; where some slots may be: CONFIG SET cluster-require-full-coverage no"
            )
        ]
    }

    /// Replicas that the cluster knows and that do not follow their primary.
    private var unconnected: Finding? {
        let missing = views.filter { view in
            let known = view.members.count { $0.primary == view.itself?.id && $0.primary != nil && !$0.hasFailed }
            return view.facts.number("connected_slaves").map { $0 < known } ?? false
        }
        guard !missing.isEmpty else { return nil }
        return .warning(
            "replication",
            "\(NodeFindings.names(missing.map(\.node))): not all replicas are connected",
            "check the replicas' logs, masterauth and masteruser: if one took over now, writes were lost"
        )
    }

    // MARK: Slots

    private var uncovered: Finding? {
        var isCovered = Array(repeating: false, count: Self.slotCount)
        for member in views.flatMap(\.members) where !member.hasFailed {
            for slot in member.slots.joined() where slot < Self.slotCount { isCovered[slot] = true }
        }
        let slots = isCovered.indices.filter { !isCovered[$0] }
        guard !slots.isEmpty else { return nil }
        return .error(
            Self.topic,
            "\(slots.count) slots are served by nobody (\(Self.ranges(slots))): the todos of their users are out of reach",
            "start their primary again; only if it is lost for good, redis-cli --cluster fix \(anyNode) "
                + "--cluster-fix-with-unreachable-masters begins them empty"
        )
    }

    private var disagreement: Finding? {
        let seen = views.map { view in
            var owners = Array(repeating: "", count: Self.slotCount)
            for member in view.members {
                for slot in member.slots.joined() where slot < Self.slotCount { owners[slot] = member.id }
            }
            return owners
        }
        guard let first = seen.first else { return nil }
        let slots = first.indices.filter { slot in seen.contains { $0[slot] != first[slot] } }
        guard !slots.isEmpty else { return nil }
        return .warning(
            Self.topic,
            "the nodes do not agree who serves the slots \(Self.ranges(slots))",
            "look again in a minute; if it stays so: stop all workers, then redis-cli --cluster fix \(anyNode)"
        )
    }

    /// Slots on their way, told by either end; one end alone is what a reshard that was broken off leaves behind.
    private var moving: Finding? {
        var ways: [String: [Int]] = [:]
        for view in views {
            guard let itself = view.itself else { continue }
            for (slot, id) in itself.migrating {
                ways["from \(name(itself.id)) to \(name(id))", default: []].append(slot)
            }
            for (slot, id) in itself.importing {
                ways["from \(name(id)) to \(name(itself.id))", default: []].append(slot)
            }
        }
        guard !ways.isEmpty else { return nil }
        let texts = ways.sorted { $0.key < $1.key }.map { "\(Self.ranges(Set($0.value).sorted())) \($0.key)" }
        return .note(
            "slots",
            "moving: \(texts.joined(separator: "; ")): the calls of their users wait until they have arrived",
            // It has the old node serve users some of whose keys have gone already.
            "if nothing moves them any more: stop all workers, then redis-cli --cluster fix \(anyNode); with workers, complete the "
                + "move by deploy/redis/complete-move, as the article 'The Redis contract' shows"
        )
    }

    // MARK: Shape

    private var majority: Finding? {
        let count = primaries.count
        guard count < 3, !primaries.isEmpty else { return nil }
        return .warning(
            Self.topic,
            "\(count) primar\(count == 1 ? "y" : "ies"): no majority is left to replace one that fails",
            "spread the slots over three or more: redis-cli --cluster add-node, then --cluster rebalance "
                + "--cluster-use-empty-masters"
        )
    }

    private var coverage: Finding? {
        let nodes = views.filter { $0.facts.config["cluster-require-full-coverage"] == "yes" }.map(\.node)
        guard !nodes.isEmpty else { return nil }
        let whose = nodes.count == views.count ? "" : "\(NodeFindings.names(nodes)): "
        return .note(
            Self.topic,
            "\(whose)as soon as one slot is served by nobody, the todos of all users are refused",
            "CONFIG SET cluster-require-full-coverage no, and the same in redis.conf: users do not depend on each other"
        )
    }

    private var empty: Finding? {
        let members = views.flatMap(\.members).filter { $0.isPrimary && $0.slots.isEmpty && !$0.hasFailed }
        let names = Set(members.map(\.id)).subtracting(primaries).map(name).sorted()
        guard !names.isEmpty else { return nil }
        return .note(
            "slots",
            "\(NodeFindings.names(names)): no slots, so no todos",
            "redis-cli --cluster rebalance \(anyNode) --cluster-use-empty-masters"
        )
    }

    /// `0-5460, 7000 and 3 more`
    static func ranges(_ slots: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for slot in slots {
            if let last = ranges.last, last.upperBound + 1 == slot {
                ranges[ranges.count - 1] = last.lowerBound...slot
            } else {
                ranges.append(slot...slot)
            }
        }
        return NodeFindings.names(
            ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        )
    }
}
