import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate

/// The functions count by themselves, on one Redis as on every node; what the doors say of it is tried on both kinds.
@Suite("What a user's todos may weigh")
@LoopActor
struct QuotaTests {
    private static let key = "todomate:{alice}"
    private static let most = 33_554_432
    /// As long as a detail may be, each character with four bytes.
    private static let longDetail = String(repeating: "😀", count: 10_000)

    /// What the log says they weigh, as the profile tells it.
    private func bytes(_ functions: Functions) async throws -> Int {
        let profile = await functions("profile")
        return try #require(profile.firstMatch(of: /"bytes":(\d+),/).flatMap { Int($0.1) }, "\(profile)")
    }

    /// What they weigh: each todo with 200 bytes for its index, and without its reactions.
    private func weighed(_ server: any TestRedis) async throws -> Int {
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        let todos = try await client.send(RedisCommand("HVALS", "\(Self.key):todos")).array ?? []
        return todos.reduce(0) { sum, todo in
            let text = todo.string ?? ""
            let place = text.firstRange(of: ",\"reactions\":{").map { text[..<$0.lowerBound].utf8.count + 1 }
            return sum + (place ?? text.utf8.count) + 200
        }
    }

    /// Has the log say that alice's todos weigh so much, as if they did.
    private func pretend(_ bytes: Int, version: Int, _ server: any TestRedis) async throws {
        let micros = Int(Date().timeIntervalSince1970 * 1_000_000)
        let message = #"{"id":"\#(version)-\#(micros)","type":"removed","todo":{}}"#
        try await server.cli("XADD", "\(Self.key):log", "\(version)-\(micros)", "change", message, "bytes", "\(bytes)")
    }

    @Test("is known exactly after every write, whatever writes")
    func exact() async throws {
        try await withFunctions { functions, server in
            let archived =
                #"{"id":"i1","uid":"alice","content":"in","date":"2026-11-20","createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z"}"#
            let steps: [[String]] = [
                ["add", #"{"id":"a","content":"x","date":"2026-11-20"}"#],
                ["add", #"{"id":"b","content":"y \"quoted\" 우유","detail":"long","date":"2026-12-24"}"#],
                ["add", #"{"id":"a","content":"x","date":"2026-11-20"}"#],
                ["add", #"{"id":"a","content":"another","date":"2026-11-20"}"#],
                ["update", "a", #"{"content":"longer than before"}"#], ["update", "a", #"{"content":"x"}"#],
                ["update", "a", #"{"content":"x"}"#], ["update", "b", #"{"date":"2027-01-01","status":"complete"}"#],
                ["react", "a", "alice", "👍"], ["react", "a", "alice", "🎉"], ["react", "a", "alice", ""],
                ["settings", #"{"visibility":"private"}"#], ["follow", "bob"], ["block", "bob"],
                ["import", "add", archived], ["import", "add", archived],
                ["import", "replace", archived.replacing("\"in\"", with: "\"in again\"")], ["repair", "a", "zz"],
                ["restore", "add", #"{"uid":"alice","with":"alice","list":"reactions","todo":"b","emoji":"👍"}"#],
                ["remove", "b"], ["remove", "i1"], ["remove", "nobody"], ["remove", "a"],
            ]
            for step in steps {
                let answer = await functions(step[0], Array(step.dropFirst()))
                let (said, real) = (try await bytes(functions), try await weighed(server))
                #expect(said == real, "\(step): \(answer)")
            }
            #expect(try await bytes(functions) == 0)
        }
    }

    @Test("is known exactly where an older library left no number, and where the log was deleted")
    func older() async throws {
        try await withFunctions { functions, server in
            for number in 1...50 {
                _ = await functions(
                    "add",
                    #"{"id":"t\#(number)","content":"x","detail":"some more","date":"2026-11-20"}"#
                )
            }
            let micros = Int(Date().timeIntervalSince1970 * 1_000_000)
            let message = #"{"id":"51-\#(micros)","type":"removed","todo":{}}"#
            try await server.cli("XADD", "\(Self.key):log", "51-\(micros)", "change", message)
            let (estimate, real) = (try await bytes(functions), try await weighed(server))
            #expect(estimate == real)
            _ = await functions("remove", "t1")
            let next = try await bytes(functions)
            _ = await functions("remove", "t2")
            let left = try await weighed(server)
            #expect(try await bytes(functions) == next - (real - left) / 2)
            try await server.cli("DEL", "\(Self.key):log")
            #expect(await functions("add", #"{"content":"x","date":"2026-11-20"}"#).contains("added"))
            let (said, there) = (try await bytes(functions), try await weighed(server))
            #expect(said == there)
        }
    }

    @Test(
        "has an end at every door, up to which all that makes them lighter works; the operator can move it",
        arguments: RedisKind.allCases
    )
    func full(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            func call(_ function: String, _ words: String...) async throws -> String {
                try await server.call("todomate_\(function)", "alice", words)
            }
            let todo = #"{"id":"t","content":"x","detail":"some words","date":"2026-11-20"}"#
            _ = try await call("add", todo)
            try await pretend(Self.most - 100, version: 2, server)
            let refusal = "the todos of alice take as much as they may: remove some or shorten details first"
            let archived = #"{"id":"u","uid":"alice","content":"in","date":"2026-11-20"}"#
            for words in [
                ["add", #"{"content":"one more","date":"2026-11-20"}"#],
                ["update", "t", #"{"detail":"\#(String(repeating: "x", count: 200))"}"#], ["import", "add", archived],
            ] {
                let answer = try await server.call("todomate_\(words[0])", "alice", Array(words.dropFirst()))
                #expect(answer.contains("TODOMATE_FULL " + refusal), "\(words): \(answer)")
            }
            let body = #"{"content":"one more","date":"2026-11-20"}"#
            let posted = try await gateway.ask("POST /v1/users/alice/todos", as: "alice", body: body)
            #expect(posted.status == 422)
            #expect(posted.body.contains(refusal))
            let added = try await server.todomate("add", "alice", "one more")
            #expect(added.ending != .exit(0) && added.errors.contains(refusal), "\(added.errors)")
            // A repeat is no more than it was, and what makes them lighter works.
            #expect(try await call("add", todo).contains("unchanged"))
            #expect(try await call("update", "t", #"{"status":"complete","detail":""}"#).contains("modified"))
            #expect(try await server.cli("HLEN", "\(Self.key):todos").contains("1"))
            #expect(try await call("add", body).contains("TODOMATE_FULL"), "the detail was short")
            let doctor = try await server.todomate("doctor")
            #expect(doctor.output.contains("the todos of alice take 99 % of what they may"), "\(doctor.output)")
            try await server.cli("HSET", "\(Self.key):profile", "bytesMost", "\(Self.most * 2)")
            #expect(try await call("add", body).contains("added"))
            let profile = try await gateway.ask("GET /v1/users/alice/profile", as: "alice")
            #expect(profile.body.contains("\"todos\":2,") && profile.body.contains("\"bytesMost\":\(Self.most * 2)}"))
            let stranger = try await gateway.ask("GET /v1/users/alice/profile", as: "bob")
            #expect(
                !stranger.body.contains("bytes") && !stranger.body.contains("todos"),
                "what they weigh is hers alone"
            )
            #expect(try await call("remove", "t").contains("removed"))
        }
    }

    @Test("is one bound, and how many there are another")
    func count() async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", #"{"id":"t","content":"x","date":"2026-11-20"}"#)
            let client = RedisClient(server.url, timeout: .seconds(30))
            defer { client.close() }
            var command = RedisCommand("ZADD", "\(Self.key):days")
            for number in 1..<50_000 {
                command.append("\(20_000_101 + number % 28 + number / 28 % 12 * 100 + number / 6000 * 10_000)")
                command.append("x\(number)")
            }
            try await client.send(command)
            try await pretend(1000, version: 60_000, server)
            let refusal = "TODOMATE_FULL alice has 50000 todos already: remove some first, or ask the operator for more"
            #expect(await functions("add", #"{"content":"x","date":"2026-11-20"}"#) == refusal)
            #expect(
                await functions("import", "add", #"{"id":"u","uid":"alice","content":"in","date":"2026-11-20"}"#)
                    == refusal
            )
            #expect(await functions("add", #"{"id":"t","content":"x","date":"2026-11-20"}"#).contains("unchanged"))
            #expect(await functions("remove", "t").contains("removed"))
            #expect(await functions("add", #"{"id":"t","content":"x","date":"2026-11-20"}"#).contains("added"))
        }
    }

    @Test("bounds the log as well: it keeps fewer changes where they are long, and the feed still tells of all")
    func log() async throws {
        try await withFunctions { functions, server in
            for number in 1...450 {
                let todo = #"{"id":"t\#(number)","content":"x","detail":"\#(Self.longDetail)","date":"2026-11-20"}"#
                #expect(await functions("add", todo).contains("added"))
            }
            let text = try await server.cli("MEMORY", "USAGE", "\(Self.key):log")
            let bytes = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            // Four MiB, and what a round of a hundred changes adds.
            #expect(bytes < 4_194_304 + 110 * 45_000, "\(bytes)")
            #expect(await functions("feed", "alice", "0", "0") == "200")
            let first = #"{"id":"t1","#
            let oldest = await functions("feed", "alice", "0", "200", "0")
            #expect(!oldest.contains(first))
            var (before, told) = ("9007199254740991", 0)
            while true {
                let page = await functions("feed", "alice", "0", "200", before)
                let times = page.matches(of: /"type":"added","at":(\d+)/).map { String($0.1) }
                told += times.count
                guard let last = times.last else { break }
                before = last
            }
            #expect(told == 450)
        }
    }

    @Test("is what a catching up is held against: what is longer than all todos is read with them")
    func catchUp() async throws {
        try await withFunctions { functions, _ in
            let todo = #"{"id":"t","content":"x","detail":"\#(Self.longDetail)","date":"2026-11-20"}"#
            let added = await functions("add", todo)
            let id = String(added.dropFirst(7).prefix { $0 != "\"" })
            for number in 1...6 { _ = await functions("update", "t", #"{"content":"edit \#(number)"}"#) }
            #expect(await functions("since", id).hasPrefix(#"{"id":"2-"#))
            for number in 7...9 { _ = await functions("update", "t", #"{"content":"edit \#(number)"}"#) }
            #expect(await functions("since", id).hasPrefix("TODOMATE_GONE "))
            let latest = await functions("latest")
            #expect(await functions("since", latest) == "")
        }
    }

    @Test("does not keep many short changes from being caught up with, a part at a time")
    func batches() async throws {
        try await withFunctions { functions, _ in
            let added = await functions("add", #"{"id":"t","content":"x","date":"2026-11-20"}"#)
            let id = String(added.dropFirst(7).prefix { $0 != "\"" })
            for count in [99, 100, 101, 199, 200, 201, 350] {
                let done = Int((await functions("latest")).prefix { $0 != "-" }) ?? 0
                for number in done...count { _ = await functions("update", "t", #"{"content":"edit \#(number)"}"#) }
                let missed = await functions("since", id)
                #expect(missed.split(separator: "\n").count == count, "\(missed.prefix(100))")
            }
        }
    }

    @Test(
        "bounds the log whatever stands at its beginning, and the feed keeps all of the day when the log may be long again"
    )
    func mixedLog() async throws {
        try await withFunctions { functions, server in
            for number in 1...1100 {
                let detail = number < 200 ? Self.longDetail : ""
                let todo = #"{"id":"t\#(number)","content":"x","detail":"\#(detail)","date":"2026-11-20"}"#
                #expect(await functions("add", todo).contains("added"))
            }
            var (before, told) = ("9007199254740991", 0)
            while true {
                let page = await functions("feed", "alice", "0", "200", before)
                let times = page.matches(of: /"type":"added","at":(\d+)/).map { String($0.1) }
                told += times.count
                guard let last = times.last else { break }
                before = last
            }
            #expect(told == 1100)
            for number in 1...300 {
                let detail = number % 100 < 57 ? "" : Self.longDetail
                _ = await functions("update", "t300", #"{"content":"edit \#(number)","detail":"\#(detail)"}"#)
            }
            let text = try await server.cli("MEMORY", "USAGE", "\(Self.key):log", "SAMPLES", "0")
            let bytes = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(bytes < 4_194_304 + 110 * 45_000, "\(bytes)")
        }
    }
}
