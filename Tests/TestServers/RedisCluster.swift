public import EventLoop
import Foundation
public import RedisClient
import Testing

/// A Redis Cluster of the test's own: servers in temporary folders, on ports of the loopback address; ended by pid.
@LoopActor
public final class RedisCluster {
    /// One of its nodes.
    public struct Node: Sendable {
        public let server: RedisServer
        /// Where clients and other nodes find it.
        public let endpoint: RedisEndpoint
        /// Where it listens itself.
        public let port: Int
        /// What the cluster calls it.
        public let id: String
        /// The address from which it speaks to the others.
        public let source: String
        /// What it says of itself whenever it starts.
        fileprivate let announced: [String]

        /// What redis-cli prints of a command to this node.
        @discardableResult
        public func cli(_ words: String...) async throws -> String { try await server.cli(words) }

        /// The lines in which it describes all nodes.
        @LoopActor
        fileprivate func lines() async -> [Substring] { await server.ask("CLUSTER", "NODES").split(separator: "\n") }
    }

    /// Where a node listens itself, and the address from which it speaks to the others.
    public struct Site: Sendable {
        public var socket: String, busPort: Int, source: String
    }

    private let options: [String]
    /// Set where its nodes speak nothing but TLS.
    private let tls: ServerTLS?
    /// Makes what stands before a node and before its bus port, and says on which ports; nil for nothing.
    private let announce: (@LoopActor (_ node: Site) throws -> (port: Int, busPort: Int))?
    /// How many nodes were started.
    private var count = 0
    /// Those that were started, primaries first.
    public private(set) var nodes: [Node] = []

    /// How long nodes wait for one that is silent before they replace it, in milliseconds: one that only waits for a processor is not
    /// to be replaced, for what it has not passed on by then would be lost.
    public nonisolated static let nodeTimeout = 3000

    /// - Parameters:
    ///   - options: as `redis-server` takes them.
    ///   - tls: the certificates of nodes that speak nothing but TLS; nil for plain ones.
    ///   - announce: makes what stands before a node and before its bus port, and says on which ports; nil for nothing.
    public init(
        _ options: [String],
        tls: ServerTLS? = nil,
        announce: (@LoopActor (_ node: Site) throws -> (port: Int, busPort: Int))? = nil
    ) {
        (self.options, self.tls) = (options, tls)
        self.announce = announce
    }

    /// Where the first nodes are, as programs are told.
    public var address: String {
        "redis+cluster://" + nodes.prefix(3).map(\.endpoint.description).joined(separator: ",")
    }

    public var url: RedisURL {
        let url = RedisURL(.cluster(nodes.prefix(3).map(\.endpoint)))
        return tls?.url(url) ?? url
    }

    /// Starts a node that knows no other.
    @discardableResult
    public func addNode() async throws -> Node {
        let (port, busPort) = (try freePort(), try freePort())
        let server = try RedisServer(
            [
                "--cluster-enabled", "yes", "--cluster-node-timeout", String(Self.nodeTimeout), "--cluster-port",
                String(busPort), "--repl-diskless-sync-delay", "0", "--cluster-require-full-coverage", "no",
            ] + options + (tls.map { $0.options(port: port) + ["--tls-cluster", "yes"] } ?? []),
            port: port
        )
        count += 1
        // What stands between the nodes is to know them by their addresses.
        let source = "127.0.1.\(count)"
        let stands = try announce?(Site(socket: server.folder.path + "/redis.sock", busPort: busPort, source: source))
        let announced =
            stands.map { port, busPort in
                [
                    "--cluster-announce-port", String(port), "--cluster-announce-bus-port", String(busPort),
                    "--bind-source-addr", source,
                ]
            } ?? []
        try await server.start(announced)
        let node = Node(
            server: server,
            endpoint: RedisEndpoint(host: "127.0.0.1", port: stands?.port ?? port),
            port: port,
            id: await server.ask("CLUSTER", "MYID"),
            source: source,
            announced: announced
        )
        if let first = nodes.first(where: { $0.server.isRunning }) {
            let busPort = try await first.busPort()
            // A handshake that takes longer than nodes wait for each other is forgotten.
            try await eventually("\(node.endpoint) has joined") {
                _ = await server.ask("CLUSTER", "MEET", "127.0.0.1", String(first.port), busPort)
                return await first.server.ask("CLUSTER", "NODES").contains(node.id)
            }
        }
        nodes.append(node)
        return node
    }

    /// Starts a node again that was ended.
    ///
    /// - Parameter more: options for this time alone.
    public func restart(_ node: Node, isEmpty: Bool = false, _ more: [String] = []) async throws {
        if isEmpty { try FileManager.default.removeItem(at: node.server.folder.appending(path: "appendonlydir")) }
        try await node.server.start(node.announced + more)
    }

    /// Has all others forget a node without slots, and ends it.
    public func remove(_ node: Node) async throws {
        nodes.removeAll { $0.id == node.id }
        for other in nodes where other.server.isRunning { try await other.cli("CLUSTER", "FORGET", node.id) }
        await node.server.stop()
    }

    /// Starts so many nodes, has them meet, and gives each primary its share of the slots.
    public func start(primaries: Int, replicas: Int) async throws {
        for _ in 0..<primaries * (1 + replicas) { try await addNode() }
        for (number, node) in nodes.prefix(primaries).enumerated() {
            let (first, last) = (number * 16384 / primaries, (number + 1) * 16384 / primaries - 1)
            try await node.cli("CLUSTER", "ADDSLOTSRANGE", String(first), String(last))
        }
        try await waitUntilAgreed()
        for (number, node) in nodes.dropFirst(primaries).enumerated() {
            try await node.cli("CLUSTER", "REPLICATE", nodes[number % primaries].id)
        }
        try await waitUntilReplicated()
    }

    /// Returns once all nodes that run see the same whole cluster.
    public func waitUntilAgreed() async throws {
        try await eventually("the nodes agree", within: .seconds(30)) {
            var views: Set<String> = []
            for node in self.nodes where node.server.isRunning {
                guard await node.server.ask("CLUSTER", "INFO").contains("cluster_state:ok") else { return false }
                views.insert(await node.view())
            }
            return views.count == 1
        }
    }

    /// Returns once each replica has what its primary has, and is told what comes: before that it cannot take its place.
    public func waitUntilReplicated() async throws {
        try await waitUntilAgreed()
        for node in nodes where node.server.isRunning {
            try await eventually("\(node.endpoint) is in sync", within: .seconds(30)) {
                let facts = await node.server.ask("INFO", "replication")
                return facts.contains("role:master") || facts.contains("master_link_status:up")
            }
        }
        for node in nodes where node.server.isRunning { try await waitUntilPassedOn(from: node) }
        try await waitUntilAgreed()
    }

    /// Returns once the replicas of a primary have said that they have what it has now.
    ///
    /// A replica calls its link up as soon as it has read the first copy; what comes after that copy is held back until it has
    /// said so to the primary. `WAIT` only asks for what its own connection wrote.
    public func waitUntilPassedOn(from primary: Node) async throws {
        var offset: Int?
        try await eventually("the replicas of \(primary.endpoint) have its data", within: .seconds(30)) {
            guard let state = await primary.replication() else { return false }
            offset = offset ?? state.offset
            return state.replicas.allSatisfy { $0 >= offset ?? 0 }
        }
    }

    /// A user whom the node of a number has, counted from 0, in a cluster of three primaries as it begins.
    public static nonisolated func user(_ prefix: String, at node: Int) -> String {
        let all = (0...).lazy.map { "\(prefix)\($0)" }
        return all.first { HashSlot.of("todomate:{\($0)}") * 3 / HashSlot.count == node } ?? prefix
    }

    /// The node that serves a slot; right after a failover there is none for a moment, which is waited for.
    public func owner(of slot: Int) async throws -> Node {
        var owner: Node?
        try await eventually("somebody serves slot \(slot)", within: .seconds(30)) {
            owner = try await ownerIfAny(of: slot)
            return owner != nil
        }
        guard let owner else { throw NobodyServes(slot: slot) }
        return owner
    }

    /// The node that serves a slot; nil while there is none.
    public func ownerIfAny(of slot: Int) async throws -> Node? {
        for node in nodes where node.server.isRunning {
            if await node.slots().contains(where: { $0.contains(slot) }) { return node }
        }
        return nil
    }

    /// The node that serves a key's slot.
    public func owner(of key: String) async throws -> Node { try await owner(of: HashSlot.of(key)) }

    /// The nodes that serve slots and run.
    public func primaries() async throws -> [Node] {
        var primaries: [Node] = []
        for node in nodes where node.server.isRunning {
            if await !node.slots().isEmpty { primaries.append(node) }
        }
        return primaries
    }

    /// Whether a running node has taken the slots of one that is gone or asleep, as all others see it.
    public func hasReplaced(_ lost: Node) async throws -> Bool {
        for node in nodes where node.server.isRunning && node.id != lost.id {
            guard let line = await node.lines().first(where: { $0.hasPrefix(lost.id) }) else { continue }
            // Its line ends with its slots while it has any.
            if line.split(separator: " ").count > 8 { return false }
        }
        return true
    }

    /// A replica of a node, if it has one that runs.
    public func replica(of primary: Node) async throws -> Node? {
        for node in nodes where node.server.isRunning && node.id != primary.id {
            let line = await node.lines().first { $0.contains("myself") }
            if line?.contains("slave \(primary.id)") == true { return node }
        }
        return nil
    }

    private struct NobodyServes: Error { var slot: Int }

    /// Opens the slot's move, as `redis-cli --cluster reshard` does.
    public func beginMove(of slot: Int, to target: Node) async throws {
        let source = try await owner(of: slot)
        try await target.cli("CLUSTER", "SETSLOT", String(slot), "IMPORTING", source.id)
        try await source.cli("CLUSTER", "SETSLOT", String(slot), "MIGRATING", target.id)
    }

    /// Moves up to so many of the slot's keys.
    public func moveKeys(_ count: Int, of slot: Int, to target: Node) async throws {
        let source = try await owner(of: slot)
        let keys = try await source.cli("CLUSTER", "GETKEYSINSLOT", String(slot), String(count))
            .split(separator: "\n").map(String.init)
        guard !keys.isEmpty else { return }
        let answer = try await source.server.cli(Self.migration(of: keys, to: target))
        #expect(["OK", "NOKEY"].contains(answer))
    }

    private static func migration(of keys: [String], to target: Node) -> [String] {
        ["MIGRATE", "127.0.0.1", String(target.port), "", "0", "5000", "KEYS"] + keys
    }

    /// How many keys of a slot its owner still has.
    public func countKeys(of slot: Int) async throws -> Int {
        Int(try await owner(of: slot).cli("CLUSTER", "COUNTKEYSINSLOT", String(slot))) ?? 0
    }

    /// Closes the slot's move: first the new node, then all others learn of it.
    public func endMove(of slot: Int, to target: Node) async throws {
        try await target.cli("CLUSTER", "SETSLOT", String(slot), "NODE", target.id)
        for node in nodes where node.server.isRunning && node.id != target.id {
            // Replicas refuse, and hear of it from the others.
            try await node.cli("CLUSTER", "SETSLOT", String(slot), "NODE", target.id)
        }
    }

    /// Moves a slot with all its keys.
    public func move(_ slot: Int, to target: Node) async throws {
        guard try await owner(of: slot).id != target.id else { return }
        try await beginMove(of: slot, to: target)
        try await moveKeys(100_000, of: slot, to: target)
        try await endMove(of: slot, to: target)
    }

    /// Ends all nodes and removes their files.
    public func stop() async {
        for node in nodes { await node.server.stop() }
    }
}

@LoopActor
extension RedisCluster.Node {
    /// The slots that it says it serves.
    fileprivate func slots() async -> [ClosedRange<Int>] {
        guard let line = await lines().first(where: { $0.contains("myself") }), line.contains("master") else {
            return []
        }
        return line.split(separator: " ").dropFirst(8).compactMap { word in
            let ends = word.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, !word.hasPrefix("[") else { return nil }
            return first...last
        }
    }

    /// Who is a primary with which slots, as this node sees it.
    fileprivate func view() async -> String {
        await lines().compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard words.count >= 8, !words[2].contains("fail") else { return nil }
            let role = words[2].contains("master") ? "master" : "slave of \(words[3])"
            return "\(words[0]) \(role) \(words.dropFirst(8).joined(separator: " "))"
        }.sorted().joined(separator: "\n")
    }

    /// How much it has written, and how much of that each replica has said to have, less than nothing before its first copy; nil
    /// when the question was cut off.
    fileprivate func replication() async -> (offset: Int, replicas: [Int])? {
        let facts = await server.ask("INFO", "replication")
        guard let offset = facts.firstMatch(of: /master_repl_offset:(\d+)/).flatMap({ Int($0.1) }) else { return nil }
        let replicas = facts.matches(of: /slave\d+:.*state=(\w+),offset=(\d+)/).map { match in
            match.1 == "online" ? Int(match.2) ?? -1 : -1
        }
        return (offset, replicas)
    }

    fileprivate func busPort() async throws -> String {
        let line = await lines().first { $0.contains("myself") }
        let match = try #require(line?.firstMatch(of: /@(\d+)/))
        return String(match.1)
    }
}

/// Runs `body` with a fresh cluster and ends it afterwards.
public func withRedisCluster<Result: Sendable>(
    primaries: Int = 3,
    replicas: Int = 0,
    tls: ServerTLS? = nil,
    _ options: String...,
    body: @LoopActor (RedisCluster) async throws -> Result
) async throws -> Result {
    let cluster = await RedisCluster(options, tls: tls)
    do {
        try await cluster.start(primaries: primaries, replicas: replicas)
        let folder = await cluster.nodes[0].server.folder.path
        let result = try await TestSession.$folder.withValue(folder) { try await body(cluster) }
        await cluster.stop()
        return result
    } catch {
        await cluster.stop()
        throw error
    }
}
