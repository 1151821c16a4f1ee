import EventLoop
import Foundation
import TestServers
import Testing

/// What a command makes of its words is the same whatever Redis there is.
@Suite("The commands")
@LoopActor
struct CommandTests {
    /// A session: what is typed and what is printed.
    private nonisolated static let session: [(words: [String], output: String)] = [
        (["list", "alice", "--all", "--plain"], ""),
        (["add", "alice", "Buy milk", "--date", "2026-11-20", "--id", "t1"], "t1  2026-11-20  todo        Buy milk"),
        (
            ["add", "alice", "우유 사기 🥛", "-d", "2026-11-20", "--id", "t2", "--detail", "둘", "--status", "inProgress"],
            "t2  2026-11-20  inProgress  우유 사기 🥛"
        ),
        (["add", "alice", "Rent", "--date=2026-12-01", "--id=t3"], "t3  2026-12-01  todo        Rent"),
        (["add", "bob", "--date", "2026-11-20", "--id", "b1", "--", "--help"], "b1  2026-11-20  todo        --help"),
        (
            ["list", "alice", "--date", "2026-11-20", "--plain"],
            "t1  2026-11-20  todo        Buy milk\nt2  2026-11-20  inProgress  우유 사기 🥛"
        ),
        (["list", "alice", "--month", "2026-12", "--plain"], "t3  2026-12-01  todo        Rent"),
        (["list", "alice", "--date", "2026-11-19"], ""),
        (
            ["edit", "alice", "t1", "--content", "Buy oat milk", "--expect", "1"],
            "t1  2026-11-20  todo        Buy oat milk"
        ),
        (["edit", "alice", "t1", "--detail", ""], "t1  2026-11-20  todo        Buy oat milk"),
        (["start", "alice", "t1"], "t1  2026-11-20  inProgress  Buy oat milk"),
        (["done", "alice", "t1"], "t1  2026-11-20  complete    Buy oat milk"),
        (["done", "alice", "t1"], "t1  2026-11-20  complete    Buy oat milk"),
        (["reopen", "alice", "t1"], "t1  2026-11-20  todo        Buy oat milk"),
        (["edit", "alice", "t1", "--status", "incomplete"], "t1  2026-11-20  incomplete  Buy oat milk"),
        (["move", "alice", "t1", "--after", "t2"], "t1  2026-11-20  incomplete  Buy oat milk"),
        (["move", "alice", "t3", "--date", "2026-11-20"], "t3  2026-11-20  todo        Rent"),
        (["move", "alice", "t3", "--before", "t1"], "t3  2026-11-20  todo        Rent"),
        (
            ["list", "alice", "--all", "--plain"],
            "t2  2026-11-20  inProgress  우유 사기 🥛\nt3  2026-11-20  todo        Rent\n"
                + "t1  2026-11-20  incomplete  Buy oat milk"
        ),
        (["search", "alice", "MILK oat", "--plain"], "t1  2026-11-20  incomplete  Buy oat milk"),
        (
            ["search", "alice", "\u{110B}\u{116E}\u{110B}\u{1172}", "--plain"],
            "t2  2026-11-20  inProgress  우유 사기 🥛"
        ),
        (["search", "alice", "둘", "--status", "inProgress", "--plain"], "t2  2026-11-20  inProgress  우유 사기 🥛"),
        (["search", "alice", "milk", "--status", "todo"], ""),
        (["search", "alice", "milk", "--month", "2026-12"], ""),
        (
            ["search", "alice", "", "--from", "2026-11-20", "--to", "2026-11-20", "--status", "inProgress", "--plain"],
            "t2  2026-11-20  inProgress  우유 사기 🥛"
        ),
        (["search", "alice", "milk", "--to", "2026-11-19"], ""),
        (["search", "alice", "milk", "--goal", "", "--plain"], "t1  2026-11-20  incomplete  Buy oat milk"),
        (["done", "alice", "우유", "--expect", "2"], "t2  2026-11-20  complete    우유 사기 🥛"),
        (["start", "alice", "사기 우유"], "t2  2026-11-20  inProgress  우유 사기 🥛"),
        (["remove", "alice", "t2"], "t2  2026-11-20  inProgress  우유 사기 🥛"),
        (["remove", "alice", "t1"], "t1  2026-11-20  incomplete  Buy oat milk"),
        (["remove", "alice", "t3"], "t3  2026-11-20  todo        Rent"),
        (["list", "alice", "--all", "--plain"], ""),
        (["list", "bob", "--all", "--plain"], "b1  2026-11-20  todo        --help"),
    ]

    @Test("list what is left unfinished from earlier days, oldest first")
    func earlier() async throws {
        try await withRedis { server in
            for (id, date, status) in [
                ("late", "2020-02-01", "todo"), ("early", "2020-01-01", "inProgress"),
                ("done", "2020-01-01", "complete"),
                ("given-up", "2020-01-01", "incomplete"), ("today", "today", "todo"), ("ahead", "+1d", "todo"),
            ] {
                let words = ["add", "alice", "x", "--date", date, "--id", id, "--status", status]
                #expect(try await server.todomate(words).ending == .exit(0))
            }
            let outcome = try await server.todomate(["list", "alice", "--earlier", "--json"])
            let ids = outcome.output.split(separator: "\n").map { $0.firstMatch(of: /"id":"([^"]+)"/)?.1 }
            #expect(outcome.ending == .exit(0) && ids == ["early", "late"], "\(outcome.output)\(outcome.errors)")
            let both = try await server.todomate(["list", "alice", "--earlier", "--all"])
            #expect(both.ending == .exit(64) && both.errors.contains("--earlier"))
        }
    }

    @Test("find a todo by words that no other one has, and say which ones have them")
    func byWords() async throws {
        try await withRedis { server in
            for (id, content, date) in [
                ("t1", "Buy milk", "2026-11-20"), ("t2", "Buy bread", "2026-11-20"), ("t3", "Buy milk", "today"),
            ] {
                _ = try await server.todomate(["add", "alice", content, "--date", date, "--id", id])
            }
            // Of several, today's is meant; what is done already is not.
            for (words, id) in [("buy", "t3"), ("milk BUY", "t1"), ("bread", "t2")] {
                let outcome = try await server.todomate(["done", "alice", words, "--json"])
                #expect(outcome.output.contains(#""id":"\#(id)""#), "\(words): \(outcome.errors)")
                if id == "t3" {
                    let several = try await server.todomate(["done", "alice", "buy"])
                    #expect(several.ending == .exit(65) && several.output.isEmpty)
                    #expect(several.errors.contains("2 todos have the words 'buy': t1 (2026-11-20, Buy milk), t2 "))
                }
            }
            for words in ["nothing", "buy milk", "t9", "💥"] {
                let outcome = try await server.todomate(["done", "alice", words])
                #expect(outcome.ending == .exit(65) && outcome.output.isEmpty, "\(words)")
                #expect(
                    outcome.errors.contains("no todo of alice has the id or the words '\(words)'"),
                    "\(outcome.errors)"
                )
            }
        }
    }

    @Test("give todos a time, list them by it, and take it away")
    func times() async throws {
        try await withRedis { server in
            for (words, line) in [
                (["add", "alice", "late", "--date", "2026-11-20", "--time", "9pm", "--id", "t1"], "21:00  late"),
                (["add", "alice", "early", "-d", "2026-11-20", "-t", "9:30", "--id", "t2"], "09:30  early"),
                (["add", "alice", "none", "-d", "2026-11-20", "--time", "none", "--id", "t3"], "none"),
                (["edit", "alice", "t3", "--time", "오전 8시"], "08:00  none"), (["done", "alice", "t3"], "08:00  none"),
                (["move", "alice", "t3", "--date", "2026-11-21"], "08:00  none"),
                (["move", "alice", "t3", "--date", "2026-11-20"], "08:00  none"),
                (["edit", "alice", "t3", "--time", "none"], "none"),
            ] {
                let outcome = try await server.todomate(words)
                #expect(
                    outcome.output.hasSuffix("  \(line)\n") && outcome.ending == .exit(0),
                    "\(outcome.output)\(outcome.errors)"
                )
            }
            let list = try await server.todomate(["list", "alice", "--date", "2026-11-20", "--plain"])
            #expect(list.output.split(separator: "\n").map { $0.prefix(2) } == ["t2", "t1", "t3"])
            let json = try await server.todomate(["list", "alice", "--date", "2026-11-20", "--json"])
            #expect(json.output.matches(of: /"time":"([0-9:]+)"/).map(\.1) == ["09:30", "21:00"])
            // What its time does not give it, a todo is not given.
            let moved = try await server.todomate(["move", "alice", "t3", "--before", "t2"])
            #expect(moved.ending == .exit(65) && moved.errors.contains("this one has no time, so give it one"))
        }
    }

    @Test("read days and times from the text, say so, and leave it alone where they are told to")
    func quickAdd() async throws {
        try await withRedis { server in
            func add(_ words: String...) async throws -> (todo: String, said: String) {
                let outcome = try await server.todomate(["add", "alice"] + words + ["--json"])
                #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                return (outcome.output, outcome.errors)
            }
            let read = try await add("Call mum 2026-11-20 at 9:30")
            #expect(
                read.todo.contains(#""date":"2026-11-20","content":"Call mum""#)
                    && read.todo.contains(#""time":"09:30""#)
            )
            #expect(
                read.said
                    == "todomate: read \"2026-11-20\" as 2026-11-20, \"at 9:30\" as 09:30; --as-is adds the text as it is\n"
            )
            let korean = try await add("2026년 11월 20일 오후 3시에 치과")
            #expect(
                korean.todo.contains(#""date":"2026-11-20","content":"치과""#) && korean.todo.contains(#""time":"15:00""#)
            )
            let asIs = try await add("Call mum 2026-11-20 at 9:30", "--as-is", "--date", "2026-11-21")
            #expect(
                asIs.todo.contains(#""date":"2026-11-21","content":"Call mum 2026-11-20 at 9:30""#) && asIs.said.isEmpty
            )
            let dated = try await add("Call mum 2026-11-20 at 9:30", "--date", "2026-11-21")
            #expect(
                dated.todo.contains(#""date":"2026-11-21","content":"Call mum 2026-11-20""#)
                    && dated.todo.contains("09:30")
            )
            let timed = try await add("Call mum 2026-11-20 at 9:30", "--time", "8am")
            #expect(
                timed.todo.contains(#""content":"Call mum 2026-11-20 at 9:30""#)
                    && timed.todo.contains(#""time":"08:00""#)
            )
            let untimed = try await add("at 9:30 call mum", "--time", "none", "--date", "2026-11-21")
            #expect(untimed.todo.contains(#""content":"at 9:30 call mum""#) && untimed.said.isEmpty)
            let escaped = try await add("Call mum \\tomorrow", "--date", "2026-11-21")
            #expect(escaped.todo.contains(#""content":"Call mum tomorrow""#) && escaped.said.isEmpty)
            let plain = try await add("Buy milk", "--date", "2026-11-21")
            #expect(plain.todo.contains(#""content":"Buy milk""#) && plain.said.isEmpty)
            let spaced = try await add("  Buy  milk ", "--date", "2026-11-21")
            #expect(spaced.todo.contains(#""content":"  Buy  milk ""#))
        }
    }

    @Test("write, list and remove, and print what they wrote")
    func verbs() async throws {
        try await withRedis { server in
            for step in Self.session {
                let outcome = try await server.todomate(step.words)
                // The column of ids is as wide as an id that the command makes.
                let output = outcome.output.replacing(/(?m)^(\S+) +(?=\d{4}-)/) { "\($0.1)  " }
                #expect(output == (step.output.isEmpty ? "" : step.output + "\n"), "\(step.words)")
                #expect(outcome.ending == .exit(0) && outcome.errors == "", "\(step.words)")
            }
        }
    }

    @Test("say how a day is named where one is taken for a user who has nothing")
    func dayForUser() async throws {
        try await withRedis { redis in
            let hint = "“tomorrow” is taken for a user; a day is named with --date tomorrow\n"
            let found = try await redis.todomate("list", "tomorrow")
            #expect(found.ending == .exit(0) && found.output == "" && found.errors == "todomate list: \(hint)")
            #expect(try await redis.todomate("list", "alice").errors == "")
            #expect(try await redis.todomate("list", "alice", "--date", "tomorrow").errors == "")
            // Who is called so knows.
            let own = ["TODOMATE_REDIS": redis.address, "TODOMATE_USER": "sun"]
            #expect(try await Program.run("todomate", ["list"], environment: own).errors == "")
            try await redis.add("sun", "milk", id: "m")
            #expect(try await redis.todomate("list", "sun", "--all").errors == "")
        }
    }

    @Test("take the user from TODOMATE_USER, and a todo by the beginning of its id")
    func comforts() async throws {
        try await withRedis { server in
            let environment = ["TODOMATE_REDIS": server.address, "TODOMATE_USER": "alice"]
            func todomate(_ words: String...) async throws -> Program.Outcome {
                try await Program.run("todomate", words, environment: environment)
            }
            for id in ["abc1", "abc2", "b", "bcd"] {
                let added = try await todomate("add", id, "--id", id, "--date", "2026-11-20")
                #expect(added.ending == .exit(0))
            }
            let other = try await todomate("add", "bob", "milk", "--id", "abc3")
            #expect(other.ending == .exit(0))
            let list = try await todomate("list", "--date", "2026-11-20")
            #expect(list.output == (try await server.todomate("list", "alice", "--all", "--json")).output)
            for (words, id) in [
                (["done", "abc1"], "abc1"), (["done", "b"], "b"), (["start", "bc"], "bcd"),
                (["done", "alice", "abc2"], "abc2"),
                (["done", "bob", "a"], "abc3"), (["move", "bc", "--before", "abc1"], "bcd"),
                (["edit", "bcd", "--content", "x"], "bcd"), (["move", "bc", "--date", "2026-11-21"], "bcd"),
                (["remove", "bcd"], "bcd"),
            ] {
                let outcome = try await Program.run("todomate", words, environment: environment)
                #expect(outcome.ending == .exit(0) && outcome.output.hasPrefix(id + " "), "\(words): \(outcome)")
            }
            let several = try await todomate("done", "a")
            #expect(several.ending == .exit(65) && several.output == "")
            #expect(several.errors.contains("2 todos have ids that begin with a: abc1 (abc1), abc2 (abc2); write more"))
            // A second removal of b must not take another one that happens to begin so.
            _ = try await todomate("add", "b2", "--id", "b2", "--date", "2026-11-20")
            let first = try await todomate("remove", "b")
            let second = try await todomate("remove", "b")
            #expect(first.ending == .exit(0) && second.ending == .exit(65) && second.output == "")
            #expect(second.errors.contains("if you mean b2 (b2), write its id whole"))
            _ = try await todomate("add", "long", "--id", "0Xb2-long-id", "--date", "2026-11-20")
            let long = try await todomate("remove", "0Xb2")
            #expect(long.ending == .exit(0) && long.output.hasPrefix("0Xb2-long-id "))
            let none = try await todomate("remove", "x")
            #expect(none.ending == .exit(65) && none.errors.contains("no todo of alice has the id or the words 'x'"))
        }
    }

    @Test("take words that only one todo has in place of an id, and name those of several")
    func writtenByWords() async throws {
        try await withRedis { server in
            for (id, words) in [("t1", "Buy milk"), ("t2", "Buy bread"), ("t3", "전화 걸기")] {
                _ = try await server.todomate("add", "alice", words, "--id", id, "--date", "2026-11-20")
            }
            _ = try await server.todomate("note", "alice", "milk and more", "--day", "2026-11-20")
            let steps: [(words: [String], output: String)] = [
                (
                    ["edit", "alice", "milk buy", "--content", "Buy oat milk"],
                    "t1  2026-11-20  todo        Buy oat milk"
                ),
                (["move", "alice", "전화", "--before", "bread"], "t3  2026-11-20  todo        전화 걸기"),
                (["move", "alice", "oat", "--date", "2026-11-21"], "t1  2026-11-21  todo        Buy oat milk"),
                // Said again, it means the same.
                (["move", "alice", "oat", "--date", "2026-11-21"], "t1  2026-11-21  todo        Buy oat milk"),
                (["move", "alice", "bread", "--date", "2026-11-21"], "t2  2026-11-21  todo        Buy bread"),
                (["remove", "alice", "MILK"], "t1  2026-11-21  todo        Buy oat milk"),
            ]
            for (words, output) in steps {
                let outcome = try await server.todomate(words)
                let line = output.replacing(
                    "  2026",
                    with: String(repeating: " ", count: 22) + "2026",
                    maxReplacements: 1
                )
                #expect(outcome.ending == .exit(0) && outcome.output == line + "\n", "\(words): \(outcome)")
            }
            _ = try await server.todomate("add", "alice", "Buy salt", "--id", "t4", "--date", "2026-11-20")
            // What is gone must not mean what happens to have its letters, or comes on another day.
            for words in [
                ["remove", "alice", "uy brea"], ["remove", "alice", "brea"],
                ["edit", "alice", "rea", "--content", "x"],
            ] {
                let outcome = try await server.todomate(words)
                #expect(outcome.errors.contains("no todo of alice has the id or the words '\(words[2])'"), "\(outcome)")
            }
            let vague: [[String]] = [
                ["remove", "alice", "buy"], ["edit", "alice", "buy", "--detail", "x"],
                ["move", "alice", "buy", "--after", "t3"], ["move", "alice", "buy", "--date", "2026-11-21"],
                ["move", "alice", "t3", "--after", "buy"],
            ]
            for words in vague {
                let outcome = try await server.todomate(words)
                #expect(outcome.ending == .exit(65) && outcome.output == "", "\(words): \(outcome)")
                #expect(outcome.errors.contains("2 todos have the words 'buy': "), "\(words): \(outcome.errors)")
            }
            let list = try await server.todomate("list", "alice", "--all", "--plain")
            let kinds = list.output.matches(of: #/(?m)^(\S+) .*?(todo|note) /#).map { "\($0.1) \($0.2)" }
            #expect(kinds == ["t3 todo", "t4 todo", "note-of-2026-11-20 note", "t2 todo"], "\(list.output)")
        }
    }

    @Test("print with --json exactly what Redis holds")
    func json() async throws {
        try await withRedis { server in
            let added = try await server.todomate(
                ["add", "alice", "a \"b\" \\ 한 😀", "--detail", "two\nlines\tand tabs", "--json"]
            )
            let id = try #require(added.output.firstMatch(of: /^\{"id":"([A-Za-z0-9_-]+)"/)).1
            let stored = try await server.call("todomate_get", "alice", String(id))
            #expect(added.output == stored + "\n")
            let listed = try await server.todomate("list", "alice", "--json")
            #expect(listed.output == added.output, "without a day it is for today")
            for words in [["done"], ["edit", "--content", "c"], ["move", "--date", "2999-12-31"], ["remove"]] {
                let outcome = try await server.todomate([words[0], "alice", String(id), "--json"] + words.dropFirst())
                let change = try #require(try await server.log(of: "alice").last)
                #expect(change.contains("\"todo\":" + outcome.output.dropLast()), "\(words)")
            }
        }
    }

    @Test("add the same todo under the same id once, and no other todo under it")
    func idempotence() async throws {
        try await withRedis { server in
            let words = ["add", "alice", "milk", "--date", "2026-11-20", "--id", "t1", "--json"]
            let first = try await server.todomate(words)
            let again = try await server.todomate(words)
            #expect(first.ending == .exit(0) && again.ending == .exit(0))
            #expect(again.output == first.output)
            for other in [["add", "alice", "tea"], ["add", "alice", "milk", "--detail", "two"]] {
                let outcome = try await server.todomate(other + ["--date", "2026-11-20", "--id", "t1"])
                #expect(outcome.ending == .exit(65))
                #expect(outcome.errors.contains("another todo has the id t1") && outcome.output == "")
            }
            #expect(try await server.cli("XLEN", "todomate:{alice}:log") == "1")
        }
    }

    @Test(
        "write only when the todo is at the expected revision",
        arguments: [["edit", "--content", "x"], ["start"], ["done"], ["reopen"], ["remove"]]
    )
    func expectations(_ words: [String]) async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk", "--id", "t1")
            _ = try await server.todomate("edit", "alice", "t1", "--status", "incomplete")
            for stale in ["0", "1", "3"] {
                let command = [words[0], "alice", "t1", "--expect", stale] + words.dropFirst()
                let outcome = try await server.todomate(command)
                #expect(outcome.ending == .exit(65) && outcome.output == "")
                #expect(
                    outcome.errors
                        == "todomate \(words[0]): the todo is now at revision 2: read it again and retry\n"
                )
            }
            #expect(try await server.cli("XLEN", "todomate:{alice}:log") == "2")
            let fresh = try await server.todomate([words[0], "alice", "t1", "--expect", "2"] + words.dropFirst())
            #expect(fresh.ending == .exit(0))
            #expect(try await server.cli("XLEN", "todomate:{alice}:log") == "3")
        }
    }

    @Test(
        "explain themselves",
        arguments: [
            ("up", ["--workers", "--data", "--port", "--http-port", "--observe", "--log-level", "--log-format"]),
            (
                "worker",
                ["--redis", "--timeout", "--observe", "--name", "--json", "--listen", "--secret", "--log-level"]
            ),
            (
                "add",
                ["--redis", "--timeout", "--json", "--date", "--detail", "--status", "--id", "<user>", "<content>"]
            ),
            ("list", ["--redis", "--timeout", "--json", "--date", "--month", "--all", "--earlier", "<user>"]),
            (
                "search",
                [
                    "--redis", "--timeout", "--json", "--plain", "--status", "--goal", "--from", "--to", "--month",
                    "--shared",
                ]
            ),
            ("edit", ["--redis", "--timeout", "--json", "--content", "--detail", "--status", "--expect", "<todo>"]),
            ("start", ["--redis", "--timeout", "--json", "--expect", "<user>", "<todo>"]),
            ("done", ["--redis", "--timeout", "--json", "--expect", "<user>", "<todo>"]),
            ("reopen", ["--redis", "--timeout", "--json", "--expect", "<user>", "<todo>"]),
            ("move", ["--redis", "--timeout", "--json", "--date", "--before", "--after", "<user>", "<todo>"]),
            ("remove", ["--redis", "--timeout", "--json", "--expect", "<user>", "<todo>"]),
            ("watch", ["--redis", "--timeout", "--json", "<user>", "Space", "Ctrl-C"]),
            ("export", ["--redis", "--timeout", "--output", "--with-profiles", "<user>"]),
            (
                "import",
                ["--redis", "--timeout", "--user", "--dry-run", "--keep-going", "--replace", "--from", "<file>"]
            ),
            ("invite", ["--redis", "--timeout", "--uses", "--days", "--label", "--server", "<user>"]),
            ("doctor", ["--redis", "--timeout", "--ready", "--repair", "--json", "--listen"]),
            ("completion", ["<shell>"]),
        ]
    )
    func help(_ command: String, _ words: [String]) async throws {
        let overall = try await Program.run("todomate", ["--help"])
        #expect(overall.ending == .exit(0) && overall.output.contains("\n  \(command) "))
        let help = try await Program.run("todomate", [command, "--help"])
        #expect(help.ending == .exit(0) && help.errors == "")
        #expect(help.output.hasPrefix("Usage: todomate \(command) "))
        for word in words { #expect(help.output.contains(word)) }
        for line in help.output.split(separator: "\n") { #expect(line.count <= 100 && !line.contains("\u{1B}")) }
        // Help counts, whatever else is wrong with the line.
        let wrong = try await Program.run("todomate", [command, "--bogus", "-h"])
        #expect(wrong.output == help.output)
        let other = try await Program.run("todomate", ["help", command])
        #expect(other.output == help.output)
    }

    @Test("take Redis and the timeout from the environment, unless the command line names them")
    func environment() async throws {
        try await withRedis { server in
            let byEnvironment = try await server.todomate("add", "alice", "milk", "--date", "2026-11-20")
            #expect(byEnvironment.ending == .exit(0))
            let nowhere = ["TODOMATE_REDIS": "unix:///nowhere.sock", "TODOMATE_TIMEOUT": "200ms"]
            let byLine = try await Program.run(
                "todomate",
                ["list", "alice", "--all", "--plain", "--redis", server.address],
                environment: nowhere
            )
            #expect(byLine.output.hasSuffix("  milk\n"))
            let neither = try await Program.run("todomate", ["list", "alice"], environment: nowhere)
            #expect(neither.ending == .exit(69) && neither.errors.contains("/nowhere.sock"))
            #expect(neither.errors.contains("within 0.2 s"))
            let wrong = try await Program.run("todomate", ["list", "a"], environment: ["TODOMATE_REDIS": "nowhere"])
            #expect(wrong.ending == .exit(64) && wrong.errors.contains("TODOMATE_REDIS"))
        }
    }
}
