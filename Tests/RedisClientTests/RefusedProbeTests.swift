import EventLoop
import TestServers
import Testing

@testable import RedisClient

@Suite("An access list without the channels that probe nodes")
@LoopActor
struct RefusedProbeTests {
    @Test("is told once, and ends no connection at any node")
    func told() async throws {
        try await withRedisCluster { cluster in
            for node in cluster.nodes {
                let rules = try await node.cli("ACL", "SETUSER", "reader", "on", ">p", "~*", "&news:*", "+@all")
                #expect(rules == "OK")
            }
            var url = cluster.url
            (url.user, url.password, url.clientName) = ("reader", "p", "reader")
            let client = RedisClient(url)
            defer { client.close() }
            var refusals: [String] = []
            client.onProbesRefused = { refusals.append($0) }
            let subscriber = RedisSubscriber(url, sharing: client)
            defer { subscriber.close() }
            let listener = RecordingListener()
            let primaries = try await client.primaries()
            let topology = try #require(client.directory).topology
            let channels = try primaries.map { node in
                "news:{\(try #require(HashSlot.tag { topology.owner(of: $0) == node.endpoint }))}"
            }
            for channel in channels { subscriber.subscribe(.channel(channel), listener) }
            try await eventually("all are open") { listener.openings == 3 }
            #expect(subscriber.clusterState?.probesAreRefused == false)
            try await eventually("it is told", within: .seconds(30)) { !refusals.isEmpty }
            // What a node refuses comes before what is published there later.
            for channel in channels { try await client.send(RedisCommand("SPUBLISH", channel, "m")) }
            try await eventually("all messages come") { listener.events.filter { $0.hasSuffix(": m") }.count == 3 }
            #expect(!listener.events.contains { $0.hasPrefix("lost") }, "\(listener.events)")
            #expect(refusals == ["reader:probe:*"] && subscriber.clusterState?.probesAreRefused == true)
        }
    }
}
