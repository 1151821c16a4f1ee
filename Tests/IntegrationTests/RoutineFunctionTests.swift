import EventLoop
import Foundation
import TestServers
import Testing

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("What the functions of routines take and refuse")
@LoopActor
struct RoutineFunctionTests {
    /// The rules that no door takes, from the table that holds for all.
    private static func refusedRules() throws -> [String] {
        struct Table: Decodable { var refused: [String] }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Routines/rules.json")
        return try JSONDecoder().decode(Table.self, from: Data(contentsOf: file)).refused
    }

    private static func json(_ fields: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys), as: UTF8.self)
    }

    private static func expect(_ answer: String, begins text: String) { #expect(answer.hasPrefix(text)) }

    private static func expect(_ answer: String, has text: String) { #expect(answer.contains(text), "\(answer)") }

    @Test("refuses what is no routine, with what to mend, and writes nothing")
    func refusals() async throws {
        try await withFunctions { functions, server in
            let sound: [String: Any] = ["id": "r1", "content": "Run", "rule": "FREQ=DAILY", "from": "2026-11-20"]
            for rule in try Self.refusedRules() {
                let answer = await functions("set_routines", try Self.json(sound.merging(["rule": rule]) { $1 }))
                #expect(answer.hasPrefix("TODOMATE_INVALID "), "\(rule): \(answer)")
            }
            for (field, value) in [
                ("id", ""), ("id", "a b"), ("id", 7), ("content", ""), ("content", NSNull()), ("rule", NSNull()),
                ("rule", 7),
                ("rule", "FREQ=DAILY;" + String(repeating: "X", count: 200)), ("from", "2026-02-30"),
                ("from", 20_261_120),
                ("time", "9:30"), ("goal", "none"), ("goal", 7), ("visibility", "all"), ("position", "1"),
                ("made", 20_261_120),
                ("made", ["2026-11-20"]), ("made", [20_260_230]), ("made", ["a": 1]), ("made", [20_261_120.5]),
                ("ended", "yes"),
                ("colour", "red"), ("rule", "FREQ=DAILY;UNTIL=20261119"),
            ] as [(String, Any)] {
                let answer = await functions("set_routines", try Self.json(sound.merging([field: value]) { $1 }))
                #expect(answer.hasPrefix("TODOMATE_INVALID "), "\(field) \(value): \(answer)")
            }
            for field in ["id", "content", "rule", "from"] {
                let answer = await functions("set_routines", try Self.json(sound.filter { $0.key != field }))
                #expect(answer.hasPrefix("TODOMATE_INVALID "), "without \(field)")
            }
            for (words, answer) in [
                (["skip_day", "r1", "today"], "USAGE give a routine and a day"),
                (["skip_day", "r1", "20260230"], "USAGE give"),
                (["skip_day", "r1", "20261120"], "NOT_FOUND alice has no routine with the id r1"),
                (["skip_day", "a b", "20261120"], "INVALID id must"), (["split_routine", "r1", "x"], "USAGE give"),
                (["split_routine", "r1", "20261120"], "NOT_FOUND alice has no routine"),
                (["update", "r1--20261120", "{}"], "NOT_FOUND alice has no todo with the id r1--20261120"),
                (["remove", "r1--20261120"], "NOT_FOUND alice has no todo"),
                (["set_routines", "[]"], "INVALID the todo must be"),
            ] {
                let said = await functions.raw(["todomate_\(words[0])", "1", "todomate:{alice}"] + words.dropFirst())
                #expect(said.hasPrefix("TODOMATE_\(answer)"), "\(words): \(said)")
            }
            let size = try await server.cli("DBSIZE")
            #expect(size == "0", "nothing was written")
        }
    }

    @Test("are spelt in one way, and say what was done in messages of their own")
    func spelling() async throws {
        try await withFunctions { functions, server in
            let made = await functions(
                "set_routines",
                #"{"id":"r1","content":"Run \"x\"","rule":"BYDAY=FR,MO;INTERVAL=1;FREQ=WEEKLY","from":"2999-01-01","time":"07:00"}"#
            )
            let routine =
                #"{"id":"r1","content":"Run \"x\"","rule":"FREQ=WEEKLY;BYDAY=MO,FR","from":"2999-01-01","position":1,"time":"07:00""#
            #expect(made.hasSuffix(#""feedSeen":0,"routines":[\#(routine)}]}}"#), "\(made)")
            let skipped = await functions("skip_day", "r1", "29990104")
            #expect(skipped.hasSuffix(#"[\#(routine),"made":[29990104]}]}}"#), "\(skipped)")
            Self.expect(await functions("skip_day", "r1", "29990104"), begins: #"{"type":"unchanged","settings":"#)
            Self.expect(
                await functions("skip_day", "r1", "29990105"),
                begins: "TODOMATE_INVALID the routine r1 has no day"
            )
            Self.expect(
                await functions("skip_day", "r1", "29990107", "no"),
                begins: "TODOMATE_USAGE the third argument"
            )
            let finished = await functions("update", "r1--29990107", #"{"status":"complete"}"#)
            #expect(
                finished.contains(#","type":"added","todo":{"id":"r1--29990107","uid":"alice","date":"2999-01-07""#)
            )
            #expect(
                finished.contains(#""content":"Run \"x\"","detail":"","status":"complete","position":1,"revision":3"#)
            )
            #expect(finished.contains(#""visibility":"followers","time":"07:00"}}"#), "\(finished)")
            let again = await functions("update", "r1--29990107", #"{"status":"complete"}"#)
            #expect(again.hasPrefix(#"{"type":"unchanged","todo":{"id":"r1--29990107""#))
            let stored = try await server.cli("HGET", "todomate:{alice}:routines", "r1")
            #expect(stored == routine + #","made":[29990104,29990107]}"#)
            let log = try await server.log(of: "alice")
            #expect(log == [made, skipped, finished])
            // What is written at other ids, and what hides, makes nothing.
            Self.expect(
                await functions("hide", "update", "r1--29990111", #"{"visibility":"private"}"#),
                begins: "TODOMATE_NOT_FOUND"
            )
            Self.expect(
                await functions("update", "r1--29990111", #"{"status":"done"}"#),
                begins: "TODOMATE_INVALID status"
            )
            Self.expect(await functions("update", "r1--29990111", "{}", "7-1"), begins: "TODOMATE_NOT_FOUND")
            let settings = await functions("settings", #"{"name":"Alice"}"#)
            #expect(settings.contains(#""name":"Alice","routines":[{"id":"r1""#))
            let goal = await functions("set_goal", #"{"id":"g1","name":"Body"}"#)
            #expect(goal.contains(#"}],"routines":[{"id":"r1""#))
        }
    }

    @Test("survive a log that is gone, and say what was edited by hand")
    func mishaps() async throws {
        try await withFunctions { functions, server in
            _ = await functions(
                "set_routines",
                #"{"id":"r1","content":"Run","rule":"FREQ=DAILY","from":"2999-01-01"}"#,
                #"{"id":"r2","content":"Read","rule":"FREQ=DAILY","from":"2999-01-01"}"#
            )
            _ = await functions("update", "r1--29990101", #"{"status":"complete"}"#)
            try await server.cli("DEL", "todomate:{alice}:log")
            Self.expect(
                await functions("update", "r1--29990101", #"{"status":"complete"}"#),
                begins: #"{"type":"unchanged""#
            )
            Self.expect(await functions("update", "r2--29990101", #"{"status":"complete"}"#), has: #","type":"added","#)
            _ = await functions("remove", "r2--29990101")
            try await server.cli("DEL", "todomate:{alice}:log")
            Self.expect(
                await functions("update", "r2--29990101", #"{"status":"complete"}"#),
                begins: "TODOMATE_NOT_FOUND"
            )
            for broken in [
                "x", "{}", #"{"id":"r1","content":"x","rule":"FREQ=NEVER","from":"2999-01-01","position":1}"#,
                #"{"id":"r9","content":"x","rule":"FREQ=DAILY","from":"2999-01-01","position":1}"#,
            ] {
                try await server.cli("HSET", "todomate:{alice}:routines", "r1", broken)
                for words in [
                    ["update", "r1--29990102", "{}"], ["skip_day", "r1", "29990102"],
                    ["split_routine", "r1", "29990102"],
                ] {
                    let said = await functions.raw(
                        ["todomate_\(words[0])", "1", "todomate:{alice}"] + words.dropFirst()
                    )
                    #expect(
                        said.hasPrefix(
                            "TODOMATE_CORRUPT the routine r1 was edited by hand: HDEL todomate:{alice}:routines r1"
                        )
                    )
                }
            }
            Self.expect(await functions("set_routines", #"{"id":"r1","ended":true}"#), has: #""type":"settings""#)
        }
    }
}
