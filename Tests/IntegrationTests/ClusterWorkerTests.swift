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

    /// Names whose data are at a node.
    private func names(_ count: Int, at node: Int) -> [String] {
        var (names, number): ([String], Int) = ([], 0)
        while names.count < count {
            number += 1
            if HashSlot.of("todomate:{user\(number)}") * 3 / HashSlot.count == node { names.append("user\(number)") }
        }
        return names
    }

    private struct Feed: Decodable {
        struct Item: Decodable { var id: String }
        var items: [Item]
        var missing: Int?
    }

    private func feed(of viewer: String, _ worker: Worker) async throws -> Feed? {
        let answer = try await worker.ask("GET /v1/users/\(viewer)/feed?zone=UTC&limit=100")
        return answer.status == 200 ? try JSONDecoder().decode(Feed.self, from: Data(answer.body.utf8)) : nil
    }

    private func badges(of viewer: String, _ worker: Worker) async throws -> Badges? {
        let answer = try await worker.ask("GET /v1/users/\(viewer)/badges?zone=UTC")
        return answer.status == 200 ? try JSONDecoder().decode(Badges.self, from: Data(answer.body.utf8)) : nil
    }

    @Test(
        "has a feed and badges without those whose node is away, and waits once for all of them",
        arguments: ["silent", "down"]
    )
    func missing(_ way: String) async throws {
        try await withRedisCluster(primaries: 3, replicas: 0, "--appendonly", "yes") { cluster in
            try await withWorker(on: cluster) { worker in
                let here = names(4, at: 0)
                let (viewer, near, away) = (here[0], here.dropFirst() + names(3, at: 1), names(30, at: 2))
                for uid in near + away {
                    for (path, body) in [
                        ("PUT /v1/users/\(viewer)/following/\(uid)", ""),
                        ("PUT /v1/users/\(uid)/followers/\(viewer)", ""),
                        ("POST /v1/users/\(uid)/todos", #"{"id":"t1","content":"x","date":"2026-11-20"}"#),
                    ] { #expect(try await [200, 201].contains(worker.ask(path, body: body).status)) }
                }
                #expect(try await badges(of: viewer, worker) == Badges.of(feed: 36))
                let stream = try RawConnection(port: worker.port)
                let target = "/v1/changes?users=\(viewer)&viewer=\(viewer)&zone=UTC"
                stream.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                @LoopActor func told() -> String? { stream.text.components(separatedBy: "event: badges\n").last }
                try await eventually("all are counted") {
                    told()?.contains(#""feed":36,"requests":0,"more":0}"#) == true
                }

                let node = cluster.nodes[2].server
                if way == "silent" { node.signal(SIGSTOP) } else { await node.crash() }
                // Left half-way, with somebody who is away.
                let unknown = names(31, at: 2)[30]
                #expect(try await worker.ask("PUT /v1/users/\(viewer)/following/\(unknown)", body: "").status == 503)
                for read in 1...2 {
                    let begun = ContinuousClock.now
                    let feed = try #require(try await feed(of: viewer, worker), "read \(read)")
                    #expect(feed.items.count == 6 && feed.missing == 30)
                    #expect(try await badges(of: viewer, worker) == Badges.of(feed: 6, missing: 30))
                    // Twice five seconds, and one for the pair; eight rounds of five would be forty.
                    #expect(begun.duration(to: .now) < .seconds(20))
                }
                try await eventually("the stream says so") { told()?.contains(#""missing":30}"#) == true }
                let command = try await Program.run("todomate", ["feed", viewer, "--redis", cluster.address])
                #expect(command.ending == .exit(0) && command.output.split(separator: "\n").count == 6)
                #expect(command.errors.contains("what 30 people did is missing"))
                let asJSON = try await Program.run(
                    "todomate",
                    ["badges", viewer, "--json", "--redis", cluster.address]
                )
                #expect(asJSON.output.contains(#""feed":6,"#) && asJSON.output.contains(#""missing":30}"#))
                let alone = try await worker.ask("GET /v1/users/\(away[0])/feed?zone=UTC")
                #expect(alone.status == 503)

                if way == "silent" { node.signal(SIGCONT) } else { try await node.start() }
                try await eventually("all are back", within: .seconds(30)) {
                    let feed = try await feed(of: viewer, worker)
                    return feed?.items.count == 36 && feed?.missing == nil
                }
                try await eventually("all are counted again") {
                    told()?.contains(#""feed":36,"requests":0,"more":0}"#) == true
                }
                #expect(try await badges(of: viewer, worker) == Badges.of(feed: 36))
            }
        }
    }

    @Test("tells a stream that comes while a node has long been silent so before it ever calls it live")
    func silentBefore() async throws {
        try await withRedisCluster { cluster in
            try await withWorker(on: cluster) { worker in
                let (affected, other) = (names(1, at: 2)[0], names(1, at: 0)[0])
                let node = cluster.nodes[2].server
                node.signal(SIGSTOP)
                // Until nodes and workers have found out what they do.
                try await eventually("it says what is missing") {
                    try await worker.ask("GET /readyz").body.hasPrefix("ready, but 5462 of 16384 slots")
                }
                let begun = ContinuousClock.now
                let streams = try [affected, other].map { uid in
                    let stream = try RawConnection(port: worker.port)
                    let target = "/v1/changes?users=\(uid)&viewer=\(other)&heartbeat=2"
                    stream.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return stream
                }
                @LoopActor func beats(_ stream: RawConnection) -> [String] {
                    stream.lines(after: "data: ").filter { $0 == "{}" || $0.hasPrefix(#"{"live""#) }
                }
                try await eventually("both are told") { streams.allSatisfy { beats($0).count > 2 } }
                #expect(Set(beats(streams[0])) == [#"{"live":false}"#] && Set(beats(streams[1])) == ["{}"])
                #expect(begun.duration(to: .now) < .seconds(20))
                node.signal(SIGCONT)
                try await eventually("it is live") { beats(streams[0]).last == "{}" }
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
                #expect(value("todomate_probes_refused", in: before) == 0)
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

extension Badges {
    fileprivate static func of(feed: Int, missing: Int? = nil) -> Badges {
        Badges(OwnBadges(today: 0, open: 0, requests: 0, feedSeen: 0), feed: feed, missing: missing)
    }
}
