import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

/// What can go wrong with a cluster, and what cannot with one server.
@LoopActor
extension Fault {
    /// Makes it happen, waits, and repairs it, if it is about the cluster as such or one of its nodes.
    ///
    /// Whether its nodes then tell that it has happened is noted in the deployment.
    ///
    /// - Returns: whether it was.
    func happen(to cluster: RedisCluster, of deployment: Deployment, _ random: inout SeededRandom) async throws -> Bool
    {
        // Those to whom much is written where a move is held up, so that it meets somebody.
        let users = self == .slotMoveHeldUp ? deployment.observed : deployment.observed + deployment.others
        let uid = users.randomElement(using: &random) ?? "alice"
        let slot = HashSlot.of("todomate:{\(uid)}")
        let time = Duration.milliseconds(Int.random(in: 200...1500, using: &random))
        let owner = try await cluster.owner(of: slot)
        deployment.choose(owner)
        let others = try await cluster.primaries().filter { $0.id != owner.id }
        let target = others.randomElement(using: &random) ?? owner
        var isSeen = false
        switch self {
        case .slotMoved:
            try await move(slot, to: target, in: cluster, pausing: .zero, &random)
            isSeen = try await cluster.owner(of: slot).id == target.id
        case .slotMoveHeldUp: isSeen = try await move(slot, to: target, in: cluster, pausing: time, &random)
        case .slotMovedWhileCut:
            let before = await deployment.control("CLIENT", "KILL", "TYPE", "pubsub")
            try await move(slot, to: target, in: cluster, pausing: .zero, &random)
            let after = await deployment.control("CLIENT", "KILL", "TYPE", "pubsub")
            let cut = (before + "\n" + after).split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
            isSeen = try await cluster.owner(of: slot).id == target.id && cut > 0
        case .primaryKilled:
            try await deployment.loseData(at: owner) {
                await owner.server.crash()
                try await waitUntilReplaced(owner, in: cluster)
                await LoopTimer.sleep(for: time)
                try await cluster.restart(owner)
                isSeen = try await becomesReplica(owner)
                try await cluster.waitUntilReplicated()
            }
        case .primaryStopped:
            try await deployment.loseData(at: owner) {
                owner.server.signal(SIGSTOP)
                try await waitUntilReplaced(owner, in: cluster)
                await LoopTimer.sleep(for: time)
                owner.server.signal(SIGCONT)
                isSeen = try await becomesReplica(owner)
                try await cluster.waitUntilReplicated()
            }
        case .primaryParted:
            // It goes on for a while, and what it writes meanwhile is lost.
            try await deployment.loseData(at: owner) {
                deployment.part([owner])
                try await waitUntilReplaced(owner, in: cluster)
                await LoopTimer.sleep(for: time)
                deployment.part([])
                isSeen = try await becomesReplica(owner)
                try await cluster.waitUntilReplicated()
            }
        case .shardParted:
            // Nobody can take its place: its slots are not served until it is back.
            deployment.part([owner, try #require(try await cluster.replica(of: owner))])
            try await eventually("it notices that it is parted", within: .seconds(30)) {
                isSeen = try await owner.cli("CLUSTER", "INFO").contains("cluster_state:fail")
                return isSeen
            }
            await LoopTimer.sleep(for: time)
            deployment.part([])
            try await cluster.waitUntilReplicated()
        case .primaryDemoted:
            isSeen = try await replace(owner, in: cluster, [])
        case .primaryTakenOver:
            try await deployment.loseData(at: owner) { isSeen = try await replace(owner, in: cluster, ["TAKEOVER"]) }
        case .primaryEmptied:
            // As where the disk was lost and the address stayed: data, functions and connections are gone at once.
            let replica = try #require(try await cluster.replica(of: owner))
            // Of the users' keys there may soon be as many again.
            let mark = "mark:{\(uid)}"
            try await owner.cli("SET", mark, "1")
            try await deployment.loseData(at: owner) {
                await replica.server.crash()
                await owner.server.crash()
                await LoopTimer.sleep(for: time / 2)
                try await cluster.restart(owner, isEmpty: true)
                try await cluster.restart(replica, isEmpty: true)
                try await eventually("its slots are served again") {
                    try await cluster.ownerIfAny(of: slot)?.id == owner.id
                }
                isSeen = try await isGone(mark, at: owner)
                try await cluster.waitUntilReplicated()
            }
        case .replicaEmptied:
            let replica = try #require(try await cluster.replica(of: owner))
            await replica.server.crash()
            let copies = try await fact("sync_full", in: "stats", of: owner)
            await LoopTimer.sleep(for: time / 4)
            try await cluster.restart(replica, isEmpty: true)
            try await cluster.waitUntilReplicated()
            // Who has nothing asks for a whole copy.
            isSeen = try await fact("sync_full", in: "stats", of: owner) != copies
        case .replicaOutdated:
            let replica = try #require(try await cluster.replica(of: owner))
            try await deployment.loseData(at: owner) {
                await replica.server.crash()
                await LoopTimer.sleep(for: time)
                await owner.server.crash()
                try await cluster.restart(replica)
                try await eventually("the replica is the primary") {
                    await deployment.control(["CLUSTER", "FAILOVER", "TAKEOVER"], of: replica)
                    return try await cluster.ownerIfAny(of: slot)?.id == replica.id
                }
                try await cluster.restart(owner)
                isSeen = try await becomesReplica(owner)
                try await cluster.waitUntilReplicated()
            }
        case .nodeAddedAndRemoved:
            let node = try await cluster.addNode()
            try await cluster.waitUntilAgreed()
            try await move(slot, to: node, in: cluster, pausing: .zero, &random)
            let served = try await cluster.owner(of: slot)
            await LoopTimer.sleep(for: time)
            try await move(slot, to: target, in: cluster, pausing: .zero, &random)
            try await cluster.waitUntilAgreed()
            try await cluster.remove(node)
            isSeen = try await cluster.owner(of: slot).id == target.id && served.id == node.id
        case .redisKilled, .redisLoading, .tailLost:
            let run = try await fact("run_id", in: "server", of: owner)
            if self == .redisLoading { try await rewriteLog(deployment) }
            try await deployment.loseData(at: owner) {
                await owner.server.crash()
                switch self {
                case .redisLoading:
                    // Where that takes long, its replica takes its place.
                    try await cluster.restart(owner, ["--key-load-delay", "20000"])
                    await deployment.control(["CONFIG", "SET", "key-load-delay", "0"], of: owner)
                case .tailLost:
                    try cutLog(of: owner.server, &random)
                    try await owner.server.repairLog()
                    try await cluster.restart(owner)
                default:
                    await LoopTimer.sleep(for: time / 2)
                    try await cluster.restart(owner)
                }
                try await cluster.waitUntilReplicated()
            }
            isSeen = try await fact("run_id", in: "server", of: owner) != run
        default: return false
        }
        if isSeen { deployment.noteMark(of: self) }
        return true
    }

    /// Whether a node has a key no more, once it serves its slots.
    private func isGone(_ key: String, at node: RedisCluster.Node) async throws -> Bool {
        var answer = ""
        try await eventually("\(node.endpoint) answers for its slots") {
            answer = try await node.cli("EXISTS", key).trimmingCharacters(in: .whitespacesAndNewlines)
            return ["0", "1"].contains(answer)
        }
        return answer == "0"
    }

    /// What a node says of itself.
    private func fact(_ name: String, in part: String, of node: RedisCluster.Node) async throws -> String {
        var value = ""
        try await eventually("\(node.endpoint) tells its \(name)") {
            let lines = try await node.cli("INFO", part).split(whereSeparator: \.isNewline)
            value = lines.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
            return value != ""
        }
        return value
    }

    /// Waits until a node that was replaced knows it: a little later it may have been put back in the place of another.
    private func becomesReplica(_ node: RedisCluster.Node) async throws -> Bool {
        var isReplica = false
        try await eventually("\(node.endpoint) knows that it was replaced", within: .seconds(30)) {
            isReplica = await node.server.ask("INFO", "replication").contains("role:slave")
            return isReplica
        }
        return isReplica
    }

    /// Moves a slot key by key, a few at a time, as those who reshard do.
    ///
    /// - Returns: whether it was held up halfway, and the node said so.
    @discardableResult
    private func move(
        _ slot: Int,
        to target: RedisCluster.Node,
        in cluster: RedisCluster,
        pausing time: Duration,
        _ random: inout SeededRandom
    ) async throws -> Bool {
        let source = try await cluster.owner(of: slot)
        guard source.id != target.id else { return false }
        var wasHeldUp = false
        try await cluster.beginMove(of: slot, to: target)
        var isToWait = time > .zero
        func holdUp() async throws {
            isToWait = false
            await LoopTimer.sleep(for: time)
            wasHeldUp = try await source.cli("CLUSTER", "NODES").contains("[\(slot)->-\(target.id)]")
        }
        while try await cluster.countKeys(of: slot) > 0 {
            try await cluster.moveKeys(Int.random(in: 1...5, using: &random), of: slot, to: target)
            if isToWait { try await holdUp() }
        }
        // Also where the user had nothing yet that could move.
        if isToWait { try await holdUp() }
        try await cluster.endMove(of: slot, to: target)
        try await cluster.waitUntilAgreed()
        return wasHeldUp
    }

    private func waitUntilReplaced(_ owner: RedisCluster.Node, in cluster: RedisCluster) async throws {
        try await eventually("another node has taken its slots", within: .seconds(30)) {
            try await cluster.hasReplaced(owner)
        }
    }

    private func replace(_ owner: RedisCluster.Node, in cluster: RedisCluster, _ how: [String]) async throws -> Bool {
        let replica = try #require(try await cluster.replica(of: owner))
        #expect(try await replica.server.cli(["CLUSTER", "FAILOVER"] + how) == "OK")
        try await waitUntilReplaced(owner, in: cluster)
        let isSeen = try await becomesReplica(owner)
        try await cluster.waitUntilReplicated()
        return isSeen
    }
}

extension Deployment {
    /// Runs a command at a node of the cluster.
    func control(_ words: [String], of node: RedisCluster.Node) async {
        _ = try? await node.server.cli(words)
    }

    /// Loses on purpose what a node may not have passed on to its replica: what was acknowledged to those users whose data it has
    /// does not count any more, as replication is asynchronous.
    func loseData(at node: RedisCluster.Node, _ body: () async throws -> Void) async throws {
        guard let cluster else { return try await body() }
        var users: [String] = []
        for uid in observed + others where try await cluster.owner(of: HashSlot.of("todomate:{\(uid)}")).id == node.id {
            users.append(uid)
        }
        try await loseData(of: users, body)
    }
}
