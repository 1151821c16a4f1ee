import EventLoop
import RedisClient

/// Makes a cluster of servers that have been started, or has the nodes of one find each other again at other ports than before.
@LoopActor
final class ClusterFormation {
    private let store: PrivateStore
    private var nodes: [RedisNode] = []
    private var isClosed = false

    /// How long the nodes may take to agree, once all of them answer.
    private static let patience = Duration.seconds(60)
    private static let pause = Duration.milliseconds(50)
    private static let slotCount = 16_384

    /// The nodes do not come to terms.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ store: PrivateStore) { self.store = store }

    /// Ends what is under way.
    func close() {
        isClosed = true
        for node in nodes { node.close() }
    }

    /// Returns once all nodes serve all slots. What an earlier start has not finished is gone on with.
    func run() async throws {
        defer { close() }
        // Before a server has its own socket, somebody else may have its port, who is to see no password.
        try await wait(for: nil, "listen") { store.servers.allSatisfy(\.isServed) }
        nodes = store.endpoints.map { RedisNode.member($0, of: store.redisURL, timeout: .seconds(5)) }
        try await wait(for: nil, "load their data") {
            for node in nodes where try await isAbsent(node) { return false }
            return true
        }
        try await giveEpochs()
        try await introduce()
        try await giveSlots()
        try await wait(for: Self.patience, "agree that all slots are served") {
            for node in nodes {
                let state = try await node.send(RedisCommand("CLUSTER", "INFO")).string ?? ""
                guard state.contains("cluster_state:ok"), state.contains("cluster_slots_ok:\(Self.slotCount)") else {
                    return false
                }
            }
            return true
        }
    }

    private func isAbsent(_ node: RedisNode) async throws(RedisError) -> Bool {
        do throws(RedisError) {
            try await node.send(RedisCommand("PING"))
            return false
        } catch .unreachable {
            return true
        } catch .connectionLost {
            return true
        }
    }

    /// Nodes that begin with different numbers need not settle whose is the higher.
    private func giveEpochs() async throws {
        for (index, node) in nodes.enumerated() {
            let members = try await members(node)
            guard members.count == 1, members[0].slots.isEmpty else { continue }
            do throws(RedisError) {
                try await node.send(RedisCommand("CLUSTER", "SET-CONFIG-EPOCH", String(index + 1)))
            } catch .server {
                // It has one.
            }
        }
    }

    /// Tells every node where every other one is, which is news to those that know it by another port.
    private func introduce() async throws {
        for (index, node) in nodes.enumerated() {
            for other in store.servers[(index + 1)...] {
                guard let port = other.port, let busPort = other.busPort else { continue }
                try await node.send(RedisCommand("CLUSTER", "MEET", "127.0.0.1", String(port), String(busPort)))
            }
        }
        let ports = Set(store.endpoints.map(\.description))
        try await wait(for: Self.patience, "meet each other") {
            for node in nodes {
                let known = try await members(node).filter { $0.isLinked && !$0.flags.contains("handshake") }
                guard ports.isSubset(of: known.map(\.address)) else { return false }
            }
            return true
        }
    }

    /// Gives each node those of its share that nobody has.
    private func giveSlots() async throws {
        var isServed = Array(repeating: false, count: Self.slotCount)
        for node in nodes {
            let itself = try await members(node).first(where: \.isSelf)
            for slot in (itself?.slots ?? []).joined() { isServed[slot] = true }
        }
        for (index, node) in nodes.enumerated() {
            let share = index * Self.slotCount / nodes.count..<(index + 1) * Self.slotCount / nodes.count
            let missing = share.filter { !isServed[$0] }
            guard !missing.isEmpty else { continue }
            var command = RedisCommand("CLUSTER", "ADDSLOTS")
            for slot in missing { command.append(String(slot)) }
            try await node.send(command)
        }
    }

    private func members(_ node: RedisNode) async throws(RedisError) -> [ClusterMember] {
        let lines = try await node.send(RedisCommand("CLUSTER", "NODES")).string ?? ""
        return lines.split(whereSeparator: \.isNewline).compactMap { ClusterMember($0) }
    }

    private func wait(
        for patience: Duration?,
        _ what: String,
        until condition: @LoopActor () async throws -> Bool
    ) async throws {
        let deadline = patience.map { ContinuousClock.now + $0 }
        while true {
            if isClosed { throw Failure(description: "the nodes were ended") }
            if try await condition() { return }
            if let deadline, deadline <= .now {
                throw Failure(description: "the nodes did not \(what) in time: look into their redis.log")
            }
            await LoopTimer.sleep(for: Self.pause)
        }
    }
}
