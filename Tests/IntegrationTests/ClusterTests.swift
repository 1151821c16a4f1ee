import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("A worker on a cluster")
@LoopActor
struct ClusterTests {
    private static let slot = HashSlot.of("todomate:{alice}")

    /// Adds todos for alice one after the other until told to stop, each until it is acknowledged.
    private final class Writing {
        private(set) var acknowledged: [Int] = []
        private(set) var refusals: [TodoError] = []
        private var isOver = false
        private var task: Task<Void, Never>?
        private let repository: RedisTodoRepository
        private var day: CalendarDate

        @LoopActor
        init(_ cluster: RedisCluster) throws {
            repository = RedisTodoRepository(cluster.url, timeout: .seconds(60))
            day = try #require(CalendarDate("2026-11-20"))
        }

        @LoopActor
        func start() {
            task = Task { @LoopActor in
                while !isOver {
                    // A month holds 10,000.
                    if acknowledged.count % 300 == 299 { day = day.adding(days: 1) }
                    let draft = TodoDraft(date: day, content: "x")
                    do throws(TodoError) {
                        let write = try await repository.add(draft, for: "alice")
                        if let version = write.change?.id?.version { acknowledged.append(version) }
                    } catch {
                        refusals.append(error)
                    }
                    // The log holds a thousand changes: who follows a new primary seconds later is to find them all.
                    await LoopTimer.sleep(for: .milliseconds(10))
                }
            }
        }

        @LoopActor
        func finish() async {
            isOver = true
            await task?.value
            repository.close()
        }
    }

    /// Runs `body` while alice's todos are written, with a worker that prints her changes; then expects that the worker has told
    /// each once and in order, as her log has them.
    private func withWriting(
        _ cluster: RedisCluster,
        body: @LoopActor (Writing) async throws -> Void
    ) async throws {
        let worker = try RunningProgram(
            "todomate",
            ["worker", "--redis", cluster.address, "--observe", "alice", "--json"]
        )
        try await eventually("the worker observes") { worker.errors.contains("message=observing") }
        let writing = try Writing(cluster)
        writing.start()
        try await eventually("it is written") { !writing.acknowledged.isEmpty }
        try await body(writing)
        let before = writing.acknowledged.count
        try await eventually("it is still written") { writing.acknowledged.count > before + 3 }
        await writing.finish()
        let last = try #require(writing.acknowledged.last)
        try await eventually("the worker tells the last") { worker.versions.last == last }
        #expect(worker.versions == Array(1...last))
        #expect(writing.acknowledged == Array(1...last), "each write has a version of its own, and none is lost")
        #expect(writing.refusals.first == nil)
        #expect(await worker.stop() == .exit(0))
    }

    @Test("tells each change once, while the user's slot moves from node to node key by key")
    func migration() async throws {
        try await withRedisCluster { cluster in
            try await withWriting(cluster) { writing in
                for round in 1...6 {
                    let target = cluster.nodes[round % 3]
                    guard try await cluster.owner(of: Self.slot).id != target.id else { continue }
                    try await cluster.beginMove(of: Self.slot, to: target)
                    try await cluster.moveKeys(1, of: Self.slot, to: target)
                    try await cluster.moveKeys(100, of: Self.slot, to: target)
                    try await cluster.endMove(of: Self.slot, to: target)
                    let before = writing.acknowledged.count
                    try await eventually("the new node takes writes") { writing.acknowledged.count > before + 3 }
                }
            }
        }
    }

    @Test("tells each change once, while primaries die and their replicas take over, one after the other")
    func failover() async throws {
        try await withRedisCluster(replicas: 1) { cluster in
            try await withWriting(cluster) { writing in
                for _ in 1...2 {
                    let primary = try await cluster.owner(of: Self.slot)
                    // Nothing is under way that only the primary has.
                    try await primary.cli("CLIENT", "PAUSE", "20000", "WRITE")
                    try await cluster.waitUntilPassedOn(from: primary)
                    await primary.server.crash()
                    try await eventually("the replica is the primary") {
                        try await ![nil, primary.id].contains(cluster.ownerIfAny(of: Self.slot)?.id)
                    }
                    let before = writing.acknowledged.count
                    try await eventually("it takes writes") { writing.acknowledged.count > before + 3 }
                    try await primary.server.start()
                    try await cluster.waitUntilReplicated()
                }
            }
        }
    }

    @Test("tells each change once, when a primary is demoted and goes on answering")
    func demotion() async throws {
        try await withRedisCluster(replicas: 1) { cluster in
            try await withWriting(cluster) { writing in
                for _ in 1...2 {
                    let old = try await cluster.owner(of: Self.slot)
                    let replica = try #require(try await cluster.replica(of: old))
                    try await replica.cli("CLUSTER", "FAILOVER")
                    try await eventually("the replica is the primary") {
                        try await cluster.owner(of: Self.slot).id == replica.id
                    }
                    let before = writing.acknowledged.count
                    try await eventually("it takes writes") { writing.acknowledged.count > before + 3 }
                    try await cluster.waitUntilReplicated()
                }
            }
        }
    }

    @Test("tells each change once, when the primary that was demoted becomes the replica of another one")
    func replicaMoved() async throws {
        try await withRedisCluster(replicas: 1) { cluster in
            try await withWriting(cluster) { writing in
                let old = try await cluster.owner(of: Self.slot)
                let replica = try #require(try await cluster.replica(of: old))
                try await replica.cli("CLUSTER", "FAILOVER")
                try await eventually("the replica is the primary") {
                    try await cluster.owner(of: Self.slot).id == replica.id
                }
                // At once: what it held for the slot's readers goes without another word (redis/redis#12558).
                let other = try #require(try await cluster.primaries().first { $0.id != replica.id })
                try await eventually("it is another one's replica") {
                    try await old.cli("CLUSTER", "REPLICATE", other.id) == "OK"
                }
                try await cluster.waitUntilReplicated()
                let before = writing.acknowledged.count
                try await eventually("writes go on") { writing.acknowledged.count > before + 3 }
            }
        }
    }

    @Test("tells each change once, when a new node takes the user's slot, which has no functions yet")
    func newcomer() async throws {
        try await withRedisCluster { cluster in
            try await withWriting(cluster) { _ in
                let node = try await cluster.addNode()
                try await cluster.waitUntilAgreed()
                #expect(try await node.cli("FUNCTION", "LIST") == "")
                try await cluster.move(Self.slot, to: node)
                try await eventually("it has the functions") {
                    try await node.cli("FUNCTION", "LIST").contains("todomate")
                }
                // And takes it away again, and leaves.
                try await cluster.move(Self.slot, to: cluster.nodes[0])
            }
        }
    }

    @Test("tells each change once, when its connections are cut and the slot is elsewhere by then")
    func cut() async throws {
        try await withRedisCluster { cluster in
            try await withWriting(cluster) { _ in
                for round in 1...4 {
                    try await cluster.move(Self.slot, to: cluster.nodes[round % 3])
                    for node in cluster.nodes { try await node.cli("CLIENT", "KILL", "TYPE", "pubsub") }
                }
            }
        }
    }

    @Test("tells each change once, when all nodes that its URL names leave, one after the other, for new ones")
    func replaced() async throws {
        try await withRedisCluster { cluster in
            try await withWriting(cluster) { writing in
                for old in cluster.nodes {
                    let new = try await cluster.addNode()
                    try await cluster.waitUntilAgreed()
                    try await new.cli("CLUSTER", "REPLICATE", old.id)
                    try await cluster.waitUntilReplicated()
                    try await new.cli("CLUSTER", "FAILOVER")
                    try await eventually("the new node has taken its slots") {
                        try await cluster.hasReplaced(old)
                    }
                    try await cluster.waitUntilReplicated()
                    try await cluster.remove(old)
                }
                // Nobody is left whom the worker was told of; a cut makes it ask again.
                for node in cluster.nodes { try await node.cli("CLIENT", "KILL", "TYPE", "pubsub") }
                let before = writing.acknowledged.count
                try await eventually("the new nodes take writes") { writing.acknowledged.count > before + 3 }
            }
        }
    }

    @Test("says when nobody serves the user's slot, and goes on once somebody does")
    func uncovered() async throws {
        try await withRedisCluster(primaries: 3, "--appendonly", "yes", "--appendfsync", "always") { cluster in
            let owner = try await cluster.owner(of: Self.slot)
            let environment = ["TODOMATE_REDIS": cluster.address]
            let added = try await Program.run("todomate", ["add", "alice", "milk"], environment: environment)
            #expect(added.ending == .exit(0), "\(added.errors)")
            await owner.server.crash()
            let refused = try await Program.run(
                "todomate",
                ["add", "alice", "bread", "--timeout", "1s"],
                environment: environment
            )
            #expect(refused.ending == .exit(69))
            #expect(refused.errors.contains("nothing was done"), "\(refused.errors)")
            try await owner.server.start()
            let list = try await Program.run(
                "todomate",
                ["list", "alice", "--timeout", "20s"],
                environment: environment
            )
            #expect(list.output.contains("milk") && !list.output.contains("bread"), "\(list.errors)")
        }
    }

    @Test(
        "waits for a node that hangs for as long as it was told, and no longer, though it looks for the functions first"
    )
    func hanging() async throws {
        try await withRedisCluster { cluster in
            let owner = try await cluster.owner(of: Self.slot)
            owner.server.signal(SIGSTOP)
            let clock = ContinuousClock()
            let began = clock.now
            let refused = try await Program.run(
                "todomate",
                ["add", "alice", "bread", "--timeout", "6s"],
                environment: ["TODOMATE_REDIS": cluster.address]
            )
            // Twice as long is what two questions in a row would take.
            #expect(clock.now - began < .seconds(11))
            owner.server.signal(SIGCONT)
            #expect(refused.ending == .exit(69), "\(refused)")
        }
    }

    @Test("is told how to name a cluster, and a server that is none")
    func names() async throws {
        try await withRedisCluster(primaries: 1) { cluster in
            let node = cluster.nodes[0]
            let asServer = try await Program.run(
                "todomate",
                ["list", "alice"],
                environment: ["TODOMATE_REDIS": "redis://\(node.endpoint)"]
            )
            #expect(asServer.ending == .exit(69))
            #expect(asServer.errors.contains("name it as redis+cluster://\(node.endpoint)"), "\(asServer.errors)")
        }
        try await withRedis { server in
            let port = try await server.openPort()
            let asCluster = try await Program.run(
                "todomate",
                ["list", "alice"],
                environment: ["TODOMATE_REDIS": "redis+cluster://127.0.0.1:\(port)"]
            )
            #expect(asCluster.ending == .exit(69))
            #expect(asCluster.errors.contains("name it as redis://127.0.0.1:\(port)"), "\(asCluster.errors)")
        }
    }
}
