import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate

@Suite("A worker on a cluster", .serialized)
@LoopActor
struct ClusterWorkerTests {
    @LoopActor
    private final class Worker: HTTPGateway {
        let port: Int
        let program: RunningProgram
        let redis: (any TestRedis)? = nil

        init(on cluster: RedisCluster) throws {
            port = try freePort()
            let users = ["--observe", "alice,bob,carol"]
            let words = ["worker", "--redis", cluster.address, "--listen", "127.0.0.1:\(port)"] + users
            program = try RunningProgram("todomate", words)
        }

        func finish() async throws {
            let ending = await program.stop()
            #expect(ending == .exit(0))
        }
    }

    private func withWorker(
        on cluster: RedisCluster,
        body: @LoopActor (Worker) async throws -> Void
    ) async throws {
        let worker = try Worker(on: cluster)
        do {
            try await eventually("it observes") { worker.program.errors.contains("message=observing") }
            try await body(worker)
        } catch {
            await worker.program.stop()
            throw error
        }
        try await worker.finish()
    }

    private func value(_ name: String, in metrics: String) -> Double? {
        metrics.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test("is ready and says what is missing while a part is gone; is not when nothing is left")
    func part() async throws {
        try await withRedisCluster { cluster in
            try await withWorker(on: cluster) { worker in
                try await eventually("it is ready") { try await worker.ask("GET /readyz").body == "ready\n" }
                await cluster.nodes[0].server.crash()
                try await eventually("it says what is missing") {
                    let answer = try await worker.ask("GET /readyz")
                    #expect(answer.status == 200)
                    return answer.body.hasPrefix("ready, but 5461 of 16384 slots")
                }
                for node in cluster.nodes.dropFirst() { await node.server.crash() }
                try await eventually("it is not ready") {
                    try await worker.ask("GET /readyz").status == 503
                }
                for node in cluster.nodes { try await node.server.start() }
                try await eventually("it is ready again") {
                    try await worker.ask("GET /readyz").body == "ready\n"
                }
            }
        }
    }

    @Test("is not ready while the nodes refuse because slots are missing")
    func fullCoverage() async throws {
        try await withRedisCluster { cluster in
            for node in cluster.nodes { try await node.cli("CONFIG", "SET", "cluster-require-full-coverage", "yes") }
            try await withWorker(on: cluster) { worker in
                await cluster.nodes[0].server.crash()
                try await eventually("it is not ready") {
                    let answer = try await worker.ask("GET /readyz")
                    return answer.status == 503 && answer.body.contains("refuse")
                }
            }
        }
    }

    @Test("tells whom it is about that a node takes no subscriptions, and is ready and answers in time while one hangs")
    func hanging() async throws {
        try await withRedisCluster { cluster in
            try await withWorker(on: cluster) { worker in
                // One user of the node in trouble, one of another, and one who follows both.
                let affected = try #require(HashSlot.tag(in: { $0 > 12_000 }))
                let other = try #require(HashSlot.tag(in: { $0 < 4000 }))
                let streams = try ["\(affected)", "\(other)", "\(other),\(affected)"].map { users in
                    let stream = try RawConnection(port: worker.port)
                    let target = "/v1/changes?users=\(users)&viewer=\(other)&heartbeat=2"
                    stream.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return stream
                }
                try await eventually("all are open") {
                    streams.allSatisfy { $0.text.contains("event: snapshot") || $0.text.contains("event: heartbeat") }
                }
                let node = cluster.nodes[2]
                @LoopActor func eventuallyTold(_ expected: [Bool], _ what: String) async throws {
                    try await eventually("\(what): \(expected)") {
                        streams.map { $0.lines(after: "data: ").last == #"{"live":false}"# } == expected
                    }
                }
                try await node.cli("ACL", "SETUSER", "default", "-ssubscribe")
                try await node.cli("CLIENT", "KILL", "TYPE", "pubsub")
                try await eventuallyTold([true, false, true], "out of touch, though the node answers")
                try await node.cli("ACL", "SETUSER", "default", "+ssubscribe")
                try await eventuallyTold([false, false, false], "live again")

                node.server.signal(SIGSTOP)
                try await eventually("it says what is missing") {
                    let answer = try await worker.ask("GET /readyz")
                    #expect(answer.status == 200, "\(answer.text)")
                    return answer.body.hasPrefix("ready, but 5462 of 16384 slots")
                }
                try await eventuallyTold([true, false, true], "out of touch")
                node.server.signal(SIGCONT)
                try await eventually("it is ready again") { try await worker.ask("GET /readyz").body == "ready\n" }
            }
        }
    }

    @Test("says which node refuses writes")
    func fullNode() async throws {
        try await withRedisCluster { cluster in
            try await withWorker(on: cluster) { worker in
                try await cluster.nodes[1].cli("CONFIG", "SET", "maxmemory", "1")
                try await eventually("it says so") {
                    let body = try await worker.ask("GET /readyz").body
                    return body.hasPrefix(
                        "ready, but writes are refused: \(cluster.nodes[1].endpoint): Redis is out of memory"
                    )
                }
            }
        }
    }

    @Test("tells who reacted while the node is down that lists who is leaving")
    func reactors() async throws {
        try await withRedisCluster { cluster in
            try await withWorker(on: cluster) { worker in
                let down = try await cluster.owner(of: "todomate:leaving")
                var (here, there): ([String], [String]) = ([], [])
                for name in (1...12).map({ "user\($0)" }) {
                    if try await cluster.owner(of: "todomate:{\(name)}").id == down.id {
                        there.append(name)
                    } else {
                        here.append(name)
                    }
                }
                let (owner, unknown) = try (#require(here.first), #require(there.first))
                try await worker.add(owner, "Dance", id: "t1", visibility: .public)
                for name in [here[1], unknown] {
                    let target = "/v1/users/\(owner)/todos/t1/reactions/\(name)"
                    try await worker.write("PUT \(target)", as: name, #"{"emoji":"👏"}"#)
                }
                await down.server.crash()
                try await eventually("the others are told") {
                    let answer = try await worker.ask("GET /v1/users/\(owner)/todos/t1/reactions", as: owner)
                    return answer.status == 200 && answer.body.contains(here[1]) && !answer.body.contains(unknown)
                }
            }
        }
    }

    @Test("counts slots that moved and subscriptions that followed them")
    func metrics() async throws {
        try await withRedisCluster { cluster in
            try await withWorker(on: cluster) { worker in
                let before = try await worker.ask("GET /metrics").body
                #expect(value("todomate_cluster_slots_moved_total", in: before) == 0)
                #expect(value("todomate_subscriptions_unsettled", in: before) == 0)
                #expect(value("todomate_silent_connections_total", in: before) == 0)
                #expect(value("todomate_subscriptions_out_of_sync_seconds_total", in: before) != nil)
                let owner = try await cluster.owner(of: "todomate:{alice}")
                let target = try #require(cluster.nodes.first { $0.id != owner.id })
                try await cluster.move(HashSlot.of("todomate:{alice}"), to: target)
                try await eventually("it has followed") {
                    let now = try await worker.ask("GET /metrics").body
                    return value("todomate_cluster_slots_moved_total", in: now) == 1
                        && value("todomate_resubscriptions_total", in: now) ?? 0 >= 1
                        && value("todomate_cluster_refreshes_total", in: now) ?? 0 >= 1
                        && value("todomate_subscriptions_unsettled", in: now) == 0
                }
            }
        }
    }

    @Test("tells nothing of clusters where it has one Redis")
    func alone() async throws {
        try await withGateway { _, gateway in
            let metrics = try await gateway.ask("GET /metrics").body
            #expect(!metrics.contains("todomate_cluster_") && !metrics.contains("todomate_subscriptions_"))
        }
    }
}
