import Testing

@testable import TodoMateCLI

@Suite("The doctor's findings about a cluster")
struct ClusterFindingsTests {
    /// Three primaries a, b and c with a replica each, as CLUSTER NODES has them, without who was asked.
    private static let good = """
        a 10.0.0.1:6379@16379 master - 0 0 1 connected 0-5460
        b 10.0.0.2:6379@16379,redis-2 master - 0 0 2 connected 5461-10922
        c 10.0.0.3:6379@16379 master - 0 0 3 connected 10923-16383
        d 10.0.0.4:6379@16379 slave a 0 0 1 connected
        e 10.0.0.5:6379@16379 slave b 0 0 2 connected
        f 10.0.0.6:6379@16379 slave c 0 0 3 connected
        """
    private static let info = "cluster_state:ok\r\ncluster_slots_assigned:16384\r\n"

    /// How the primaries among `asked` see a cluster.
    private func views(
        _ nodes: String = good,
        asked: String = "abc",
        info: String = info,
        facts: [String: String] = [:],
        config: [String: String] = [:]
    ) -> [ClusterView] {
        asked.enumerated().map { index, id in
            let lines = nodes.split(separator: "\n").map { line in
                line.hasPrefix("\(id) ") ? String(line).replacing(" master ", with: " myself,master ") : String(line)
            }
            // Slots on their way are told by either end alone.
            let seen = lines.map { $0.contains("myself") ? $0 : String($0.prefix { $0 != "[" }) }
            let text = facts["\(id)"] ?? "connected_slaves:1\r\nused_memory:2000000"
            return ClusterView(
                node: "10.0.0.\(index + 1):6379",
                info: info,
                nodes: seen.joined(separator: "\n"),
                facts: ServerFacts(info: text, config: config)
            )
        }
    }

    private func findings(_ views: [ClusterView]) -> [Finding] { ClusterFindings.findings(views) }

    @Test("finds nothing to do about a good one")
    func good() {
        let findings = findings(views())
        #expect(
            findings == [
                .ok("cluster", "3 primaries serve all slots"), .ok("load", "slots and keys are spread evenly"),
            ]
        )
    }

    @Test("names slots that nobody serves, and keeps todos from being checked")
    func uncovered() throws {
        let nodes = Self.good.replacing("5461-10922", with: "5461-9000 9005-10000")
        let finding = try #require(findings(views(nodes)).first { $0.severity == .error })
        #expect(finding.message.contains("926 slots are served by nobody (9001-9004, 10001-10922)"), "\(finding)")
        #expect(finding.advice?.contains("--cluster fix 10.0.0.1:6379 ") == true && finding.keepsTodosFromSight)
    }

    @Test("names a primary that failed without anybody in its place")
    func failedPrimary() {
        let nodes = Self.good.replacing("redis-2 master", with: "redis-2 master,fail")
        let found = findings(views(nodes, asked: "a") + views(nodes, asked: "c").map { $0 })
        #expect(found.contains { $0.severity == .error && $0.message.hasPrefix("10.0.0.2:6379 has failed") })
        #expect(found.contains { $0.message.contains("5462 slots are served by nobody (5461-10922)") })
        #expect(!found.contains { $0.severity == .ok && $0.topic == "cluster" })
    }

    @Test("warns of a replica that failed, and of nodes that some do not reach")
    func failedReplica() throws {
        let failed = Self.good.replacing("6379@16379 slave b", with: "6379@16379 slave,fail b")
        let finding = try #require(findings(views(failed)).first { $0.topic == "nodes" })
        #expect(
            finding.severity == .warning && finding.message == "10.0.0.5:6379, a replica of 10.0.0.2:6379, has failed"
        )
        #expect(finding.advice?.contains("--cluster del-node 10.0.0.1:6379 e") == true)
        let doubtful = Self.good.replacing("redis-2 master", with: "redis-2 master,fail?")
        let doubt = try #require(findings(views(doubtful, asked: "a")).first { $0.topic == "nodes" })
        #expect(doubt.severity == .warning && doubt.message.contains("10.0.0.2:6379 does not answer some"))
    }

    @Test("warns of replicas that do not follow")
    func unconnected() throws {
        let finding = try #require(
            findings(views(facts: ["b": "connected_slaves:0\nused_memory:2000000"])).first { $0.topic == "replication" }
        )
        #expect(finding.severity == .warning && finding.message == "10.0.0.2:6379: not all replicas are connected")
    }

    @Test("says who refuses all keys, and that one missing slot would be enough for that")
    func down() throws {
        let found = findings(
            views(info: "cluster_state:fail\r\n", config: ["cluster-require-full-coverage": "yes"])
        )
        let error = try #require(found.first { $0.severity == .error })
        #expect(error.message.hasPrefix("10.0.0.1:6379, 10.0.0.2:6379, 10.0.0.3:6379: cluster_state is fail"))
        let note = try #require(found.first { $0.severity == .note })
        #expect(note.message.hasPrefix("as soon as one slot") && note.advice?.contains("coverage no") == true)
    }

    @Test("notes slots that are moving, once, with where from and where to")
    func moving() throws {
        let nodes = Self.good.replacing("0-5460", with: "0-5460 [7->-b] [8->-b]")
            .replacing("5461-10922", with: "5461-10922 [7-<-a] [8-<-a] [10999-<-c]")
        let finding = try #require(findings(views(nodes)).first { $0.topic == "slots" })
        #expect(finding.severity == .note && finding.advice?.contains("--cluster fix 10.0.0.1:6379") == true)
        let way = "7-8 from 10.0.0.1:6379 to 10.0.0.2:6379; 10999 from 10.0.0.3:6379 to 10.0.0.2:6379"
        #expect(finding.message.contains(way), "\(finding)")
    }

    @Test("warns of nodes that do not agree who serves what")
    func disagreement() throws {
        let other = Self.good.replacing("0-5460", with: "0-5400").replacing("5461-10922", with: "5401-10922")
        let found = findings(views(asked: "a") + views(other, asked: "b"))
        let finding = try #require(found.first { $0.severity == .warning })
        #expect(finding.message == "the nodes do not agree who serves the slots 5401-5460")
    }

    @Test("warns of too few primaries for a majority, and notes one without slots")
    func shape() {
        let two =
            "a 10.0.0.1:6379@1 master - 0 0 1 connected 0-8191\nb 10.0.0.2:6379@1 master - 0 0 2 connected 8192-16383"
        let few = findings(views(two, asked: "ab", facts: ["a": "x:0", "b": "x:0"]))
        #expect(few.contains { $0.severity == .warning && $0.message.hasPrefix("2 primaries: no majority") })
        let empty = findings(views(Self.good + "\ng 10.0.0.7:6379@16379 master - 0 0 0 connected"))
        #expect(empty.contains { $0.severity == .note && $0.message.hasPrefix("10.0.0.7:6379: no slots") })
    }

    @Test("judges how evenly slots, keys and memory are spread")
    func load() throws {
        let uneven = Self.good.replacing("0-5460", with: "0-9999").replacing("5461-10922", with: "10000-10922")
        let slots = try #require(findings(views(uneven)).first { $0.topic == "load" })
        #expect(slots.severity == .note && slots.message == "10.0.0.1:6379 serves 10000 slots, 1.8 times the mean")
        let busy = "connected_slaves:1\nused_memory:900000000\ndb0:keys=9000,expires=0,avg_ttl=0"
        let idle = "connected_slaves:1\nused_memory:2000000\ndb0:keys=10,expires=0,avg_ttl=0"
        let found = findings(views(facts: ["a": idle, "b": idle, "c": busy])).filter { $0.topic == "load" }
        #expect(found.map(\.severity) == [.warning, .warning])
        #expect(found[0].message == "10.0.0.3:6379 holds 9000 keys, 3.0 times the mean")
        #expect(found[1].message.hasPrefix("10.0.0.3:6379 uses 858 MiB"))
    }

    @Test("puts what nodes agree in on one line, and otherwise names them")
    func together() {
        let (good, other) = (Finding.ok("version", "Redis 7.0.15"), Finding.ok("version", "Redis 7.2.0"))
        let bad = Finding.error("eviction", "allkeys-lru", "set it")
        #expect(
            NodeFindings.together([.init(node: "a", findings: [good]), .init(node: "b", findings: [good, bad])])
                == [good, .error("eviction", "b: allkeys-lru", "set it")]
        )
        #expect(
            NodeFindings.together([.init(node: "a", findings: [good]), .init(node: "b", findings: [other])])
                == [.ok("version", "a: Redis 7.0.15; the other node is well, too")]
        )
        #expect(NodeFindings.names(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more")
    }

    @Test("takes a node of a cluster for well that was named as one, and wants a replica for it")
    func node() {
        let facts = ServerFacts(info: "redis_version:7.0.15\nredis_mode:cluster\nrole:master", config: [:])
        let found = ServerFindings.findings(facts, isInCluster: true)
        #expect(found.contains(.ok("version", "Redis 7.0.15")))
        #expect(found.contains { $0.topic == "replication" && $0.severity == .warning })
        #expect(ServerFindings.findings(facts).contains { $0.severity == .error && $0.message.contains("Cluster") })
    }
}
