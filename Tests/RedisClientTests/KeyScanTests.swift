import EventLoop
import Foundation
import TestServers
import Testing

@testable import RedisClient

@Suite("Scans of all keys")
@LoopActor
struct KeyScanTests {
    private func withScanned(_ url: RedisURL, _ body: @LoopActor (RedisClient) async throws -> Void) async throws {
        let client = RedisClient(url, timeout: .seconds(60))
        defer { client.close() }
        try await body(client)
    }

    /// Fills servers with more than a page of keys each.
    private func fill(_ client: RedisClient) async throws {
        for number in 0..<6000 { try await client.send(RedisCommand("SET", "k\(number)", "")) }
    }

    /// What happens to slots while keys are gone through.
    enum Motion: CaseIterable {
        case arrives, isUnderWay, wasUnderWayBefore, movesTwice
    }

    @Test(
        "go through all keys, also of a slot that moves from a node still to come to one that is done",
        arguments: Motion.allCases
    )
    func scan(_ motion: Motion) async throws {
        try await withRedisCluster { cluster in
            try await withScanned(cluster.url) { client in
                for number in 0..<300 { try await client.send(RedisCommand("SET", "k\(number)", "")) }
                let order = try await client.primaries().compactMap(\.endpoint)
                let nodes = order.compactMap { endpoint in cluster.nodes.first { $0.endpoint == endpoint } }
                let slot = HashSlot.of(try await nodes[2].cli("RANDOMKEY"))
                if motion == .wasUnderWayBefore { try await cluster.beginMove(of: slot, to: nodes[0]) }
                var scan = client.scan("k*")
                // The first node is done with this.
                var keys = Set(try #require(try await scan.next()))
                switch motion {
                case .arrives: try await cluster.move(slot, to: nodes[0])
                case .isUnderWay:
                    try await cluster.beginMove(of: slot, to: nodes[0])
                    try await cluster.moveKeys(100, of: slot, to: nodes[0])
                case .wasUnderWayBefore: try await cluster.moveKeys(100, of: slot, to: nodes[0])
                case .movesTwice:
                    try await cluster.move(slot, to: nodes[1])
                    try await cluster.move(slot, to: nodes[0])
                }
                while let page = try await scan.next() { keys.formUnion(page) }
                #expect(keys == Set((0..<300).map { "k\($0)" }))
            }
        }
    }

    @Test("go through all keys though the node that is being read, or one still to come, dies", arguments: [0, 2])
    func scanOfTheDead(number: Int) async throws {
        try await withRedisCluster(primaries: 3, replicas: 1) { cluster in
            try await withScanned(cluster.url) { client in
                try await fill(client)
                let order = try await client.primaries().compactMap(\.endpoint)
                let victim = try #require(cluster.nodes.first { $0.endpoint == order[number] })
                try await cluster.waitUntilPassedOn(from: victim)
                var scan = client.scan("k*")
                var keys = Set(try #require(try await scan.next()))
                await victim.server.crash()
                while let page = try await scan.next() { keys.formUnion(page) }
                #expect(keys.count == 6000 && scan.silentNodes.isEmpty)
            }
        }
    }

    @Test("leave out nodes that do not answer only where that is asked for", arguments: [true, false])
    func scanOfTheSilent(skips: Bool) async throws {
        try await withRedisCluster { cluster in
            let client = RedisClient(cluster.url, timeout: .seconds(2))
            defer { client.close() }
            for number in 0..<300 { try await client.send(RedisCommand("SET", "k\(number)", "")) }
            let silent = try #require(try await client.primaries()[1].endpoint)
            let node = try #require(cluster.nodes.first { $0.endpoint == silent })
            let theirs = Set(try await node.cli("KEYS", "*").split(separator: "\n").map(String.init))
            node.server.signal(SIGSTOP)
            defer { node.server.signal(SIGCONT) }
            var scan = client.scan("k*", skipsSilentNodes: skips)
            var keys: Set<String> = []
            do {
                while let page = try await scan.next() { keys.formUnion(page) }
                #expect(skips && scan.silentNodes == [silent])
                #expect(keys == Set((0..<300).map { "k\($0)" }).subtracting(theirs))
            } catch {
                #expect(!skips, "\(error)")
            }
        }
    }

    @Test("go through all keys though a node that is still to come hands over to its replica, and is known to have")
    func scanOfTheDemoted() async throws {
        try await withRedisCluster(primaries: 3, replicas: 1) { cluster in
            try await withScanned(cluster.url) { client in
                try await fill(client)
                let last = try #require(try await client.primaries().last?.endpoint)
                let demoted = try #require(cluster.nodes.first { $0.endpoint == last })
                try await cluster.waitUntilPassedOn(from: demoted)
                var scan = client.scan("k*")
                var keys = Set(try #require(try await scan.next()))
                let replica = try #require(try await cluster.replica(of: demoted))
                #expect(try await replica.cli("CLUSTER", "FAILOVER") == "OK")
                try await eventually("the client knows", within: .seconds(30)) {
                    client.directory?.refresh()
                    return try await !client.primaries().contains { $0.endpoint == last }
                }
                while let page = try await scan.next() { keys.formUnion(page) }
                #expect(keys.count == 6000)
            }
        }
    }

    @Test("go through all keys of a server that is another process by the next page")
    func scanOfTheRestarted() async throws {
        // Each process has a seed of its own, by which it orders its keys.
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
        try await server.start()
        try await withScanned(server.url) { client in
            try await fill(client)
            for _ in 0..<3 {
                var scan = client.scan("k*")
                var keys: Set<String> = []
                while keys.count < 3000, let page = try await scan.next() { keys.formUnion(page) }
                await server.crash()
                try await server.start()
                while let page = try await scan.next() { keys.formUnion(page) }
                #expect(keys.count == 6000)
            }
        }
        await server.stop()
    }

    @Test(
        "leave out a node whose connection breaks at each page only where that is asked for",
        arguments: [true, false]
    )
    func scanOfTheRestlessNode(skips: Bool) async throws {
        try await withRedisCluster { cluster in
            try await withScanned(cluster.url) { client in
                try await fill(client)
                let restless = try #require(try await client.primaries()[1].endpoint)
                let node = try #require(cluster.nodes.first { $0.endpoint == restless })
                let theirs = Int(try await node.cli("DBSIZE")) ?? 0
                var scan = client.scan("k*", skipsSilentNodes: skips)
                var keys: Set<String> = []
                do {
                    while let page = try await scan.next() {
                        keys.formUnion(page)
                        try await node.cli("CLIENT", "KILL", "TYPE", "normal")
                        try await eventually("it is connected again") { client.isConnected }
                    }
                    #expect(skips && scan.silentNodes == [restless])
                    #expect(keys.count >= 6000 - theirs && keys.count < 6000)
                } catch {
                    #expect(!skips, "\(error)")
                }
            }
        }
    }

    @Test("say that keys may be overlooked where the connection breaks at each page")
    func scanOfTheRestless() async throws {
        try await withRedis { server in
            try await withScanned(server.url) { client in
                try await fill(client)
                var scan = client.scan("k*")
                await #expect(throws: RedisError.self) {
                    while try await scan.next() != nil {
                        try await server.cli("CLIENT", "KILL", "TYPE", "normal")
                        try await eventually("it is connected again") { client.isConnected }
                    }
                }
            }
        }
    }
}
