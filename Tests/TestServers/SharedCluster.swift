public import EventLoop
public import Foundation
public import RedisClient
import Synchronization
import Testing

/// A cluster of three primaries that the tests of this process have one after the other, as a node takes two seconds until it
/// serves. It is empty at the beginning of each, and ends with the process.
@LoopActor
public final class SharedCluster: TestRedis {
    private static var shared: SharedCluster?
    private nonisolated static let leftovers = Mutex<[URL]>([])

    private let cluster: RedisCluster
    /// The folders of the nodes in the order of their slots, which never move here.
    nonisolated let folders: [String]
    public nonisolated let url: RedisURL
    public nonisolated let address: String
    public nonisolated let folder: URL
    private nonisolated let ports: [Int]

    private init(_ cluster: RedisCluster) {
        self.cluster = cluster
        url = cluster.url
        address = cluster.address
        folders = cluster.nodes.map(\.server.folder.path)
        folder = cluster.nodes[0].server.folder
        ports = cluster.nodes.map(\.endpoint.port)
    }

    /// The cluster, empty.
    static func lease() async throws -> SharedCluster {
        let cluster: SharedCluster
        if let shared {
            cluster = shared
        } else {
            let nodes = RedisCluster(["--appendonly", "yes", "--appendfsync", "always"])
            try await nodes.start(primaries: 3, replicas: 0)
            cluster = SharedCluster(nodes)
            shared = cluster
            leftovers.withLock { $0 = nodes.nodes.map(\.server.folder) }
            atexit { SharedCluster.removeFolders() }
        }
        for node in cluster.cluster.nodes where !node.server.isRunning { try await node.server.start() }
        try await cluster.cluster.waitUntilAgreed()
        for node in cluster.cluster.nodes {
            for answer in [
                await node.server.ask("FLUSHALL"), await node.server.ask("FUNCTION", "FLUSH"),
                await node.server.ask("CONFIG", "SET", "maxmemory", "0", "slowlog-log-slower-than", "10000"),
                await node.server.ask("ACL", "SETUSER", "default", "allchannels"),
            ] { try #require(answer == "OK") }
        }
        return cluster
    }

    private nonisolated static func removeFolders() {
        for folder in leftovers.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }

    @discardableResult
    public nonisolated func cli(_ arguments: [String]) async throws -> String {
        var command = RedisCommand()
        let words = arguments.first == "-r" ? arguments.dropFirst(2) : arguments[...]
        for word in words where !["--json", "-x"].contains(word) { command.append(word) }
        let targets = command.slot.map { [ports[$0 * ports.count / HashSlot.count]] } ?? ports
        var answers: [String] = []
        for port in targets {
            let outcome = try await Program.run("redis-cli", ["-p", String(port)] + arguments)
            answers.append(outcome.output.trimmingCharacters(in: .newlines))
        }
        // The same of all, as of FLUSHALL, or the keys of each.
        let told = answers.filter { !$0.isEmpty }
        return Set(told).count == 1 ? told[0] : told.joined(separator: "\n")
    }

    public func crash(_ uid: String) async throws { await owner(of: uid).server.crash() }

    public func restart(_ uid: String, isEmpty: Bool) async throws {
        try await owner(of: uid).server.restart(uid, isEmpty: isEmpty)
        try await cluster.waitUntilAgreed()
    }

    private func owner(of uid: String) -> RedisCluster.Node {
        cluster.nodes[HashSlot.of("todomate:{\(uid)}") * ports.count / HashSlot.count]
    }
}
