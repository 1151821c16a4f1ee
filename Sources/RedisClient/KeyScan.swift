package import EventLoop

/// Goes through the keys that match a pattern, a page at a time, by [SCAN](https://redis.io/docs/latest/commands/scan/); in a cluster
/// at one primary after the other.
///
/// A key that is there all the time is on some page, and may be on several. In a cluster, that also holds for one whose slot moves
/// from node to node meanwhile: nodes that slots were moving to are gone through once more.
@LoopActor
package struct KeyScan {
    private let client: RedisClient
    private let pattern: String
    /// Where to read on; nil before the first page.
    private var places: [(node: RedisNode, cursor: String)]?
    private var slots = SlotPlaces()
    private var roundsLeft = 5

    init(_ client: RedisClient, _ pattern: String) { (self.client, self.pattern) = (client, pattern) }

    /// The next page, which may be empty; nil at the end.
    package mutating func next() async throws(RedisError) -> [String]? {
        if places == nil {
            if client.isCluster { slots = try await SlotPlaces(client) }
            places = try await client.primaries().map { ($0, "0") }
        }
        if places?.isEmpty == true, client.isCluster { try await lookForMoves() }
        guard let (node, cursor) = places?.first else { return nil }
        let reply = try await node.send(RedisCommand("SCAN", cursor, "MATCH", pattern, "COUNT", "1000")).array ?? []
        let next = reply.first?.string ?? "0"
        if next == "0" { places?.removeFirst() } else { places?[0].cursor = next }
        return (reply.last?.array ?? []).compactMap(\.string)
    }

    /// Goes on with the nodes to which slots have been moving since the last look.
    private mutating func lookForMoves() async throws(RedisError) {
        let now = try await SlotPlaces(client)
        let targets = slots.targets(until: now)
        slots = now
        guard !targets.isEmpty else { return }
        guard roundsLeft > 0 else {
            throw .notServed(seconds: 0, reason: "slots keep moving, so that keys may be overlooked")
        }
        roundsLeft -= 1
        places = try await client.primaries().filter { $0.endpoint.map(targets.contains) ?? false }.map { ($0, "0") }
    }
}

/// Which nodes of a cluster serve which slots, and which of these are moving to which nodes.
@LoopActor
private struct SlotPlaces {
    private var topology = ClusterTopology()
    /// The slots that each node takes over, key by key.
    private var importing: [RedisEndpoint: Set<Int>] = [:]

    init() {}

    init(_ client: RedisClient) async throws(RedisError) {
        for node in try await client.primaries() {
            guard let endpoint = node.endpoint else { continue }
            let lines = try await node.send(RedisCommand("CLUSTER", "NODES")).string ?? ""
            importing[endpoint] = Self.imported(lines)
        }
        topology = client.directory?.topology ?? topology
    }

    /// The slots in `[93-<-292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f]` of the node's own line of
    /// [CLUSTER NODES](https://redis.io/docs/latest/commands/cluster-nodes/).
    private static func imported(_ lines: String) -> Set<Int> {
        guard let line = lines.split(separator: "\n").first(where: { $0.contains("myself") }) else { return [] }
        return Set(line.matches(of: /\[(\d+)-<-/).compactMap { Int($0.1) })
    }

    /// The nodes that may have been given keys between this look and a later one.
    func targets(until later: SlotPlaces) -> Set<RedisEndpoint> {
        let moved = later.topology.slotsMoved(since: topology)
        var targets = Set(moved.compactMap { later.topology.owner(of: $0) })
        for (endpoint, slots) in later.importing where !slots.subtracting(importing[endpoint] ?? []).isEmpty {
            targets.insert(endpoint)
        }
        return targets
    }
}
