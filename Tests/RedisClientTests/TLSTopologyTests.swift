#if REDIS_TLS
    import EventLoop
    import Foundation
    import RedisClient
    import TestServers
    import Testing

    @Suite("TLS to clusters and sentinels")
    @LoopActor
    struct TLSTopologyTests {
        private func withCertificates(_ body: @LoopActor (ServerTLS) async throws -> Void) async throws {
            let tls = try await ServerTLS()
            defer { tls.remove() }
            try await body(tls)
        }

        private func withClient(_ url: RedisURL, _ body: @LoopActor (RedisClient) async throws -> Void) async throws {
            let client = RedisClient(url, timeout: .seconds(60))
            defer { client.close() }
            try await body(client)
        }

        @Test("finds each key at its node, goes along with a slot, and with a replica that takes over")
        func cluster() async throws {
            try await withCertificates { tls in
                try await withRedisCluster(replicas: 1, tls: tls) { cluster in
                    try await withClient(cluster.url) { client in
                        for number in 0..<30 { try await client.send(RedisCommand("SET", "k\(number)", "\(number)")) }
                        for number in 0..<30 {
                            #expect(try await client.send(RedisCommand("GET", "k\(number)")).string == "\(number)")
                        }
                        let slot = HashSlot.of("{m}a")
                        let source = try await cluster.owner(of: slot)
                        let target = try #require(try await cluster.primaries().first { $0.id != source.id })
                        try await client.send(RedisCommand("SET", "{m}a", "1"))
                        try await cluster.move(slot, to: target)
                        #expect(try await client.send(RedisCommand("GET", "{m}a")).string == "1")
                        try await cluster.waitUntilReplicated()
                        await target.server.crash()
                        #expect(try await client.send(RedisCommand("GET", "{m}a")).string == "1")
                    }
                }
            }
        }

        @Test("hears what is published on shards, and again at the node to which the slot has gone")
        func shards() async throws {
            try await withCertificates { tls in
                try await withRedisCluster(tls: tls) { cluster in
                    let subscriber = RedisSubscriber(cluster.url)
                    defer { subscriber.close() }
                    let listener = RecordingListener()
                    subscriber.subscribe(.channel("{m}news"), listener)
                    try await eventually("it is open", within: .seconds(30)) { listener.openings == 1 }
                    let slot = HashSlot.of("{m}news")
                    let source = try await cluster.owner(of: slot)
                    try await source.cli("SPUBLISH", "{m}news", "one")
                    try await eventually("it hears") { listener.messages == ["one"] }
                    let target = try #require(cluster.nodes.first { $0.id != source.id })
                    try await cluster.move(slot, to: target)
                    try await eventually("it is open again", within: .seconds(30)) { listener.openings == 2 }
                    try await target.cli("SPUBLISH", "{m}news", "two")
                    try await eventually("it hears again") { listener.messages == ["one", "two"] }
                }
            }
        }

        @Test("asks sentinels for the primary, and follows the next one")
        func sentinels() async throws {
            try await withCertificates { tls in
                try await withRedisSentinels(replicas: 1, tls: tls) { site in
                    try await withClient(site.url) { client in
                        try await client.send(RedisCommand("SET", "k", "1"))
                        let first = try await site.primary()
                        try await site.failOver()
                        let second = try await site.successor(of: first)
                        try await eventually("it writes to the successor", within: .seconds(30)) {
                            do throws(RedisError) {
                                try await client.send(RedisCommand("SET", "k", "2"))
                            } catch .refused {
                                return false
                            }
                            return try await second.cli("GET", "k") == "2"
                        }
                    }
                }
            }
        }

        @Test("refuses nodes and sentinels for which a stranger vouches", arguments: [true, false])
        func strangers(_ isCluster: Bool) async throws {
            func refusal(_ url: RedisURL) async -> String {
                let client = RedisClient(url, timeout: .seconds(10))
                defer { client.close() }
                do throws(RedisError) {
                    try await client.send(RedisCommand("PING"))
                    return "it was let in"
                } catch {
                    return "\(error)"
                }
            }
            try await withCertificates { tls in
                if isCluster {
                    try await withRedisCluster(primaries: 1, tls: tls) { cluster in
                        let answer = await refusal(tls.url(cluster.url, trusting: tls.stranger))
                        #expect(answer.contains("its certificate is not trusted"), "\(answer)")
                        #expect(await refusal(cluster.url) == "it was let in")
                    }
                } else {
                    try await withRedisSentinels(replicas: 0, sentinels: 1, tls: tls) { site in
                        let answer = await refusal(tls.url(site.url, trusting: tls.stranger))
                        #expect(answer.contains("its certificate is not trusted"), "\(answer)")
                        #expect(await refusal(site.url) == "it was let in")
                    }
                }
            }
        }
    }
#endif
