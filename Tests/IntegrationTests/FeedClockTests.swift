import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("The feed of somebody whose clock was wrong")
@LoopActor
struct FeedClockTests {
    private static let key = "todomate:{alice}"
    private static let hour = 3_600_000_000

    /// Adds a todo as the functions do with a clock that is off by so many microseconds.
    private func add(_ id: String, off: Int, _ functions: Functions, _ server: RedisServer) async throws {
        let added = await functions("add", #"{"id":"\#(id)","content":"x","date":"2026-11-20"}"#)
        guard off != 0 else { return }
        let place = try #require(added.firstMatch(of: /^\{"id":"(\d+)-(\d+)"/))
        let micros = (Int(place.2) ?? 0) + off
        try await server.cli("XDEL", Self.key + ":log", "\(place.1)-\(place.2)")
        // A stream takes no id below one that it had: all of it is written anew.
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        let entries = try await client.send(RedisCommand("XRANGE", Self.key + ":log", "-", "+")).array ?? []
        try await client.send(RedisCommand("DEL", Self.key + ":log"))
        for entry in entries {
            guard let parts = entry.array, let id = parts[0].string, let text = parts[1].array?[1].string else {
                continue
            }
            try await client.send(RedisCommand("XADD", Self.key + ":log", id, "change", text))
        }
        let text = added.replacing("\(place.1)-\(place.2)", with: "\(place.1)-\(micros)")
        try await client.send(RedisCommand("XADD", Self.key + ":log", "\(place.1)-\(micros)", "change", text))
    }

    private func ids(_ feed: String) -> [String] { feed.matches(of: /"todo":\{"id":"([^"]+)"/).map { String($0.1) } }

    @Test("tells each of several that were dated ahead, page by page")
    func pages() async throws {
        try await withFunctions { functions, server in
            for number in 1...5 { try await add("t\(number)", off: Self.hour, functions, server) }
            try await add("t6", off: 0, functions, server)
            let all = await functions("feed", "alice", "0", "10")
            #expect(ids(all) == ["t6", "t5", "t4", "t3", "t2", "t1"])
            var (told, before) = ([String](), String(Int.max >> 11))
            while told.count < 10 {
                let page = await functions("feed", "alice", "0", "2", before)
                guard let last = page.matches(of: /"at":(\d+)/).last else { break }
                told += ids(page)
                before = String(last.1)
            }
            #expect(told == ids(all))
        }
    }

    @Test("keeps what came before a change that was dated too early")
    func behind() async throws {
        try await withFunctions { functions, server in
            for number in 1...3 { try await add("t\(number)", off: 0, functions, server) }
            try await add("t4", off: -24 * Self.hour, functions, server)
            try await add("t5", off: 0, functions, server)
            let since = Int(Date().timeIntervalSince1970 * 1_000_000) - Self.hour
            #expect(ids(await functions("feed", "alice", "\(since)", "10")) == ["t5", "t3", "t2", "t1"])
        }
    }

    @Test("is not seen up to a time that has not come")
    func seen() async throws {
        try await withFunctions { functions, server in
            let ahead = Int(Date().timeIntervalSince1970 * 1_000_000) + 2 * Self.hour
            try await server.cli(
                "HSET",
                Self.key + ":profile",
                "audience",
                "followers",
                "visibility",
                "followers",
                "feedSeen",
                "\(ahead)"
            )
            #expect(await functions("badges", "20261120").contains(#""feedSeen":0"#))
            let now = Int(Date().timeIntervalSince1970 * 1_000_000)
            #expect(await functions("settings", #"{"feedSeen":\#(now)}"#).contains(#""feedSeen":\#(now)"#))
            #expect(await functions("badges", "20261120").contains(#""feedSeen":\#(now)"#))
        }
    }
}
