import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("The functions, called by hand")
@LoopActor
struct FunctionTests {
    @Test("answer with the message that they logged and published, its keys in the documented order")
    func messages() async throws {
        try await withFunctions { functions, server in
            let todo =
                #"\{"id":"([A-Za-z0-9_-]{1,64})","uid":"alice","date":"2026-11-20","content":"Buy \\"milk\\" 우유","#
                + #""detail":"two\\nlines","status":"(?:todo|complete)","position":(-?[0-9.]+),"revision":(\d+),"#
                + #""micros":\d{16},"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","updatedAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","#
                + #""visibility":"followers"\}"#
            func matches(_ message: String, _ type: String, _ version: Int) throws -> Bool {
                let was = type == "modified" ? #","was":\{"status":"todo"\}"# : ""
                let pattern = #"^\{"id":"\#(version)-\d{16}","type":"\#(type)","todo":\#(todo)\#(was)\}$"#
                return try Regex(pattern).firstMatch(in: message) != nil
            }
            let given = #"{"content":"Buy \"milk\" \uc6b0유","detail":"two\nlines","date":"2026-11-20"}"#
            let added = await functions("add", given)
            #expect(try matches(added, "added", 1), "\(added)")
            let id = String(try #require(added.firstMatch(of: /"todo":{"id":"([^"]+)"/)).1)
            let modified = await functions("update", id, #"{"status":"complete","position":-0.5}"#, "1")
            #expect(try matches(modified, "modified", 2), "\(modified)")
            #expect(modified.contains(#""status":"complete","position":-0.5,"revision":2,"#))
            let stored = await functions("get", id)
            let removed = await functions("remove", id)
            #expect(try matches(removed, "removed", 3), "\(removed)")
            #expect(removed.hasSuffix("\"todo\":\(stored)}"), "as it last was")
            let log = try await server.log(of: "alice")
            #expect(log == [added, modified, removed])
        }
    }

    @Test("write a time behind all else but reactions, and no such key without one")
    func times() async throws {
        try await withFunctions { functions, _ in
            let plain = await functions("add", #"{"id":"t1","content":"x","date":"2026-11-20","time":""}"#)
            #expect(plain.hasSuffix(#","visibility":"followers"}}"#), "\(plain)")
            let timed = await functions("update", "t1", #"{"time":"09:30"}"#)
            #expect(timed.hasSuffix(#","visibility":"followers","time":"09:30"}}"#), "\(timed)")
            #expect(await functions("update", "t1", #"{"time":"09:30"}"#).hasPrefix(#"{"type":"unchanged""#))
            // An older program, which knows nothing of times, leaves them alone.
            #expect(await functions("update", "t1", #"{"content":"y"}"#).contains(#""time":"09:30""#))
            _ = await functions("react", "t1", "alice", "👍")
            #expect(await functions("get", "t1").hasSuffix(#","time":"09:30","reactions":{"👍":1}}"#))
            #expect(await functions("update", "t1", #"{"time":""}"#).hasSuffix(#""followers","reactions":{"👍":1}}}"#))
            #expect(await functions("update", "t1", #"{"time":""}"#).hasPrefix(#"{"type":"unchanged""#))
        }
    }

    @Test("number the changes 1, 2, 3 … by ids that only grow, and tell what came since each")
    func since() async throws {
        try await withFunctions { functions, _ in
            var messages: [String] = []
            for number in 1...5 {
                messages.append(await functions("add", #"{"id":"t\#(number)","content":"x","date":"2026-11-20"}"#))
            }
            for number in 1...5 { messages.append(await functions("update", "t\(number)", #"{"detail":"y"}"#)) }
            for number in 1...5 { messages.append(await functions("remove", "t\(number)")) }
            let ids = try messages.map { try #require(ChangeID($0.dropFirst(7).prefix { $0 != "\"" })) }
            #expect(ids.map(\.version) == Array(1...15))
            #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.microseconds < $1.microseconds })
            for (index, id) in ids.enumerated() {
                #expect(await functions("since", "\(id)") == messages[(index + 1)...].joined(separator: "\n"))
                // The right version with other microseconds is an id of another history.
                #expect(await functions("since", "\(id.version)-\(id.microseconds + 1)").hasPrefix("TODOMATE_GONE "))
            }
            #expect(await functions("since", "0-0").hasPrefix("TODOMATE_GONE "))
            #expect(await functions("since", "16-1").hasPrefix("TODOMATE_GONE "))
            #expect(await functions("latest") == ids.last?.description)
        }
    }

    @Test("go on counting when the clock went back")
    func clock() async throws {
        try await withFunctions { functions, server in
            // As if the clock had been half a minute ahead.
            var last = Int(Date().timeIntervalSince1970 * 1_000_000) + 30_000_000
            let message = #"{"id":"7-\#(last)","type":"removed","todo":{}}"#
            try await server.cli("XADD", "todomate:{alice}:log", "7-\(last)", "change", message)
            for version in 8...10 {
                let added = await functions("add", #"{"content":"x","date":"2026-11-20"}"#)
                let id = try #require(ChangeID(added.dropFirst(7).prefix { $0 != "\"" }))
                #expect(id.version == version && id.microseconds > last && id.microseconds <= last + 65_536)
                last = id.microseconds
            }
        }
    }

    @Test("never give out the id of a lost change again, not even with the clock behind")
    func lostTail() async throws {
        try await withFunctions { functions, server in
            let ahead = Int(Date().timeIntervalSince1970 * 1_000_000) + 50_000_000
            let message = #"{"id":"7-\#(ahead)","type":"removed","todo":{}}"#
            var seen: Set<Substring> = []
            for _ in 1...3 {
                try await server.cli("DEL", "todomate:{alice}:log", "todomate:{alice}:todos", "todomate:{alice}:days")
                try await server.cli("XADD", "todomate:{alice}:log", "7-\(ahead)", "change", message)
                let added = await functions("add", #"{"id":"a","content":"x","date":"2026-11-20"}"#)
                let id = added.dropFirst(7).prefix { $0 != "\"" }
                #expect(id.hasPrefix("8-") && seen.insert(id).inserted, "\(id) after \(seen)")
            }
        }
    }

    @Test("keep the last thousand changes and a little more")
    func logLength() async throws {
        try await withFunctions { functions, server in
            let calls = (1...1500).map { number in
                Task { @LoopActor in await functions("add", #"{"content":"\#(number)","date":"2026-11-20"}"#) }
            }
            var messages: [String] = []
            for call in calls { messages.append(await call.value) }
            let log = try await server.log(of: "alice")
            #expect((1000...1200).contains(log.count))
            #expect(log == messages.suffix(log.count))
            func since(_ index: Int) async -> String {
                await functions("since", String(messages[index].dropFirst(7).prefix { $0 != "\"" }))
            }
            #expect(await since(100).hasPrefix("TODOMATE_GONE "))
            #expect(await since(messages.count - log.count) == log.dropFirst().joined(separator: "\n"))
            #expect(await functions("since", "0-0").hasPrefix("TODOMATE_GONE "))
        }
    }

    @Test("list days in order, with the change that made them so")
    func lists() async throws {
        try await withFunctions { functions, _ in
            #expect(await functions("latest") == "0-0")
            #expect(await functions("since", "0-0") == "")
            #expect(await functions("list") == #"{"id":"0-0","todos":[]}"#)
            let dates = ["2026-12-01", "2026-11-30", "1900-01-01", "2999-12-31", "2026-11-01"]
            for date in dates { _ = await functions("add", #"{"content":"x","date":"\#(date)"}"#) }
            let latest = await functions("latest")
            func listed(_ days: String...) async -> [String] {
                let list = await functions("list", days)
                #expect(list.hasPrefix("{\"id\":\"\(latest)\",\"todos\":["))
                return list.matches(of: /"date":"([^"]+)"/).map { String($0.1) }
            }
            #expect(await listed() == dates.sorted())
            #expect(await listed("20261101", "20261130") == ["2026-11-01", "2026-11-30"])
            #expect(await listed("20261130") == ["2026-11-30", "2026-12-01", "2999-12-31"])
            #expect(await listed("20261102", "20261129") == [])
            #expect(await listed("19000101", "19000101") == ["1900-01-01"])
        }
    }

    @Test("add the same todo once, however often it is said")
    func idempotence() async throws {
        try await withFunctions { functions, server in
            let todo = #"{"id":"t1","content":"x","date":"2026-11-20"}"#
            _ = await functions("add", todo)
            _ = await functions("add", #"{"id":"t2","content":"y","date":"2026-11-20"}"#)
            // No change, and so no id that somebody could take for one.
            let again = await #"{"type":"unchanged","todo":\#(functions("get", "t1"))}"#
            #expect(await functions("add", todo) == again)
            #expect(await functions("add", #"{"date":"2026-11-20","detail":"","content":"\u0078","id":"t1"}"#) == again)
            // Status and place change with use: they make it no other todo.
            #expect(await functions("add", todo.dropLast() + #","status":"complete","position":9}"#) == again)
            for other in [#""content":"z""#, #""content":"x","detail":"d""#] {
                let answer = await functions("add", #"{"id":"t1","date":"2026-11-20",\#(other)}"#)
                #expect(answer.hasPrefix("TODOMATE_EXISTS "))
            }
            #expect(await functions("update", "t1", #"{"content":"x"}"#) == again)
            let log = try await server.log(of: "alice")
            #expect(log.count == 2)
        }
    }

    @Test("refuse a stale write with the todo as it is now")
    func conflicts() async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", #"{"id":"t1","content":"x","date":"2026-11-20"}"#)
            _ = await functions("update", "t1", #"{"content":"y"}"#, "1")
            let current = await functions("get", "t1")
            for revision in ["0", "1", "3", "99999999999999999999"] {
                for call in [["update", "t1", #"{"content":"z"}"#, revision], ["remove", "t1", revision]] {
                    let answer = await functions(call[0], Array(call.dropFirst()))
                    #expect(answer.hasPrefix("TODOMATE_CONFLICT the todo is now at revision 2"))
                    #expect(answer.hasSuffix("; current: \(current)"))
                }
            }
            let log = try await server.log(of: "alice")
            #expect(log.count == 2)
        }
    }

    @Test(
        "write every position so that it reads back the same",
        arguments: [
            ("1", "1"), ("-3.0", "-3"), ("1e3", "1000"), ("0.1", "0.1"), ("-0", "0"), ("1e-7", "1e-07"),
            ("0.30000000000000004", "0.30000000000000004"), ("0.3333333333333333", "0.3333333333333333"),
            ("9007199254740991", "9007199254740991"), ("-9007199254740991", "-9007199254740991"),
            ("4503599627370495.5", "4503599627370495.5"), ("123456789.125", "123456789.125"),
        ]
    )
    func positions(_ given: String, _ written: String) async throws {
        try await withFunctions { functions, _ in
            let added = await functions("add", #"{"id":"t","content":"x","date":"2026-11-20","position":\#(given)}"#)
            #expect(added.contains(#""position":\#(written),"revision":1,"#), "\(added)")
            #expect(Double(written) == Double(given))
        }
    }

    @Test("answer any JSON whatsoever with a valid message or an error of their own", arguments: [1, 2, 3, 4])
    func fuzz(_ seed: UInt64) async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", #"{"id":"known","content":"x","date":"2026-11-20"}"#)
            var noise = JSONNoise(seed: seed)
            // All at once: they go out in one pipeline.
            let calls = (0..<400).map { number in
                let json = noise.todo()
                let words = number.isMultiple(of: 3) ? ["update", "known"] : ["add"]
                return (json, Task { @LoopActor in await functions.answer(words, json: json) })
            }
            var accepted = 0
            for (json, call) in calls {
                let answer = await call.value
                let isError = answer.starts(with: Array("TODOMATE_".utf8))
                let isUnchanged = answer.starts(with: Array(#"{"type":"unchanged","todo":{"#.utf8))
                let isMessage = isUnchanged || (try? TodoChange(message: answer, uid: "alice")) != nil
                let isOneLine = !answer.contains { $0 < 0x20 }
                let (said, got) = (String(decoding: json, as: UTF8.self), String(decoding: answer, as: UTF8.self))
                #expect((isError || isMessage) && isOneLine, "\(said) was answered \(got)")
                if isMessage { accepted += 1 }
            }
            #expect((20..<380).contains(accepted), "both kinds of answer occur: \(accepted)")
            let log = try await server.log(of: "alice")
            #expect(log.count > 1 && log.count <= accepted + 1)
            for (index, message) in log.enumerated() {
                let change = try TodoChange(message: Array(message.utf8), uid: "alice")
                #expect(change.id?.version == index + 1)
            }
        }
    }
}
