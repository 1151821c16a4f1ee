import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// What a command makes of its words is the same whatever Redis there is.
@Suite("Routines by commands", .serialized)
@LoopActor
struct RoutineCommandTests {
    @Test("are told with the first day that they have, not the one from which they count")
    func firstDay() async throws {
        try await withRedis { server in
            // A Saturday.
            let said = ["routine", "add", "alice", "Plan", "--rule", "every weekday", "--from", "2026-11-28"]
            let made = try await server.todomate(said)
            #expect(made.ending == .exit(0) && made.output.hasSuffix("  2026-11-30  Plan\n"), "\(made)")
            let listed = try await server.todomate(["routine", "list", "alice"])
            #expect(listed.output == made.output)
            let stored = try await server.todomate(["routine", "list", "alice", "--json"])
            #expect(stored.output.contains(#""from":"2026-11-28""#), "\(stored)")
        }
    }

    @Test("are made, listed, finished, changed, skipped and ended by commands")
    func commands() async throws {
        try await withRedis { server in
            func say(_ words: String...) async throws -> String {
                let outcome = try await server.todomate(words)
                try #require(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                return outcome.output
            }
            let today = CalendarDate(Date(), in: .current)
            func id(_ days: Int) -> String { "r1--\(today.adding(days: days).ordinal)" }
            #expect(try await say("routine", "list", "alice") == "")
            let made = try await say("routine", "add", "alice", "Stretch every day at 7:00", "--id", "r1")
            #expect(made.hasSuffix("every day                 \(today)  07:00  Stretch\n"), "\(made)")
            #expect(
                try await say("routine", "list", "alice", "--json").hasPrefix(
                    #"{"id":"r1","content":"Stretch","rule":"FREQ=DAILY""#
                )
            )
            let korean = try await Program.run(
                "todomate",
                ["routine", "list", "alice"],
                environment: ["TODOMATE_REDIS": server.address, "LC_ALL": "ko_KR.UTF-8"]
            )
            #expect(korean.output.contains("  매일  "), "\(korean.output)")
            _ = try await say("add", "alice", "Buy milk", "--id", "milk")
            let list = try await say("list", "alice", "--plain")
            #expect(list.split(separator: "\n").map { $0.prefix(12) } == [id(0).prefix(12), "milk        "], "\(list)")
            #expect(
                list.hasPrefix(
                    "\(id(0).padding(toLength: 22, withPad: " ", startingAt: 0))  \(today)  todo        07:00  Stretch\n"
                )
            )
            #expect(try await say("list", "alice", "--date", "tomorrow", "--json").contains(#""revision":0"#))
            #expect(!(try await say("list", "alice", "--all")).contains("Stretch"))
            // By its words today's is meant, by its id any.
            #expect(try await say("done", "alice", "stretch", "--json").contains(#""id":"\#(id(0))""#))
            #expect(try await say("edit", "alice", id(1), "--content", "Stretch long").contains("Stretch long"))
            #expect(try await say("move", "alice", id(2), "--date", "+9d").contains("\(today.adding(days: 9))"))
            #expect(
                try await say("routine", "skip", "alice", "stretch", "+3d", "--json").contains(
                    "\(today.adding(days: 3).ordinal)]"
                )
            )
            for days in 0...3 {
                let day = today.adding(days: days).description
                let found = try await say("list", "alice", "--date", day, "--json").contains(#""revision":0"#)
                #expect(!found, "\(days)")
            }
            _ = try await say("routine", "skip", "alice", "r1", "+3d", "--back")
            let changed = try await say(
                "routine",
                "edit",
                "alice",
                "r1",
                "--content",
                "Swim",
                "--from",
                "+5d",
                "--rule",
                "every 2 days"
            )
            #expect(changed.contains("every 2 days              \(today.adding(days: 5))  07:00  Swim"), "\(changed)")
            #expect(
                try await say("routine", "edit", "alice", "Stretch", "--time", "none").hasSuffix("\(today)  Stretch\n")
            )
            _ = try await say("routine", "end", "alice", "Stretch", "--from", "+4d")
            #expect(try await say("list", "alice", "--date", "+3d").contains("Stretch"))
            #expect(!(try await say("list", "alice", "--date", "+4d")).contains("Stretch"))
            _ = try await say("routine", "end", "alice", "swim")
            #expect(!(try await say("routine", "list", "alice")).contains("Swim"))
            for (words, code) in [
                (["routine", "add", "alice", "Run"], Int32(65)),
                (["routine", "add", "alice", "Run", "--rule", "FREQ=HOURLY"], 65),
                (
                    [
                        "routine", "add", "alice", "Run", "--rule", "FREQ=MONTHLY;BYMONTHDAY=30;INTERVAL=12", "--from",
                        "2026-02-01",
                    ], 65
                ),
                (["routine", "edit", "alice", "nothing", "--content", "x"], 65),
                (["routine", "edit", "alice", "r1"], 64),
                (["routine", "skip", "alice", "r1", "2026-02-30"], 65), (["routine", "end", "alice", "nothing"], 65),
                (["done", "alice", "r1--29990101"], 65), (["remove", "alice", id(3)], 65),
            ] {
                let refused = try await server.todomate(words)
                #expect(refused.ending == .exit(code), "\(words): \(refused.errors)")
            }
            let unknown = try await server.todomate("routine", "add", "alice", "Run", "--rule", "twice a week")
            #expect(unknown.ending == .exit(65) && unknown.errors.contains("\"twice a week\" says no days"))
            let unread = try await server.todomate("routine", "add", "alice", "run every first friday")
            let reason = #""run every first friday" names no days that are read"#
            #expect(unread.ending == .exit(65) && unread.errors.contains(reason), "\(unread.errors)")
            let bare = try await server.todomate("routine", "add", "alice", "Run", "--rule", "mon wed fri")
            #expect(bare.ending == .exit(0), "\(bare.errors)")
        }
    }

    @Test(
        "begin with the next day that their words name, in whichever week, but where a day is told as told",
        arguments: [
            (["add", "alice", "review every other friday", "--date", "2999-01-01"], "2999-01-04"),
            (["routine", "add", "alice", "review 2999-01-01 every other friday"], "2999-01-04"),
            (["routine", "add", "alice", "review every other friday", "--from", "2999-01-01"], "2999-01-01"),
        ]
    )
    func firstDay(_ words: [String], _ day: String) async throws {
        try await withRedis { server in
            let made = try await server.todomate(words)
            #expect(made.ending == .exit(0), "\(made.errors)")
            let stored = try await server.todomate("routine", "list", "alice", "--json").output
            #expect(stored.contains(#""from":"\#(day)""#), "\(stored)")
        }
    }

    @Test("are made by the words of a line that is added, beside todos of other lines")
    func lines() async throws {
        try await withRedis { server in
            func add(_ text: String, _ words: [String] = []) async throws -> Program.Outcome {
                try await server.todomate(["add", "alice", text] + words)
            }
            /// The same text by the standard input.
            func type(_ text: String, _ words: [String] = []) async throws -> Program.Outcome {
                let program = Program.builtPrograms.path + "/todomate"
                return try await Program.run(
                    "sh",
                    [
                        "-c", #"printf %s "$1" | { program=$2; shift 2; exec "$program" add alice - "$@"; }"#, "sh",
                        text, program,
                    ]
                        + words,
                    environment: ["TODOMATE_REDIS": server.address]
                )
            }
            _ = try await server.todomate("goal", "set", "alice", "Work")
            let made = try await add("Stretch every weekday at 7:00 #work\r\n\nBuy milk\n", ["--date", "2999-01-01"])
            #expect(made.ending == .exit(0), "\(made.errors)")
            #expect(
                made.output.contains("every weekday             2999-01-01  07:00  Stretch\n"),
                "\(made.output)"
            )
            #expect(made.output.hasSuffix("Buy milk\n") && made.output.split(separator: "\n").count == 2)
            #expect(
                made.errors.contains("read \"every weekday\" as every weekday"),
                "\(made.errors)"
            )
            let routines = try await server.todomate("routine", "list", "alice", "--json").output
            #expect(routines.contains(#""goal":""#) && routines.split(separator: "\n").count == 1, "\(routines)")
            // What a routine cannot have makes it a todo, and so does a wish for the text as it is.
            for words in [["--status", "complete"], ["--detail", "slowly"], ["--as-is"]] {
                let todo = try await add("매일 물 마시기", ["--json"] + words)
                #expect(todo.output.contains(#""content":"매일 물 마시기""#), "\(words): \(todo.output) \(todo.errors)")
            }
            let typed = try await type("Bread\nEggs every friday\n")
            #expect(typed.ending == .exit(0) && typed.output.contains("Bread") && typed.output.contains("Eggs"))
            let before = try await server.todomate("export").output
            for (text, words, code): (String, [String], Int32) in [
                ("a\nb", ["--id", "one"], 64), (Array(repeating: "a", count: 51).joined(separator: "\n"), [], 65),
                ("a\n" + String(repeating: "b", count: 501), [], 65), ("\n\n", [], 65), ("", [], 65),
            ] {
                let refused = try await add(text, words)
                #expect(refused.ending == .exit(code) && refused.output.isEmpty, "\(text.prefix(9)): \(refused.errors)")
                let typed = try await type(text, words)
                #expect(typed.ending == .exit(code) && typed.output.isEmpty, "\(text.prefix(9)): \(typed.errors)")
            }
            #expect(try await server.todomate("export").output == before)
        }
    }

    @Test("go with the archive, with what was done and skipped")
    func archive() async throws {
        try await withRedis { server in
            for words in [
                ["profile", "alice", "--visibility", "private"],
                ["routine", "add", "alice", "Read", "--id", "r1", "--rule", "FREQ=DAILY"],
                ["done", "alice", "read"], ["routine", "skip", "alice", "r1", "tomorrow"],
            ] {
                let outcome = try await server.todomate(words)
                try #require(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
            }
            let exported = try await server.todomate("export", "--with-profiles").output
            let before = try await server.todomate("routine", "list", "alice", "--json").output
            #expect(before.contains(#""made":["#) && exported.contains("routines"))
            try await withRedis { other in
                let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
                try Data(exported.utf8).write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                for _ in 1...2 {
                    let outcome = try await other.todomate("import", file.path)
                    #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                    #expect(try await other.todomate("routine", "list", "alice", "--json").output == before)
                }
                #expect(try await other.todomate("export", "--with-profiles").output.contains("routines"))
                let broken = exported.replacing("FREQ=DAILY", with: "FREQ=NEVER")
                try Data(broken.utf8).write(to: file)
                let refused = try await other.todomate("import", "--replace", file.path)
                #expect(
                    refused.ending != .exit(0) && refused.errors.contains("routines must be a list"),
                    "\(refused.errors)"
                )
            }
        }
    }
}
