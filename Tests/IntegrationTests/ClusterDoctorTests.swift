import EventLoop
import Foundation
import TestServers
import Testing

@Suite("todomate doctor of a cluster", .serialized)
@LoopActor
struct ClusterDoctorTests {
    private func todomate(_ cluster: RedisCluster, _ words: String...) async throws -> Program.Outcome {
        try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": cluster.address])
    }

    private func examine(_ cluster: RedisCluster, _ words: String...) async throws -> (DoctorAnswer, code: Int32?) {
        let environment = ["TODOMATE_REDIS": cluster.address]
        return try DoctorAnswer.read(
            try await Program.run("todomate", ["doctor", "--json"] + words, environment: environment)
        )
    }

    /// Some user whose data are at a node.
    private func user(at node: RedisCluster.Node, of cluster: RedisCluster) async throws -> String {
        for number in 0... {
            if try await cluster.owner(of: "todomate:{user\(number)}").id == node.id { return "user\(number)" }
        }
        return ""
    }

    @Test("looks over every primary, and says it once where they agree")
    func healthy() async throws {
        try await withRedisCluster(primaries: 3, replicas: 1, "--appendonly", "yes", "--aof-load-truncated", "no") {
            cluster in
            for uid in ["alice", "bob", "carol", "dave"] {
                let added = try await todomate(cluster, "add", uid, "milk")
                #expect(added.ending == .exit(0), "\(added)")
            }
            _ = try await todomate(cluster, "follow", "alice", "bob")
            _ = try await todomate(cluster, "library", "load")
            let (report, code) = try await examine(cluster)
            #expect(code == 0, "\(report.findings)")
            #expect(report.findings.allSatisfy { $0.severity == "ok" }, "\(report.findings)")
            #expect(report.finding("cluster", "3 primaries serve all slots") != nil)
            #expect(report.findings.count { $0.topic == "version" } == 1)
            #expect(report.finding("latency", "; the 2 other nodes are well, too") != nil)
            #expect(report.finding("keys", "4 todos of 4 users: ") != nil)
            let ready = try await todomate(cluster, "doctor", "--ready")
            #expect(ready.ending == .exit(0) && ready.output == "ready\n", "\(ready)")
        }
    }

    @Test("names the node without the library or with other settings, and a slot that is left on its way")
    func oneNode() async throws {
        try await withRedisCluster("--appendonly", "yes", "--aof-load-truncated", "no") { cluster in
            _ = try await todomate(cluster, "add", "alice", "milk")
            let node = cluster.nodes[1]
            try await node.cli("FUNCTION", "FLUSH")
            try await node.cli("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
            let slot = 16_000
            try await cluster.beginMove(of: slot, to: node)
            let (report, code) = try await examine(cluster)
            #expect(code == 2, "\(report.findings)")
            let missing = try #require(report.finding("functions", "the library is not there yet"))
            #expect(missing.severity == "note" && missing.message.contains("\(node.endpoint)"))
            #expect(report.finding("eviction", "\(node.endpoint): allkeys-lru")?.severity == "warning")
            let way = "\(slot) from \(cluster.nodes[2].endpoint) to \(node.endpoint)"
            let moving = try #require(report.finding("slots", way))
            #expect(moving.severity == "note" && moving.advice?.contains("redis-cli --cluster fix") == true)
            #expect(report.finding("replication", "no replica")?.severity == "warning")
        }
    }

    @Test("says which primary is gone and which slots with it, and checks the todos no further")
    func lostPrimary() async throws {
        try await withRedisCluster { cluster in
            let node = cluster.nodes[2]
            let (lost, kept) = (
                try await user(at: node, of: cluster), try await user(at: cluster.nodes[0], of: cluster)
            )
            for uid in [lost, kept] { _ = try await todomate(cluster, "add", uid, "milk") }
            await node.server.crash()
            try await eventually("the others know") {
                let (report, code) = try await examine(cluster)
                return code == 1 && report.finding("nodes", "\(node.endpoint) has failed") != nil
            }
            let (report, _) = try await examine(cluster)
            #expect(report.finding("nodes", "\(node.endpoint) does not answer")?.severity == "error")
            #expect(report.finding("cluster", "5462 slots are served by nobody (10922-16383)")?.severity == "error")
            #expect(report.finding("todos", "not checked")?.severity == "note")
            #expect(report.finding("keys", "") == nil)
            let ready = try await todomate(cluster, "doctor", "--ready")
            #expect(ready.ending == .exit(0) && ready.output.contains("ready, but "), "the others are served: \(ready)")
        }
    }

    @Test("a node that hangs is named once, and the others are looked over and listed without it")
    func silentNode() async throws {
        try await withRedisCluster { cluster in
            let node = cluster.nodes[2]
            let (lost, kept) = (
                try await user(at: node, of: cluster), try await user(at: cluster.nodes[0], of: cluster)
            )
            for uid in [lost, kept] {
                let added = try await Program.run(
                    "sh",
                    ["-c", "printf 'correct horse\\n' | \(Program.builtPrograms.path)/todomate user add \(uid)"],
                    environment: ["TODOMATE_REDIS": cluster.address]
                )
                #expect(added.ending == .exit(0), "\(added)")
            }
            let all = try await todomate(cluster, "user", "list")
            #expect(all.ending == .exit(0) && all.output.contains(lost) && all.output.contains(kept), "\(all)")
            node.server.signal(SIGSTOP)
            defer { node.server.signal(SIGCONT) }
            let list = try await todomate(cluster, "user", "list", "--json")
            #expect(list.ending == .exit(69), "\(list)")
            #expect(
                list.output.contains("\"uid\":\"\(kept)\"") && !list.output.contains("\"uid\":\"\(lost)\""),
                "\(list)"
            )
            #expect(list.errors.contains("the accounts at \(node.endpoint) are missing here"), "\(list.errors)")
            // What must be complete is refused.
            let export = try await todomate(cluster, "export")
            #expect(export.ending == .exit(69), "\(export)")
            let (report, code) = try await examine(cluster)
            #expect(code == 1)
            #expect(report.findings.count { $0.topic == "nodes" && $0.message.contains("does not answer") } == 1)
            #expect(
                report.finding("version", "Redis") != nil && report.finding("latency", "ms to an answer") != nil,
                "\(report.findings)"
            )
            #expect(report.finding("todos", "not checked")?.severity == "note")
        }
    }

    @Test("repairs todos and followings across nodes")
    func repair() async throws {
        try await withRedisCluster("--appendonly", "yes") { cluster in
            let (one, other) = (
                try await user(at: cluster.nodes[0], of: cluster), try await user(at: cluster.nodes[1], of: cluster)
            )
            _ = try await todomate(cluster, "add", one, "milk", "--id", "t1")
            _ = try await todomate(cluster, "follow", one, other)
            _ = try await todomate(cluster, "accept", other, one)
            try await cluster.nodes[0].cli("ZREM", "todomate:{\(one)}:days", "t1")
            try await cluster.nodes[1].cli("ZREM", "todomate:{\(other)}:followers", one)
            let (found, code) = try await examine(cluster)
            #expect(code == 1 && found.errors.count == 2, "\(found.errors)")
            let (repaired, _) = try await examine(cluster, "--repair")
            #expect(repaired.finding("keys", "(repaired)") != nil && repaired.finding("following", "(repaired)") != nil)
            let (after, _) = try await examine(cluster)
            #expect(after.errors.isEmpty, "\(after.errors)")
        }
    }
}
