import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("A change id, in whatever history")
@LoopActor
struct HistoryTests {
    private static let key = "todomate:{alice}"

    @Test("names one state: who goes on from it ends with what is there, or is told to read anew", arguments: 1...16)
    func walk(_ seed: Int) async throws {
        try await withFunctions { functions, server in
            let client = RedisClient(server.url, timeout: .seconds(30))
            defer { client.close() }
            var walk = HistoryWalk(functions, client, seed: UInt64(seed))
            var places = [try await walk.place()]
            /// What was read under each todo's revision and microseconds.
            var written: [String: String] = [:]
            for _ in 0..<120 {
                try await walk.step()
                let now = try await walk.place()
                for place in places {
                    if let state = try await walk.state(since: place) {
                        try #require(state == now.state, "since \(place.id), after \(walk.steps)")
                    }
                    let isSame = place.id != now.id || place.id == HistoryWalk.lost || place.state == now.state
                    try #require(isSame, "\(now.id) stands for two states, after \(walk.steps)")
                }
                for todo in now.state.values {
                    guard let match = todo.firstMatch(of: /^\{"id":"(.*?)",.*"revision":(\d+),"micros":(\d+)/) else {
                        continue
                    }
                    let words = String(todo.replacing(/,"reactions":.*/, with: "}"))
                    let first = written.updateValue(words, forKey: "\(match.1) \(match.2)-\(match.3)")
                    try #require(first == nil || first == words, "one ETag for two todos, after \(walk.steps)")
                }
                if !places.contains(now) { places.append(now) }
                if places.count > 24 { places.remove(at: Int.random(in: 0..<places.count, using: &walk.dice)) }
            }
        }
    }

    @Test("is known after a log was deleted under todos, and counts on above all their revisions")
    func deletedLog() async throws {
        try await withFunctions { functions, server in
            for number in 1...3 { _ = await functions("add", todo("t\(number)")) }
            _ = await functions("remove", "t3")
            let before = await functions("latest")
            try await server.cli("DEL", Self.key + ":log")
            #expect(await functions("latest") == "0-1")
            #expect(await functions("list").hasPrefix(#"{"id":"0-1","todos":[{"#))
            #expect(await functions("since", "0-1").hasPrefix("TODOMATE_GONE "))
            #expect(await functions("since", before).hasPrefix("TODOMATE_GONE "))
            // Reading changes nothing.
            #expect(try await server.cli("EXISTS", Self.key + ":log") == "0")
            let added = await functions("add", todo("t4"))
            #expect(added.hasPrefix(#"{"id":"3-"#), "\(added)")
            let beginning = try await server.cli("XRANGE", Self.key + ":log", "-", "+", "COUNT", "1")
            #expect(beginning.contains("beginning") && beginning.hasPrefix("2-"), "\(beginning)")
            // Somebody who read at the beginning misses nothing; those from before read anew.
            let place = String(beginning.prefix { !$0.isNewline })
            #expect(await functions("since", place) == added)
            for id in [before, "0-0", "0-1"] { #expect(await functions("since", id).hasPrefix("TODOMATE_GONE ")) }
        }
    }

    @Test(
        "begins anew where the log is gone or emptied and anything else is there",
        arguments: [
            ["add", #"{"id":"t1","content":"x","date":"2026-11-20"}"#], ["follow", "bob"], ["block", "bob"],
            ["settings", #"{"audience":"public"}"#],
            ["set_routines", #"{"id":"r1","content":"x","rule":"FREQ=DAILY","from":"2999-01-01"}"#],
        ],
        [["DEL", "todomate:{alice}:log"], ["XTRIM", "todomate:{alice}:log", "MAXLEN", "0"]]
    )
    func beginnings(_ call: [String], _ loss: [String]) async throws {
        try await withFunctions { functions, server in
            _ = await functions(call[0], Array(call.dropFirst()))
            _ = try await Program.run("redis-cli", ["-s", "\(server.url)"] + loss)
            #expect(await functions("latest") == "0-1")
            #expect(await functions("repair") == "")
            let latest = await functions("latest")
            #expect(latest.hasPrefix("1-"))
            #expect(await functions("since", latest) == "")
            // Version 1 follows on nothing alone.
            let next = await functions("add", todo("t9"))
            #expect(next.hasPrefix(#"{"id":"2-"#), "\(next)")
            #expect(await functions("since", latest) == next)
        }
    }

    @Test("of nothing is good while there is nothing, and no longer")
    func nothing() async throws {
        try await withFunctions { functions, server in
            #expect(await functions("latest") == "0-0")
            #expect(await functions("since", "0-0") == "")
            // A password is in no log, and nothing that anybody follows.
            try await server.cli("HSET", Self.key + ":profile", "password", "x")
            #expect(await functions("latest") == "0-0")
            #expect(await functions("repair") == "")
            #expect(try await server.cli("EXISTS", Self.key + ":log") == "0", "there is nothing to begin")
            _ = await functions("add", todo("t1"))
            #expect(await functions("since", "0-0").hasPrefix("TODOMATE_GONE "))
        }
    }

    @Test("comes back to the clock after one write while that was far ahead, and starts nobody over")
    func clockAhead() async throws {
        try await withFunctions { functions, server in
            try await withWorker(on: server) { worker in
                let first = await functions("add", todo("t1"))
                try await eventually("it follows") { worker.versions == [1] }
                // As the functions would have written it 400 days from now.
                let ahead = Int(Date().timeIntervalSince1970 * 1_000_000) + 400 * 86_400_000_000
                let message = first.replacing(/"id":"1-\d+"/, with: #""id":"2-\#(ahead)""#).replacing("t1", with: "t2")
                let stored = String(try #require(message.firstMatch(of: /"todo":(\{.*\})\}$/)).1)
                try await server.cli("HSET", Self.key + ":todos", "t2", stored)
                try await server.cli("ZADD", Self.key + ":days", "20261120", "t2")
                try await server.cli("XADD", Self.key + ":log", "2-\(ahead)", "change", message)
                try await server.cli("PUBLISH", Self.key + ":changes", message)
                try await eventually("it is told") { worker.versions == [1, 2] }
                let doctor = try await server.todomate("doctor", "--json")
                #expect(doctor.output.contains("alice is dated 400 days ahead of Redis's clock"), "\(doctor.output)")
                // What has no time yet is in no feed, and would be new there for ever.
                #expect(await functions("feed", "alice", "0", "10").contains("t1"))
                #expect(await !functions("feed", "alice", "0", "10").contains("t2"))
                let next = await functions("add", todo("t3"))
                let id = try #require(ChangeID(next.dropFirst(7).prefix { $0 != "\"" }))
                #expect(id.version == 3 && id.microseconds < ahead - 300 * 86_400_000_000)
                _ = await functions("update", "t1", #"{"status":"complete"}"#)
                try await eventually("all is told") { worker.versions == [1, 2, 3, 4] }
                let feed = await functions("feed", "alice", "0", "10")
                let times = feed.matches(of: /"at":(\d+)/).compactMap { Int($0.1) }
                #expect(feed.contains("t2") && times.count == 4 && times == times.sorted(by: >))
                #expect(times.allSatisfy { $0 <= id.microseconds + 60_000_000 })
                let settings = await functions("settings", #"{"feedSeen":9000000000000000}"#)
                #expect(settings.contains(/"feedSeen":1\d{15}\b/))
                let healthy = try await server.todomate("doctor", "--json")
                #expect(!healthy.output.contains("ahead of Redis's clock"))
            }
        }
    }

    private func todo(_ id: String) -> String { #"{"id":"\#(id)","content":"x","date":"2026-11-20"}"# }
}
