import EventLoop
import Foundation
import TestServers
import Testing

@testable import RedisClient

@Suite("Pages of a hash or a sorted set")
@LoopActor
struct MemberPagesTests {
    private func pages(
        of kind: MemberPages<RedisError>.Kind,
        _ client: RedisClient,
        size: Int = 100
    ) -> MemberPages<RedisError> {
        MemberPages(of: "{m}", kind, size: size) { (command) async throws(RedisError) in try await client.send(command)
        }
    }

    private func all(_ pages: MemberPages<RedisError>) async throws -> [String] {
        var found: [String] = []
        while let page = try await pages.next() {
            found += page.map {
                "\(String(decoding: $0.name, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))"
            }
        }
        return found
    }

    private func withClient(_ url: RedisURL, _ body: @LoopActor (RedisClient) async throws -> Void) async throws {
        let client = RedisClient(url, timeout: .seconds(10))
        defer { client.close() }
        try await body(client)
    }

    /// Writes so many members, of so many scores.
    private func fill(
        _ kind: MemberPages<RedisError>.Kind,
        _ count: Int,
        scores: Int,
        _ client: RedisClient
    ) async throws -> [String] {
        for number in 0..<count {
            let score = "\(number % scores)"
            switch kind {
            case .hash: try await client.send(RedisCommand("HSET", "{m}", "n\(number)", score))
            case .sortedSet: try await client.send(RedisCommand("ZADD", "{m}", score, "n\(number)"))
            }
        }
        return (0..<count).map { "n\($0)=\($0 % scores)" }.sorted()
    }

    @Test(
        "have each member once, however many there are and have the same score",
        arguments: [MemberPages<RedisError>.Kind.hash, .sortedSet],
        [(0, 1), (1, 1), (99, 99), (100, 1), (101, 1), (250, 2), (350, 350)]
    )
    func whole(_ kind: MemberPages<RedisError>.Kind, _ number: (count: Int, scores: Int)) async throws {
        try await withRedis { server in
            try await withClient(server.url) { client in
                let stored = try await fill(kind, number.count, scores: number.scores, client)
                #expect(try await all(pages(of: kind, client)).sorted() == stored)
            }
        }
    }

    @Test("have scores that are no whole numbers, and the least and the largest")
    func oddScores() async throws {
        try await withRedis { server in
            try await withClient(server.url) { client in
                let scores = ["-inf", "-0.1", "0.1", "0.30000000000000004", "1.7976931348623157e+308", "inf"]
                for (number, score) in scores.enumerated() {
                    try await client.send(RedisCommand("ZADD", "{m}", score, "n\(number)"))
                }
                let found = try await all(pages(of: .sortedSet, client, size: 1))
                #expect(found.map { $0.prefix(2) } == (0..<6).map { "n\($0)" })
            }
        }
    }

    @Test("leave out what has gone, and keep what stays", arguments: [MemberPages<RedisError>.Kind.hash, .sortedSet])
    func changing(_ kind: MemberPages<RedisError>.Kind) async throws {
        try await withRedis { server in
            try await withClient(server.url) { client in
                let stored = try await fill(kind, 300, scores: 30, client)
                let pages = pages(of: kind, client)
                let first = try #require(try await pages.next()).map { String(decoding: $0.name, as: UTF8.self) }
                // Some that were on the first page, and as many that were not.
                let gone = first.prefix(50) + (0..<300).map { "n\($0)" }.filter { !first.contains($0) }.prefix(50)
                var remove = RedisCommand(kind == .hash ? "HDEL" : "ZREM", "{m}")
                for name in gone { remove.append(name) }
                try await client.send(remove)
                let rest = try await all(pages).map { $0.split(separator: "=")[0] }.map(String.init)
                let names = stored.map { String($0.split(separator: "=")[0]) }.sorted()
                #expect((first + rest).sorted() == names.filter { !gone.contains($0) || first.contains($0) })
            }
        }
    }

    @Test(
        "have each member once though another server answers by the next page",
        arguments: [MemberPages<RedisError>.Kind.hash, .sortedSet]
    )
    func moved(_ kind: MemberPages<RedisError>.Kind) async throws {
        try await withRedisCluster { cluster in
            try await withClient(cluster.url) { client in
                let slot = HashSlot.of("{m}")
                let stored = try await fill(kind, 3000, scores: 10, client)
                let pages = pages(of: kind, client)
                var found: [String] = []
                while let page = try await pages.next() {
                    found += page.map { String(decoding: $0.name, as: UTF8.self) }
                    let owner = try await cluster.owner(of: slot)
                    let target = try #require(cluster.nodes.first { $0.id != owner.id })
                    if found.count % 500 == 0 { try await cluster.move(slot, to: target) }
                }
                #expect(found.sorted() == stored.map { String($0.split(separator: "=")[0]) }.sorted())
            }
        }
    }
}
