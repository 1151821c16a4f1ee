import EventLoop
import Foundation
import TestServers
import Testing

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("How far a feed reaches")
@LoopActor
struct FeedReachTests {
    private static let key = "todomate:{alice}"

    private struct Item: Decodable {
        var id: String
        var type: String
    }

    private struct Message: Decodable {
        var id: String
    }

    private func todo(_ id: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","content":"x","date":"2026-11-20","visibility":"public"\#(more)}"#
    }

    private func add(_ functions: Functions, _ id: String, _ status: String = "todo") async -> String {
        await functions("add", todo(id, #","status":"\#(status)""#))
    }

    private func feed(_ functions: Functions) async throws -> [String] {
        let answer = await functions("feed", "bob", "0", "200")
        return try JSONDecoder().decode([Item].self, from: Data(answer.utf8)).map { "\($0.type) \($0.id)" }
    }

    private func react(_ functions: Functions, _ times: Int, to id: String) async {
        for number in 0..<times { _ = await functions("react", id, "carol", number.isMultiple(of: 2) ? "👍" : "") }
    }

    @Test("is not shortened by reactions, however many there are")
    func reactions() async throws {
        try await withFunctions { functions, server in
            for id in ["t1", "t2"] { _ = await add(functions, id) }
            _ = await functions("update", "t1", #"{"status":"complete"}"#)
            let before = try await feed(functions)
            #expect(before.map { $0.prefix(8) } == ["finished", "added 2-", "added 1-"])
            await react(functions, 2500, to: "t2")
            #expect(try await feed(functions) == before)
            #expect(try #require(Int(try await server.cli("XLEN", Self.key + ":log"))) < 1200, "the log stays short")
            let life = try #require(Int(try await server.cli("TTL", Self.key + ":feed")))
            #expect(172_000...172_800 ~= life)
        }
    }

    @Test(
        "tells of all that was added and finished, and of the last finish only",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func history(seed: UInt64) async throws {
        try await withFunctions { functions, _ in
            var random = SeededRandom(seed: seed)
            var isDone: [String: Bool] = [:]
            var events: [String: String] = [:]
            for _ in 0..<3000 {
                let id = "t\(Int.random(in: 0..<90, using: &random))"
                let answer: String
                guard let wasDone = isDone[id] else {
                    // As a removal undone: what was finished before is not finished by that.
                    let isAddedDone = Bool.random(using: &random)
                    answer = await add(functions, id, isAddedDone ? "complete" : "todo")
                    events["added " + id] = try JSONDecoder().decode(Message.self, from: Data(answer.utf8)).id
                    isDone[id] = isAddedDone
                    continue
                }
                switch Int.random(in: 0..<20, using: &random) {
                case 0:
                    _ = await functions("remove", id)
                    isDone[id] = nil
                    for type in ["added ", "finished "] { events[type + id] = nil }
                case 1...4:
                    answer = await functions("update", id, #"{"status":"\#(wasDone ? "todo" : "complete")"}"#)
                    isDone[id] = !wasDone
                    let message = try JSONDecoder().decode(Message.self, from: Data(answer.utf8))
                    events["finished " + id] = wasDone ? nil : message.id
                default: await react(functions, 1, to: id)
                }
            }
            let expected = events.map { (type: $0.key.split(separator: " ")[0], id: $0.value) }
                .sorted { Int($0.id.split(separator: "-")[1])! > Int($1.id.split(separator: "-")[1])! }
            #expect(expected.count < 200 && expected.count > 60)
            #expect(try await feed(functions) == expected.map { "\($0.type) \($0.id)" })
        }
    }

    @Test("begins anew where the key holds what another history or somebody else has put there")
    func foreign() async throws {
        try await withFunctions { functions, server in
            _ = await add(functions, "t1")
            try await server.cli("SET", Self.key + ":feed", "x")
            #expect(await functions("feed", "bob", "0", "200").hasPrefix("TODOMATE_CORRUPT"))
            await react(functions, 1100, to: "t1")
            #expect(try await feed(functions).count == 1, "the next look has mended it")
            for harm in ["XTRIM", "XDEL"] {
                let newest = try await server.cli("XREVRANGE", Self.key + ":feed", "+", "-", "COUNT", "1")
                let id = String(newest.prefix(while: { $0 != "\n" }))
                if harm == "XTRIM" {
                    try await server.cli("XTRIM", Self.key + ":feed", "MAXLEN", "0")
                } else {
                    try await server.cli("XDEL", Self.key + ":feed", id)
                }
                for number in 0..<300 {
                    let answer = await add(functions, "\(harm)\(number)")
                    #expect(answer.hasPrefix("{"), "\(answer)")
                }
            }
            try await server.cli("DEL", Self.key + ":log", Self.key + ":feed")
            try await server.cli("XADD", Self.key + ":feed", "99999-5", "added", "t1")
            await react(functions, 1100, to: "t1")
            #expect(try await server.cli("XLEN", Self.key + ":feed") == "0", "nothing of this history is forgotten yet")
        }
    }

    @Test("is looked after rarely by an import")
    func imports() async throws {
        try await withFunctions { functions, server in
            func lines(_ words: String) -> [String] {
                (1...900).map {
                    #"{"id":"t\#($0)","uid":"alice","content":"\#(words)","date":"2026-11-20","visibility":"public"}"#
                }
            }
            _ = await functions("import", ["add"] + lines("x"))
            let before = try await scans(server)
            let answer = await functions("import", ["replace"] + lines("y"))
            #expect(answer.split(separator: "\n").filter { $0 == "replaced" }.count == 900)
            #expect(try await scans(server) - before <= 10)
            #expect(try await feed(functions).count == 200)
        }
    }

    private func scans(_ server: RedisServer) async throws -> Int {
        let statistics = try await server.cli("INFO", "commandstats")
        return statistics.firstMatch(of: /cmdstat_xrange:calls=(\d+)/).flatMap { Int($0.1) } ?? 0
    }
}
