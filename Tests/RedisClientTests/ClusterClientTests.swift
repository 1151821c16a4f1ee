import EventLoop
import Foundation
import TestServers
import Testing

@testable import RedisClient

@Suite("Clients of a cluster")
@LoopActor
struct ClusterClientTests {
    private func withClient(
        _ cluster: RedisCluster,
        timeout: Duration = .seconds(10),
        _ body: @LoopActor (RedisClient) async throws -> Void
    ) async throws {
        let client = RedisClient(cluster.url, timeout: timeout)
        defer { client.close() }
        try await body(client)
    }

    /// Those of clients, but redis-cli: a node that has given its last slot away follows its new owner.
    private func connections(_ node: RedisCluster.Node) async throws -> [String] {
        let normal: [Substring] = try await node.cli("CLIENT", "LIST", "TYPE", "normal").split(separator: "\n")
        let subscribed: [Substring] = try await node.cli("CLIENT", "LIST", "TYPE", "pubsub").split(separator: "\n")
        // Nor those over which other nodes have sent keys.
        let clients = normal.filter { !$0.contains("cmd=client|list") && !$0.contains(" name= ") }
        return (clients + subscribed).map(String.init)
    }

    @Test("find each key where its slot is, over one connection a node")
    func routing() async throws {
        try await withRedisCluster { cluster in
            try await withClient(cluster) { client in
                for number in 0..<60 { try await client.send(RedisCommand("SET", "k\(number)", "\(number)")) }
                var values: [String?] = []
                for number in 0..<60 { values.append(try await client.send(RedisCommand("GET", "k\(number)")).string) }
                #expect(values == (0..<60).map { "\($0)" })
                for node in cluster.nodes {
                    let slot = try await node.cli("CLUSTER", "KEYSLOT", "todomate:{alice}:log")
                    #expect(Int(slot) == HashSlot.of("todomate:{alice}:log"))
                    let keys = try await node.cli("DBSIZE")
                    #expect(keys != "0", "each node has its share")
                    let own = try await connections(node).filter { !$0.contains("cmd=cluster|") }
                    #expect(own.count == 1, "\(own)")
                }
            }
        }
    }

    @Test("send a command again where the slot has gone, and read a key that has gone before its slot")
    func redirection() async throws {
        try await withRedisCluster { cluster in
            try await withClient(cluster) { client in
                let slot = HashSlot.of("{m}a")
                for name in ["{m}a", "{m}b"] { try await client.send(RedisCommand("SET", name, name)) }
                let source = try await cluster.owner(of: slot)
                let target = try #require(cluster.nodes.first { $0.id != source.id })
                try await cluster.beginMove(of: slot, to: target)
                try await cluster.moveKeys(1, of: slot, to: target)
                // One is here and one there: only for a single key that can be told.
                for name in ["{m}a", "{m}b"] {
                    #expect(try await client.send(RedisCommand("GET", name)).string == name)
                }
                let script = RedisCommand("EVAL", "return redis.call('GET', KEYS[1])", "2", "{m}a", "{m}b")
                let waiting = Task { try await client.send(script).string }
                try await cluster.moveKeys(10, of: slot, to: target)
                try await cluster.endMove(of: slot, to: target)
                #expect(try await waiting.value == "{m}a")
                // It may have been answered by ASK, before the slot had another owner.
                #expect(try await client.send(RedisCommand("GET", "{m}a")).string == "{m}a")
                try await eventually("its new owner is known") {
                    client.directory?.topology.owner(of: slot) == target.endpoint
                }
            }
        }
    }

    @Test("do not ask without end while nobody serves a slot, and say what they waited for")
    func uncovered() async throws {
        try await withRedisCluster { cluster in
            try await withClient(cluster, timeout: .seconds(3)) { client in
                try await client.send(RedisCommand("SET", "{m}a", "1"))
                let owner = try await cluster.owner(of: HashSlot.of("{m}a"))
                await owner.server.crash()
                let before = client.directory?.refreshes ?? 0
                let questions = (0..<50).map { _ in
                    Task { () async -> String in
                        do throws(RedisError) {
                            try await client.send(RedisCommand("GET", "{m}a"))
                            return "answered"
                        } catch {
                            return error.description
                        }
                    }
                }
                var errors: [String] = []
                for question in questions { errors.append(await question.value) }
                #expect(errors.contains { $0.contains("nothing was done") }, "\(Set(errors))")
                #expect(!errors.contains("answered"))
                let refreshes = (client.directory?.refreshes ?? 0) - before
                #expect(refreshes < 40, "\(refreshes) refreshes in 3 seconds")
            }
        }
    }

    @Test("find a cluster that was replaced by another one at a named address, and forget the old")
    func replaced() async throws {
        try await withRedisCluster(primaries: 2) { old in
            try await withRedisCluster(primaries: 1) { new in
                let first = try #require(old.nodes.first).endpoint
                let second = try #require(new.nodes.first).endpoint
                await new.nodes[0].server.crash()
                let client = RedisClient(RedisURL(.cluster([first, second])), timeout: .seconds(20))
                defer { client.close() }
                try await client.send(RedisCommand("SET", "k", "old"))
                for node in old.nodes { await node.server.crash() }
                try await new.restart(new.nodes[0])
                var answer: RedisValue?
                try await eventually("the new one answers") {
                    do throws(RedisError) {
                        answer = try await client.send(RedisCommand("GET", "k"))
                        return true
                    } catch .connectionLost {
                        return false
                    }
                }
                #expect(answer == .null)
                try await eventually("it knows the new one alone") {
                    client.directory?.topology.primaries == [second]
                }
            }
        }
    }

    @Test("keep one connection a node over many moves, and none to those that have left")
    func leaks() async throws {
        try await withRedisCluster { cluster in
            let client = RedisClient(cluster.url, timeout: .seconds(10))
            defer { client.close() }
            let subscriber = RedisSubscriber(cluster.url, sharing: client)
            defer { subscriber.close() }
            let listener = RecordingListener()
            subscriber.subscribe(.channel("{m}"), listener)
            let slot = HashSlot.of("m")
            for round in 0..<6 {
                try await cluster.move(slot, to: cluster.nodes[round % 3])
                try await client.send(RedisCommand("SET", "{m}", "\(round)"))
                try await eventually("it is subscribed there") {
                    try await cluster.nodes[round % 3].cli("PUBSUB", "SHARDNUMSUB", "{m}").hasSuffix("1")
                }
            }
            let visitor = try await cluster.addNode()
            try await cluster.waitUntilAgreed()
            try await cluster.move(slot, to: visitor)
            try await client.send(RedisCommand("SET", "{m}", "there"))
            try await eventually("it is subscribed there") {
                try await visitor.cli("PUBSUB", "SHARDNUMSUB", "{m}").hasSuffix("1")
            }
            try await cluster.move(slot, to: cluster.nodes[0])
            try await eventually("nobody is connected any more to a node without slots") {
                try await connections(visitor).allSatisfy { $0.contains("cmd=cluster|") }
            }
            for node in cluster.nodes.prefix(3) {
                // Commands, subscriptions, and the questions about the cluster.
                let connections = try await connections(node)
                #expect(connections.count <= 3, "\(connections)")
            }
            #expect(listener.events.last == "opened {m}")
        }
    }

    @Test("subscribe again to every channel of a node that owns many slots, each slot by its own request")
    func manySlots() async throws {
        try await withRedisCluster { cluster in
            let subscriber = RedisSubscriber(cluster.url)
            defer { subscriber.close() }
            let listeners = (0..<400).map { _ in RecordingListener() }
            for (number, listener) in listeners.enumerated() { subscriber.subscribe(.channel("c\(number)"), listener) }
            try await eventually("all are open") { listeners.allSatisfy { $0.openings == 1 } }
            for node in cluster.nodes { try await node.cli("CLIENT", "KILL", "TYPE", "pubsub") }
            try await eventually("all are open again") {
                listeners.allSatisfy { ($0.openings, $0.losses) == (2, 1) }
            }
            let client = RedisClient(cluster.url)
            defer { client.close() }
            for number in listeners.indices {
                #expect(try await client.send(RedisCommand("SPUBLISH", "c\(number)", "m")).integer == 1)
            }
            try await eventually("all hear") { listeners.allSatisfy { $0.messages == ["m"] } }
            for number in listeners.indices { subscriber.unsubscribe(.channel("c\(number)")) }
            try await eventually("nothing is left") {
                var counts: [String] = []
                for node in cluster.nodes { counts.append(try await node.cli("PUBSUB", "SHARDCHANNELS", "c*")) }
                return counts == ["", "", ""]
            }
        }
    }

    @Test("keep their connections while nothing is wrong")
    func calm() async throws {
        try await withRedisCluster { cluster in
            let client = RedisClient(cluster.url, timeout: .seconds(10))
            defer { client.close() }
            let subscriber = RedisSubscriber(cluster.url, sharing: client)
            defer { subscriber.close() }
            var told: [String: [RedisConnectionChange]] = [:]
            client.onConnectionChange = { told["client", default: []].append($0) }
            subscriber.onConnectionChange = { told["subscriber", default: []].append($0) }
            let listener = RecordingListener()
            for number in 0..<10 { subscriber.subscribe(.channel("c\(number)"), listener) }
            for number in 0..<10 { try await client.send(RedisCommand("SET", "k\(number)", "")) }
            try await eventually("each connection has been probed more than once", within: .seconds(40)) {
                var isProbed = true
                for node in cluster.nodes {
                    let calls = try await node.cli("INFO", "commandstats").firstMatch(
                        of: /cmdstat_spublish:calls=(\d+)/
                    )
                    isProbed = isProbed && calls.flatMap { Int($0.1) } ?? 0 >= 3
                }
                return isProbed
            }
            #expect(subscriber.clusterState?.silentConnections == 0)
            #expect(listener.openings == 10 && listener.events.count == 10)
            #expect(told.values.allSatisfy { $0 == [.connected] }, "\(told)")
            #expect(client.isConnected && subscriber.isConnected)
        }
    }

    @Test("make a connection anew that answers but delivers nothing", arguments: [true, false])
    func silentNode(_ delivers: Bool) async throws {
        let node = try FakeClusterNode(delivers: delivers)
        defer { node.close() }
        let url = RedisURL(.cluster([node.endpoint]))
        let client = RedisClient(url)
        defer { client.close() }
        let subscriber = RedisSubscriber(url, sharing: client)
        defer { subscriber.close() }
        let listener = RecordingListener()
        subscriber.subscribe(.channel("c"), listener)
        try await eventually("it is open") { listener.events == ["opened c"] }
        if delivers {
            #expect(try await client.send(RedisCommand("SPUBLISH", "c", "m")).integer == 1)
            try await eventually("the message comes") { listener.events == ["opened c", "c: m"] }
        } else {
            try await eventually("it is open again") { listener.events == ["opened c", "lost c", "opened c"] }
            #expect(subscriber.clusterState?.silentConnections == 1)
        }
    }

    /// As after the move of a slot of which only one was told.
    private func nodesThatNameEachOther() throws -> (FakeClusterNode, FakeClusterNode) {
        let nodes = (try FakeClusterNode(delivers: true), try FakeClusterNode(delivers: true))
        nodes.0.meet(nodes.1)
        nodes.1.name(nodes.0, inEpoch: 1)
        nodes.0.pointTo(nodes.1)
        nodes.1.pointTo(nodes.0)
        return nodes
    }

    @Test("are not sent to and fro without end by two nodes that each name the other, and go on once one does not")
    func circle() async throws {
        let nodes = try nodesThatNameEachOther()
        defer {
            nodes.0.close()
            nodes.1.close()
        }
        let client = RedisClient(RedisURL(.cluster([nodes.0.endpoint, nodes.1.endpoint])), timeout: .seconds(2))
        defer { client.close() }
        await #expect {
            try await client.send(RedisCommand("GET", "k"))
        } throws: {
            "\($0)".contains("MOVED")
        }
        // With pauses that grow to a quarter of a second.
        #expect((2...40).contains(nodes.0.redirections + nodes.1.redirections))
        nodes.0.pointTo(nil)
        #expect(try await client.send(RedisCommand("GET", "k")) == .null)
    }

    @Test("ask two nodes that each name the other for a channel now and then, and have it once one does not")
    func circleOfSubscriptions() async throws {
        let nodes = try nodesThatNameEachOther()
        defer {
            nodes.0.close()
            nodes.1.close()
        }
        let url = RedisURL(.cluster([nodes.0.endpoint, nodes.1.endpoint]))
        let client = RedisClient(url)
        defer { client.close() }
        let subscriber = RedisSubscriber(url, sharing: client)
        defer { subscriber.close() }
        let listener = RecordingListener()
        subscriber.subscribe(.channel("c"), listener)
        try await eventually("some beats are over") { subscriber.clusterState?.secondsOutOfSync ?? 0 >= 3 }
        // Twice a beat, and some for the channels of probes.
        #expect((2...60).contains(nodes.0.redirections + nodes.1.redirections))
        nodes.0.pointTo(nil)
        try await eventually("it is open") { listener.events == ["opened c"] }
    }

    /// Acts once, in the moment in which a client learns that others serve.
    @LoopActor
    private final class Witness: ClusterDirectoryObserver {
        private let act: () -> Void
        private(set) var hasActed = false

        init(_ act: @escaping () -> Void) { self.act = act }

        func topologyChanged(from old: ClusterTopology, to new: ClusterTopology) {
            guard !hasActed else { return }
            hasActed = true
            act()
        }

        func topologyKnown() {}
        func topologyUnknown(_ error: RedisError) {}
    }

    @Test("take nothing from a primary that was replaced and goes on publishing, once they know it")
    func replacedPrimary() async throws {
        let (old, new) = (try FakeClusterNode(delivers: true), try FakeClusterNode(delivers: true))
        defer {
            old.close()
            new.close()
        }
        let url = RedisURL(.cluster([old.endpoint]))
        let client = RedisClient(url)
        defer { client.close() }
        let subscriber = RedisSubscriber(url, sharing: client)
        defer { subscriber.close() }
        let listener = RecordingListener()
        subscriber.subscribe(.channel("c"), listener)
        try await eventually("it is open") { listener.events == ["opened c"] }
        old.deliver("before", on: "c")
        try await eventually("what comes before is taken") { listener.messages == ["before"] }

        let directory = try #require(client.directory)
        // After the subscriber: it has been told when this is.
        let witness = Witness {
            #expect(directory.topology.owner(of: HashSlot.of("c")) == new.endpoint)
            #expect(listener.events.last == "lost c", "in the same turn")
            old.deliver("false", on: "c")
        }
        directory.add(witness)
        // In this turn, before the client can have heard of anything.
        old.name(new, inEpoch: 2)
        new.name(new, inEpoch: 2)
        directory.refresh()
        try await eventually("the client knows the new one") { witness.hasActed }
        try await eventually("it is open there") { listener.events.last == "opened c" && new.hearers(of: "c") == 1 }
        old.deliver("false", on: "c")
        new.deliver("true", on: "c")
        try await eventually("the old one's connection is empty, and closed") { old.hearers(of: "c") == 0 }
        try await eventually("the new one's is heard") { listener.messages.last == "true" }
        #expect(listener.events == ["opened c", "c: before", "lost c", "opened c", "c: true"])
    }

    /// A redirection names the new primary; what the old one was asked before, and says once it wakes, is of before.
    @Test("do not go back to a primary that slept while it was replaced", arguments: [true, false])
    func sleepingPrimary(_ wasAskedBefore: Bool) async throws {
        let (old, new) = (try FakeClusterNode(delivers: true), try FakeClusterNode(delivers: true))
        defer {
            old.close()
            new.close()
        }
        old.meet(new)
        new.meet(old)
        new.name(new, inEpoch: 2)
        let url = RedisURL(.cluster([old.endpoint]))
        let client = RedisClient(url)
        defer { client.close() }
        let directory = try #require(client.directory)
        let subscriber = RedisSubscriber(url, sharing: client)
        defer { subscriber.close() }
        let listener = RecordingListener()
        subscriber.subscribe(.channel("c"), listener)
        try await eventually("it is open") { listener.events == ["opened c"] }

        let slot = HashSlot.of("c")
        old.sleep()
        if wasAskedBefore {
            directory.refresh()
            try await eventually("it was asked") { old.piledUp > 0 }
        }
        directory.note(slot, movedTo: new.endpoint)
        let refreshes = directory.refreshes
        old.wake()
        try await eventually("it has answered, and others were asked") { directory.refreshes > refreshes + 1 }
        #expect(directory.topology.owner(of: slot) == new.endpoint)
        try await eventually("it is open there") { listener.events.last == "opened c" }
        // Now everything that can be asked is the old one.
        new.close()
        let later = directory.refreshes
        directory.refresh()
        try await eventually("it was asked once more") { directory.refreshes > later }
        #expect(directory.topology.owner(of: slot) == new.endpoint)
        old.deliver("false", on: "c")
        #expect(!listener.events.contains("c: false"))
        #expect(old.hearers(of: "c") == 0 || !listener.events.dropFirst(2).contains("c: false"))
    }

    @Test("find the node that answers, beside one that refuses and one that is silent")
    func mixedSeeds() async throws {
        try await withRedisCluster(primaries: 1) { cluster in
            let silent = try FakeServer { _, _ in "" }
            let stranger = try FakeServer { words, _ in
                words[0].uppercased() == "CLUSTER" ? "-ERR This instance has cluster support disabled\r\n" : "+OK\r\n"
            }
            defer {
                silent.close()
                stranger.close()
            }
            let url = RedisURL(.cluster([stranger.endpoint, silent.endpoint, cluster.nodes[0].endpoint]))
            let client = RedisClient(url, timeout: .seconds(20))
            defer { client.close() }
            let answer = try await client.send(RedisCommand("SET", "k", "1"))
            #expect(answer == .status("OK"))
            // With nobody else, waiting does not help.
            let lost = RedisClient(RedisURL(.cluster([stranger.endpoint])), timeout: .seconds(60))
            defer { lost.close() }
            await #expect {
                try await lost.send(RedisCommand("GET", "k"))
            } throws: {
                "\($0)".contains("it is a server of its own, not in a cluster")
            }
        }
    }

    @Test("say that subscribing was refused, and open the channel once an access list lets them")
    func forbidden() async throws {
        try await withRedisCluster { cluster in
            for node in cluster.nodes {
                #expect(
                    try await node.cli("ACL", "SETUSER", "reader", "on", ">p", "~*", "&*", "+@all", "-ssubscribe")
                        == "OK"
                )
            }
            var url = cluster.url
            (url.user, url.password) = ("reader", "p")
            let subscriber = RedisSubscriber(url)
            defer { subscriber.close() }
            var reasons: [String] = []
            subscriber.onConnectionChange = { change in
                if case .lost(let reason) = change { reasons.append(reason) }
            }
            let listener = RecordingListener()
            subscriber.subscribe(.channel("news"), listener)
            try await eventually("it says so") {
                reasons.contains { $0.contains("subscribing was refused: NOPERM") } && !subscriber.isConnected
            }
            #expect(listener.openings == 0)
            for node in cluster.nodes { try await node.cli("ACL", "SETUSER", "reader", "+ssubscribe") }
            try await eventually("it is open") { listener.openings == 1 && subscriber.isConnected }
        }
    }

    @Test("are told apart by what they may do: a wrong password is refused at once, without showing it")
    func password() async throws {
        try await withRedisCluster(primaries: 1) { cluster in
            try await cluster.nodes[0].cli("CONFIG", "SET", "requirepass", "right")
            var url = cluster.url
            url.password = "wr0ng"
            let client = RedisClient(url, timeout: .seconds(20))
            defer { client.close() }
            await #expect {
                try await client.send(RedisCommand("GET", "k"))
            } throws: { error in
                "\(error)".contains("password is wrong") && !"\(error)".contains("wr0ng")
            }
        }
    }
}
