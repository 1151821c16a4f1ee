package import EventLoop

/// Goes through the keys that match a pattern, a page at a time, by [SCAN](https://redis.io/docs/latest/commands/scan/); in a cluster
/// at one primary after the other.
///
/// A key that is there all the time is on some page, and may be on several. In a cluster, that also holds for one whose slot moves
/// from node to node meanwhile: nodes that slots were moving to are gone through once more. Where a node is lost, who serves its
/// slots afterwards is gone through from the beginning, and so is a node whose connection had to be made anew: there may be another
/// server behind it, or the same one after a restart, and a cursor counts for the process that gave it.
@LoopActor
package struct KeyScan {
    private let client: RedisClient
    private let pattern: String
    /// Where to read on; nil before the first page.
    private var places: [Place]?
    private var slots = SlotPlaces()
    /// Moves that nodes have been gone through for since they began.
    private var followed: Set<SlotPlaces.Move> = []
    private var roundsLeft = 8
    private let skipsSilentNodes: Bool
    /// The nodes that did not answer, whose keys are missing; always empty where they are not to be skipped.
    package private(set) var silentNodes: [RedisEndpoint] = []

    init(_ client: RedisClient, _ pattern: String, skipsSilentNodes: Bool) {
        (self.client, self.pattern, self.skipsSilentNodes) = (client, pattern, skipsSilentNodes)
    }

    /// After the last page, the slots whose keys were all there to be found, in a cluster.
    package var slotsReached: Set<Int> {
        slots.served.reduce(into: []) { if !silentNodes.contains($1.key) { $0.formUnion($1.value) } }
    }

    /// The next page, which may be empty; nil at the end.
    package mutating func next() async throws(RedisError) -> [String]? {
        if places == nil {
            if client.isCluster { slots = try await look() }
            places = try await client.primaries().filter(isHeard).map { Place($0) }
        }
        if places?.isEmpty == true, client.isCluster { try await lookForMoves() }
        guard let place = places?.first else { return nil }
        let (node, number) = (place.node, place.node.connectionNumber)
        guard place.begins || place.connection == number else { return try beginAgain(node) }
        let scan = RedisCommand("SCAN", place.cursor, "MATCH", pattern, "COUNT", "1000")
        let reply: [RedisValue]
        do throws(RedisError) {
            reply = try await node.send(scan).array ?? []
        } catch {
            if !client.isCluster, case .connectionLost = error { return try beginAgain(node) }
            try await leave(node, error)
            return []
        }
        // Another connection may be one to another process, which takes the cursor for another place.
        guard place.begins || node.connectionNumber == number else { return try beginAgain(node) }
        let next = reply.first?.string ?? "0"
        if next == "0" {
            places?.removeFirst()
        } else {
            places?[0] = Place(node, cursor: next, of: node.connectionNumber)
        }
        return (reply.last?.array ?? []).compactMap(\.string)
    }

    /// Goes through the node that is being read once more, from the beginning.
    private mutating func beginAgain(_ node: RedisNode) throws(RedisError) -> [String] {
        if roundsLeft > 0 {
            roundsLeft -= 1
            places?[0] = Place(node)
        } else {
            let reason = "the connection breaks again and again, so that keys may be overlooked"
            try skip(node, .notServed(seconds: 0, reason: reason))
        }
        return []
    }

    /// Leaves the node out that is being read, where that is asked for.
    private mutating func skip(_ node: RedisNode, _ error: RedisError) throws(RedisError) {
        guard client.isCluster, skipsSilentNodes, error != .closed, let endpoint = node.endpoint else { throw error }
        silentNodes.append(endpoint)
        places?.removeFirst()
    }

    /// Goes on with the nodes to which slots have been moving since the last look: their keys may have come after the node was
    /// gone through, from one that was still to come.
    private mutating func lookForMoves() async throws(RedisError) {
        let now = try await look()
        let moves = slots.moves(until: now).subtracting(followed)
        slots = now
        guard !moves.isEmpty else { return }
        guard roundsLeft > 0 else {
            throw .notServed(seconds: 0, reason: "slots keep moving, so that keys may be overlooked")
        }
        roundsLeft -= 1
        followed.formUnion(moves)
        let targets = Set(moves.map(\.target))
        places = try await nodes(at: targets)
    }

    /// Goes on without a node that was lost, at whoever serves its slots by now; where they are to be had nowhere, it is skipped, or
    /// the scan is over.
    private mutating func leave(_ node: RedisNode, _ error: RedisError) async throws(RedisError) {
        guard client.isCluster, let lost = node.endpoint, error != .closed else { throw error }
        let served = slots.served[lost] ?? []
        do throws(RedisError) {
            guard roundsLeft > 0, !served.isEmpty else { throw error }
            roundsLeft -= 1
            // Waits for a failover, as every command does.
            try await client.send(RedisCommand("EXISTS", Self.name(in: served)))
        } catch {
            return try skip(node, error)
        }
        let now = try await look()
        let heirs = Set(now.served.filter { !$0.value.isDisjoint(with: served) }.keys)
        // Another server's cursor means nothing here, and neither does that of one that has begun anew.
        let rest = places?.dropFirst().filter { $0.node.endpoint.map { !heirs.contains($0) } ?? true } ?? []
        places = try await nodes(at: heirs) + rest
        slots = now
    }

    private func nodes(at endpoints: Set<RedisEndpoint>) async throws(RedisError) -> [Place] {
        try await client.primaries().filter { $0.endpoint.map(endpoints.contains) ?? false }.filter(isHeard)
            .map { Place($0) }
    }

    private func isHeard(_ node: RedisNode) -> Bool { node.endpoint.map { !silentNodes.contains($0) } ?? true }

    /// Who serves what, as the nodes say themselves.
    private mutating func look() async throws(RedisError) -> SlotPlaces {
        var places = SlotPlaces()
        // All at once: those that do not answer are waited for together.
        let answers = try await client.primaries().filter(isHeard).map { node in
            (
                node,
                Task { () async -> Result<RedisValue, RedisError> in
                    do throws(RedisError) {
                        return .success(try await node.send(RedisCommand("CLUSTER", "NODES")))
                    } catch {
                        return .failure(error)
                    }
                }
            )
        }
        for (node, answer) in answers {
            guard let endpoint = node.endpoint else { continue }
            switch await answer.value {
            case .success(let reply): places.take(reply.string ?? "", of: endpoint)
            case .failure(let error):
                guard skipsSilentNodes, error != .closed else { throw error }
                silentNodes.append(endpoint)
            }
        }
        return places
    }

    /// Some name of one of these slots.
    private static func name(in slots: Set<Int>) -> String {
        var number = 0
        while !slots.contains(HashSlot.of("{\(number)}")) { number += 1 }
        return "{\(number)}"
    }
}

/// Where a node is read on.
@LoopActor
private struct Place {
    let node: RedisNode
    /// What the node's last answer gave; "0" before the first.
    let cursor: String
    /// Over which connection it came.
    let connection: Int
    var begins: Bool { cursor == "0" }

    init(_ node: RedisNode, cursor: String = "0", of connection: Int = 0) {
        (self.node, self.cursor, self.connection) = (node, cursor, connection)
    }
}

/// Which nodes of a cluster say that they serve which slots, and which of these they are taking over key by key.
@LoopActor
private struct SlotPlaces {
    /// A slot on its way, or arrived.
    struct Move: Hashable {
        let slot: Int
        let target: RedisEndpoint
        /// Whether its keys are still on their way.
        let isUnderWay: Bool
    }

    private(set) var served: [RedisEndpoint: Set<Int>] = [:]
    private var imported: [RedisEndpoint: Set<Int>] = [:]

    init() {}

    /// Takes what a node says in [CLUSTER NODES](https://redis.io/docs/latest/commands/cluster-nodes/).
    mutating func take(_ lines: String, of endpoint: RedisEndpoint) {
        // What others say of a node may be late; its own line is not.
        let words =
            lines.split(separator: "\n").first { $0.contains("myself") }?.split(separator: " ").dropFirst(8) ?? []
        served[endpoint] = Set(words.compactMap(Self.range).joined())
        imported[endpoint] = Set(words.compactMap { $0.wholeMatch(of: /\[(\d+)-<-.*\]/).flatMap { Int($0.1) } })
    }

    /// A range of slots in a line of [CLUSTER NODES](https://redis.io/docs/latest/commands/cluster-nodes/), as in `0-5460` or `7`.
    private static func range(_ word: Substring) -> ClosedRange<Int>? {
        let ends = word.split(separator: "-").map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
            return nil
        }
        return first...last
    }

    /// The moves that may have brought keys to nodes between this look and a later one.
    func moves(until later: SlotPlaces) -> Set<Move> {
        var moves: Set<Move> = []
        for (endpoint, slots) in later.served {
            for slot in slots.subtracting(served[endpoint] ?? []) {
                moves.insert(Move(slot: slot, target: endpoint, isUnderWay: false))
            }
        }
        for places in [self, later] {
            for (endpoint, slots) in places.imported {
                for slot in slots { moves.insert(Move(slot: slot, target: endpoint, isUnderWay: true)) }
            }
        }
        return moves
    }
}
