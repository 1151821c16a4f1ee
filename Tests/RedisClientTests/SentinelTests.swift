import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@Suite("A client behind sentinels")
@LoopActor
struct SentinelTests {
    /// Two servers that are primaries, and what says which of them counts.
    @LoopActor
    private final class Site {
        let servers: [RedisServer]
        let endpoints: [RedisEndpoint]
        let sentinels: [FakeSentinel]

        init(_ count: Int) throws {
            let ports = try (0..<2).map { _ in try freePort() }
            servers = try ports.map { try RedisServer(["--repl-diskless-sync-delay", "0"], port: $0) }
            let endpoints = ports.map { RedisEndpoint(host: "127.0.0.1", port: $0) }
            self.endpoints = endpoints
            sentinels = try (0..<count).map { _ in try FakeSentinel(endpoints[0], epoch: 1) }
        }

        var url: RedisURL { RedisURL(.sentinel(sentinels.map(\.endpoint), primary: "todos")) }

        func name(_ number: Int, epoch: Int) {
            for sentinel in sentinels { (sentinel.primary, sentinel.epoch) = (endpoints[number], epoch) }
        }

        /// Makes the first server a replica of the second, which has all that it had.
        func demoteFirst() async throws {
            let words = ["REPLICAOF", "127.0.0.1", String(endpoints[1].port)]
            #expect(try await servers[0].cli(words) == "OK")
        }

        /// Makes the second server what a failover makes of a replica; the first goes on.
        func promoteSecond() async throws {
            #expect(try await servers[1].cli(["REPLICAOF", "127.0.0.1", String(endpoints[0].port)]) == "OK")
            try await eventually("the second is in step") {
                try await servers[1].cli("INFO", "replication").contains("master_link_status:up")
            }
            #expect(try await servers[1].cli("REPLICAOF", "NO", "ONE") == "OK")
        }

        func isEmpty(_ number: Int) async throws -> Bool {
            try await !servers[number].cli("CLIENT", "LIST").contains("name=behind-sentinels")
        }
    }

    private func withSite(sentinels: Int = 3, _ body: @LoopActor (Site) async throws -> Void) async throws {
        let site = try Site(sentinels)
        do {
            for server in site.servers { try await server.start() }
            try await body(site)
        } catch {
            for sentinel in site.sentinels { sentinel.close() }
            for server in site.servers { await server.stop() }
            throw error
        }
        for sentinel in site.sentinels { sentinel.close() }
        for server in site.servers { await server.stop() }
    }

    private func port(_ client: RedisClient) async throws -> Int? {
        try await client.send(RedisCommand("CONFIG", "GET", "port")).array?.last?.string.flatMap { Int($0) }
    }

    private func expect(
        _ client: RedisClient,
        at endpoint: RedisEndpoint,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let port = try await port(client)
        #expect(port == endpoint.port, sourceLocation: sourceLocation)
    }

    private func client(_ url: RedisURL, timeout: Duration = .seconds(30)) -> RedisClient {
        var url = url
        url.clientName = "behind-sentinels"
        return RedisClient(url, timeout: timeout)
    }

    private func refusal(_ url: RedisURL, within time: Duration = .seconds(20)) async -> String {
        let client = RedisClient(url, timeout: time)
        defer { client.close() }
        do throws(RedisError) {
            try await client.send(RedisCommand("PING"))
            return "it was let in"
        } catch {
            return error.description
        }
    }

    @Test("does not mind sentinels that are gone, hang, know nothing, or are none")
    func troubled() async throws {
        try await withSite(sentinels: 4) { site in
            site.sentinels[0].close()
            site.sentinels[1].isHanging = true
            site.sentinels[2].primary = nil
            var url = site.url
            let nodes = site.sentinels.map(\.endpoint)
            url.transport = .sentinel(
                nodes[0...2] + [site.endpoints[1]] + nodes[3...],
                primary: "todos"
            )
            let client = client(url)
            defer { client.close() }
            try await expect(client, at: site.endpoints[0])
        }
    }

    @Test("believes the newest configuration, not one that was away, though its primary takes itself for one")
    func stale() async throws {
        try await withSite { site in
            site.name(1, epoch: 5)
            (site.sentinels[0].primary, site.sentinels[0].epoch) = (site.endpoints[0], 4)
            let client = client(site.url)
            defer { client.close() }
            try await expect(client, at: site.endpoints[1])
            site.sentinels[1].close()
            site.sentinels[2].close()
            try await site.servers[1].cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            try await expect(client, at: site.endpoints[1])
        }
    }

    @Test("waits while sentinels name a replica, and goes to the primary once they do")
    func lying() async throws {
        try await withSite { site in
            try await site.demoteFirst()
            let client = client(site.url)
            defer { client.close() }
            var failure: RedisError?
            client.onConnectionChange = { if case .failed(let error) = $0 { failure = error } }
            async let answer = port(client)
            try await eventually("it says what it waits for") {
                failure?.description.contains("\(site.endpoints[0]) is not the primary: its role is slave") == true
            }
            site.name(1, epoch: 2)
            let port = try await answer
            #expect(port == site.endpoints[1].port)
        }
    }

    /// A client and a subscriber that share what they know, with a channel that is open.
    private func hearer(_ site: Site) async throws -> (RedisClient, RedisSubscriber, RecordingListener) {
        let client = client(site.url)
        var url = site.url
        url.clientName = "behind-sentinels"
        let subscriber = RedisSubscriber(url, sharing: client)
        let listener = RecordingListener()
        subscriber.subscribe(.channel("news"), listener)
        try await eventually("it is open") { listener.openings == 1 }
        return (client, subscriber, listener)
    }

    @Test("follows the primary with both of its connections, though the old one goes on answering")
    func switched() async throws {
        try await withSite { site in
            let (client, subscriber, listener) = try await hearer(site)
            defer {
                subscriber.close()
                client.close()
            }
            try await expect(client, at: site.endpoints[0])
            try await eventually("the first sentinel is listened to") { site.sentinels[0].isHeard }
            try await site.promoteSecond()
            // Only the one that says so knows it yet.
            (site.sentinels[0].primary, site.sentinels[0].epoch) = (site.endpoints[1], 2)
            site.sentinels[0].announce(from: site.endpoints[0], to: site.endpoints[1])
            try await eventually("both have left") { try await site.isEmpty(0) && listener.openings == 2 }
            try await expect(client, at: site.endpoints[1])
            try await site.servers[1].cli("PUBLISH", "news", "hello")
            try await eventually("it hears") { listener.messages == ["hello"] }
        }
    }

    @Test(
        "stays at a primary that is well, whatever one sentinel says: that its replica is it now, or a stranger",
        arguments: ["replica", "stranger", "nobody"]
    )
    func mistaken(_ named: String) async throws {
        try await withSite { site in
            let (client, subscriber, listener) = try await hearer(site)
            defer {
                subscriber.close()
                client.close()
            }
            try await eventually("the first sentinel is listened to") { site.sentinels[0].isHeard }
            if named == "replica" {
                let words = ["REPLICAOF", "127.0.0.1", String(site.endpoints[0].port)]
                #expect(try await site.servers[1].cli(words) == "OK")
            } else if named == "nobody" {
                await site.servers[1].stop()
            }
            (site.sentinels[0].primary, site.sentinels[0].epoch) = (site.endpoints[1], 100)
            let before = site.sentinels[2].questions
            site.sentinels[0].announce(from: site.endpoints[0], to: site.endpoints[1])
            try await eventually("all were asked again and again") { site.sentinels[2].questions >= before + 6 }
            try await expect(client, at: site.endpoints[0])
            #expect(client.isConnected && subscriber.isConnected && listener.openings == 1)
            // The others say so as well by now: then it is so.
            guard named == "stranger" else { return }
            site.name(1, epoch: 101)
            try await eventually("it follows") { try await site.isEmpty(0) && listener.openings == 2 }
            try await expect(client, at: site.endpoints[1])
        }
    }

    @Test("listens to the next sentinel when one is lost, and asks it what it has missed")
    func next() async throws {
        try await withSite { site in
            let client = client(site.url)
            defer { client.close() }
            try await eventually("the first is listened to") { site.sentinels[0].isHeard }
            site.sentinels[0].close()
            try await eventually("the second is listened to") { site.sentinels[1].isHeard }
            try await site.promoteSecond()
            (site.sentinels[1].primary, site.sentinels[1].epoch) = (site.endpoints[1], 2)
            site.sentinels[1].announce(from: site.endpoints[0], to: site.endpoints[1])
            try await eventually("it follows") { try await site.isEmpty(0) }
            try await expect(client, at: site.endpoints[1])
        }
    }

    @Test("sends a write once more, to the primary, that a demoted one refused")
    func readOnly() async throws {
        try await withSite { site in
            let client = client(site.url)
            defer { client.close() }
            try await client.send(RedisCommand("SET", "before", "1"))
            // Nobody announces anything.
            site.name(1, epoch: 2)
            try await site.demoteFirst()
            let writes = (0..<50).map { number in
                Task { try await client.send(RedisCommand("SET", "key\(number)", "1")) }
            }
            for write in writes {
                let answer = try await write.value
                #expect(answer == .status("OK"))
            }
            #expect(try await site.servers[1].cli("DBSIZE") == "50")
        }
    }

    @Test("leaves a demoted primary that it only reads from, with its subscriber, and waits for the new one")
    func role() async throws {
        try await withSite { site in
            let (client, subscriber, listener) = try await hearer(site)
            defer {
                subscriber.close()
                client.close()
            }
            try await client.send(RedisCommand("GET", "x"))
            // The sentinels know nothing of it: they go on naming the first.
            try await site.demoteFirst()
            try await eventually("both have left") { !client.isConnected && !subscriber.isConnected }
            site.name(1, epoch: 2)
            try await eventually("it is open again") { listener.openings == 2 }
            try await expect(client, at: site.endpoints[1])
        }
    }

    @Test("goes on when all sentinels are gone, also with further connections to where it is")
    func alone() async throws {
        try await withSite { site in
            let client = client(site.url)
            defer { client.close() }
            try await expect(client, at: site.endpoints[0])
            for sentinel in site.sentinels { sentinel.close() }
            let other = RedisClient(site.url, timeout: .seconds(30), sharing: client)
            try await expect(other, at: site.endpoints[0])
            other.close()
            try await expect(client, at: site.endpoints[0])
            let stranger = await refusal(site.url, within: .milliseconds(500))
            #expect(
                stranger.contains("no sentinel names the primary: \(site.sentinels[0].endpoint): Connection refused")
            )
        }
    }

    @Test(
        "says which sentinel wants what: a password, another one, none",
        arguments: [
            ("right", nil, "wants a password of its own: put it into the URL as ?sentinel-password="),
            ("right", "wrong", "user or password for the sentinel is wrong (WRONGPASS"),
            (nil, "needless", "takes no password (ERR"), ("right", "right", "it was let in"),
        ] as [(String?, String?, String)]
    )
    func passwords(_ password: String?, _ given: String?, _ reason: String) async throws {
        try await withSite(sentinels: 2) { site in
            for sentinel in site.sentinels { sentinel.password = password }
            var url = site.url
            url.sentinelPassword = given
            let answer = await refusal(url)
            #expect(answer.contains(reason), "\(answer)")
            let names = site.sentinels.allSatisfy { answer.contains($0.endpoint.description) }
            #expect(names == (reason != "it was let in"))
        }
    }

    @Test("says what is wrong with the name, and with servers that are no sentinels")
    func mistakes() async throws {
        try await withSite(sentinels: 1) { site in
            site.sentinels[0].primary = nil
            let unknown = await refusal(site.url)
            #expect(unknown.contains("watches no primary called 'todos'"), "\(unknown)")
            let servers = await refusal(RedisURL(.sentinel(site.endpoints, primary: "todos")))
            #expect(servers.contains("it is no sentinel: name the ports of the sentinels"), "\(servers)")
        }
    }

    @Test("asks the sentinels again as long as it runs, and not more than it has to")
    func questions() async throws {
        try await withSite { site in
            let client = client(site.url)
            defer { client.close() }
            try await expect(client, at: site.endpoints[0])
            let before = site.sentinels[2].questions
            try await eventually("it asks once more, though nothing has happened") {
                site.sentinels[2].questions > before
            }
            #expect(before <= 3)
        }
    }
}
