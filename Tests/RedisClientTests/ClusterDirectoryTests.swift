import EventLoop
import Testing

@testable import RedisClient

@Suite("The directory of a cluster")
@LoopActor
struct ClusterDirectoryTests {
    /// Whoever is told of a topology, and looks it up at once.
    @LoopActor
    private final class Reader: ClusterDirectoryObserver {
        private let directory: ClusterDirectory
        private(set) var told: [ClusterTopology] = [ClusterTopology()]
        private(set) var faults: [String] = []

        init(_ directory: ClusterDirectory) {
            self.directory = directory
            directory.add(self)
        }

        func topologyChanged(from old: ClusterTopology, to new: ClusterTopology) {
            if old != told.last { faults.append("the one before is another one") }
            if directory.topology != new { faults.append("what is told is not what is there") }
            told.append(new)
        }

        func topologyKnown() {}
        func topologyUnknown(_ error: RedisError) {}
    }

    @Test(
        "holds what it tells of before it does, and tells each change once, after every short history of redirections"
    )
    func redirections() throws {
        let moves = [(1, 7001), (1, 7002), (2, 7002)].map { ($0, RedisEndpoint(host: "127.0.0.1", port: $1)) }
        func go(_ path: [(Int, RedisEndpoint)]) throws {
            let directory = ClusterDirectory(try RedisURL("redis+cluster://127.0.0.1:1"))
            defer { directory.close() }
            let reader = Reader(directory)
            var (owners, changes): ([Int: RedisEndpoint], Int) = ([:], 0)
            for (slot, endpoint) in path {
                changes += owners.updateValue(endpoint, forKey: slot) == endpoint ? 0 : 1
                directory.note(slot, movedTo: endpoint)
            }
            #expect(reader.faults.isEmpty, "\(path): \(reader.faults)")
            #expect(reader.told.count == changes + 1, "\(path)")
            for (slot, owner) in owners { #expect(directory.topology.owner(of: slot) == owner, "\(path)") }
            if path.count < 3 { for move in moves { try go(path + [move]) } }
        }
        try go([])
    }
}
