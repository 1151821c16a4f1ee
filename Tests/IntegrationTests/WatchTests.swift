import EventLoop
import Foundation
import TerminalUI
import TestServers
import Testing

@testable import TodoMateCLI

/// What the keys do and how the screen is drawn is the same whatever Redis there is: tests of that alone have one.
@Suite("todomate watch")
@LoopActor
struct WatchTests {
    @Test(
        "draws one user's day beside the month and follows, with wide letters in place",
        arguments: RedisKind.allCases
    )
    func board(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("add", "alice", "우유 사기 🥛", "--id", "t1")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("우유 사기 🥛")
                _ = try await server.todomate("done", "alice", "t1")
                _ = try await server.todomate("add", "alice", "second", "--id", "t2")
                _ = try await server.todomate("add", "bob", "not for alice")
                try await pane.shows("second")
                let shown = try await pane.screen()
                #expect(!shown.contains("not for alice"))
                #expect(shown.contains("Mon") && shown.contains("Sun") && shown.contains("● Live"))
                // The line between list and month stands in one column, whatever the letters before it.
                let left = shown.split(separator: "\n").filter { $0.contains("│") }.map { $0.prefix { $0 != "│" } }
                #expect(left.count > 10 && Set(left.map(\.displayWidth)).count == 1)
                for id in ["t1", "t2"] { _ = try await server.todomate("remove", "alice", id) }
                try await pane.shows("removed todos leave") { !$0.contains("second") && !$0.contains("우유") }
            }
        }
    }

    @Test("adds, edits, marks, moves, deletes and takes back by keys")
    func work() async throws {
        try await withRedis { server in
            let list = { try await server.todomate("list", "alice", "--all").output }
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("Nothing planned")
                try await pane.press("a")
                try await pane.type("우유 사기 🥛")
                try await pane.shows("Add to Today › 우유 사기 🥛")
                // The terminal itself agrees about the widths: the cursor stands behind the text.
                let column = " Add to Today › 우유 사기 🥛".displayWidth
                try await eventually("the cursor stands behind the text") {
                    try await pane.state("#{cursor_flag} #{cursor_x} #{cursor_y}") == "1 \(column) 22"
                }
                try await pane.press("Enter")
                try await pane.shows("▸○ 우유 사기 🥛")
                try await eventually("the cursor is hidden") { try await pane.state("#{cursor_flag}") == "0" }

                try await pane.press("i")
                try await pane.shows("▸◐ 우유 사기 🥛")
                try await pane.press("Space")
                try await pane.shows("1 of 1 done")
                try await pane.press("e", "C-u")
                try await pane.type("Buy milk")
                try await pane.press("Enter")
                try await pane.shows("▸● Buy milk")
                try await pane.press("n")
                try await pane.paste("two litres\nlow fat")
                try await pane.shows("Note › two litres↵low fat")
                try await pane.press("Enter", "Enter")
                // Of the list there is a "low fat" too, while it is typed; and an Escape with "d" right behind it is Alt-d.
                try await pane.shows("Esc closes")
                try await pane.shows("low fat")
                try await pane.press("Escape")
                try await pane.shows("? help")

                try await pane.press("d")
                try await pane.shows("“Buy milk” deleted. Press u to undo.")
                try await pane.shows("Nothing planned")
                try await pane.press("u")
                try await pane.shows("▸● Buy milk")
                try await pane.press("m")
                try await pane.type("2099-12-24")
                try await pane.press("Enter")
                try await pane.shows("moved to Thu, Dec 24")
                let moved = try await list()
                #expect(moved.contains(#""date":"2099-12-24","content":"Buy milk""#), "\(moved)")
                try await pane.press("u")
                try await pane.shows("▸● Buy milk")
                try await pane.press("x")
                try await pane.shows("▸× Buy milk")
            }
            let left = try await server.todomate("list", "alice", "--all", "--json").output
            #expect(left.contains(#""content":"Buy milk","detail":"two litres\nlow fat","status":"incomplete""#))
        }
    }

    @Test("walks through todos, days and months, filters, and explains itself")
    func walking() async throws {
        try await withRedis { server in
            for content in ["first", "second", "third"] { _ = try await server.todomate("add", "alice", content) }
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ first")
                try await pane.press("j")
                try await pane.shows("▸○ second")
                try await pane.press("Down")
                try await pane.shows("▸○ third")
                try await pane.press("k", "Up")
                try await pane.shows("▸○ first")
                try await pane.press("J")
                try await pane.shows("first below second") { $0.contains(/(?s)second.*▸○ first.*third/) }
                try await pane.press("/")
                try await pane.type("THIRD")
                try await pane.shows("only the third") { $0.contains("▸○ third") && !$0.contains("○ first") }
                try await pane.press("Escape")
                try await pane.shows("all") { $0.contains("○ first") && $0.contains("○ second") }

                let month = try await pane.screen().firstMatch(of: /([A-Z][a-z]+ 20\d\d)/)?.1
                try await pane.press("NPage")
                try await pane.shows("another month") { $0.firstMatch(of: /([A-Z][a-z]+ 20\d\d)/)?.1 != month }
                try await pane.shows("Nothing on this day yet.")
                try await pane.press("t", "Right")
                try await pane.shows("Tomorrow")
                try await pane.press("Left")
                try await pane.shows("▸○ second")

                try await pane.press("?")
                try await pane.shows("move it to another day")
                try await pane.press("Escape")
                try await pane.shows("▸○ second")
                // A Korean letter is the key that it lies on.
                try await pane.type("ㅓ")
                try await pane.shows("▸○ first")
            }
        }
    }

    @Test(
        "draws a list a user side by side, each with its own user's todos; keys act on one of them",
        arguments: RedisKind.allCases
    )
    func sideBySide(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withTerminal(todomate("watch alice bob", on: server)) { pane in
                _ = try await server.todomate("add", "alice", "for alice")
                _ = try await server.todomate("add", "bob", "for bob")
                try await pane.shows("both lists") { $0.contains("for alice") && $0.contains("for bob") }
                let lines = try await pane.screen().split(separator: "\n").map(String.init)
                let both = try #require(lines.first { $0.contains("for alice") && $0.contains("for bob") })
                let names = try #require(lines.first { $0.contains("alice") && $0.contains("bob") })
                let column = { (line: String, word: String) in line.components(separatedBy: word)[0].count }
                #expect(column(names, "bob") <= column(both, "for bob"))
                #expect(column(both, "for alice") < column(names, "bob"))
                try await pane.press("Tab")
                try await pane.shows("· bob")
                try await pane.press("Space")
                try await pane.shows("▸● for bob")
            }
            let alice = try await server.todomate("list", "alice").output
            #expect(alice.contains(#""content":"for alice","detail":"","status":"todo""#), "\(alice)")
        }
    }

    @Test("follows the size of the window")
    func resize() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ milk")
                for (columns, rows) in [(120, 36), (50, 20), (30, 8), (80, 24)] {
                    try await pane.tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
                    try await pane.shows("the footer in row \(rows)") { screen in
                        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                        return lines.count == rows && lines.last?.hasSuffix("● Live") == true
                            && screen.contains("▸○ milk")
                    }
                }
            }
        }
    }

    @Test("shows that Redis is away, keeps what could not be saved, and catches up", arguments: RedisKind.allCases)
    func redisAway(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("add", "alice", "before")
            try await withTerminal(todomate("watch alice --timeout 2s", on: server)) { pane in
                try await pane.shows("▸○ before")
                try await server.crash("alice")
                try await pane.shows("○ Reconnecting …")
                #expect(try await pane.screen().contains("▸○ before"), "the todos stay")
                try await pane.press("a")
                try await pane.type("typed meanwhile")
                try await pane.press("Enter")
                try await pane.shows("Not saved: there is no answer.")
                #expect(try await pane.screen().contains("Add to Today › typed meanwhile"))
                try await server.restart("alice", isEmpty: false)
                _ = try await server.todomate("add", "alice", "from elsewhere")
                try await pane.shows("○ from elsewhere")
                // Each of its connections tries again at its own time, and writes wait for theirs two seconds only.
                try await eventually("commands, long reads and messages are connected") {
                    try await server.cli("CLIENT", "LIST").split(separator: "\n").count {
                        $0.contains("name=todomate ")
                    } >= 3
                }
                try await pane.press("Enter")
                try await pane.shows("▸○ typed meanwhile")
                try await pane.shows("● Live")
            }
            let list = try await server.todomate("list", "alice").output
            #expect(list.split(separator: "\n").count == 3)
        }
    }

    @Test(
        "gives the terminal back, however it ends",
        arguments: ["q", "C-c", "C-\\", "TERM", "HUP", "SEGV", "BUS", "ABRT", "ILL", "FPE", "USR1", "ALRM"]
    )
    func restore(ending: String) async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk")
            let watch = todomate("watch alice", on: server)
            // A signal is sent by number of the process that the shell becomes. What a sanitizer says of it would push the
            // modes off the screen.
            let script =
                "ulimit -c 0; stty -g; (echo pid=$BASHPID; exec \(watch) 2>/dev/null); echo code=$?; stty -g; sleep 100"
            try await withTerminal("bash --norc -c '\(script)'", columns: 120) { pane in
                try await pane.shows("▸○ milk")
                #expect(try await pane.state("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "1 0 0")
                if ending == "q" || ending.hasPrefix("C-") {
                    try await pane.press(ending)
                } else {
                    // The pid stands on the screen that the board has put aside.
                    let behind = try await pane.tmux("capture-pane", "-p", "-a")
                    let pid = try #require(behind.firstMatch(of: /pid=(\d+)/).flatMap { Int32($0.1) })
                    _ = try await Program.run("kill", ["-\(ending)", "\(pid)"])
                }
                let modes = { (screen: String) in
                    screen.split(separator: "\n").filter { $0.contains(/^[0-9a-f]+:[0-9a-f]+:/) }
                }
                try await pane.shows("the modes before and after") { modes($0).count == 2 }
                let shown = try await pane.screen()
                #expect(modes(shown).first == modes(shown).last)
                #expect(try await pane.state("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1")
                let isOrderly = ["q", "C-c", "TERM", "HUP"].contains(ending)
                #expect(shown.contains("code=0\n") == isOrderly)
            }
        }
    }

    @Test("does not leave before the last change is saved, unless it is told to twice", arguments: [true, false])
    func unsavedChanges(isImpatient: Bool) async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk")
            let watch = todomate("watch alice --timeout \(isImpatient ? "60s" : "1s")", on: server)
            try await withTerminal("bash --norc -c '\(watch); echo code=$?; sleep 100'") { pane in
                try await pane.shows("▸○ milk")
                await server.crash()
                try await pane.shows("○ Reconnecting …")
                try await pane.press("Space", "q")
                if isImpatient {
                    try await pane.shows("Saving the last changes … Ctrl-C quits without.")
                    try await pane.press("C-c")
                }
                try await pane.shows("code=69")
                #expect(try await pane.screen().contains("todomate watch: changes that were not saved: 1"))
            }
        }
    }

    @Test("shows the board where no keys can be read, and says how to leave it")
    func noKeys() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk")
            let watch = todomate("watch alice", on: server)
            try await withTerminal("bash --norc -c '\(watch) </dev/null; echo code=$?; sleep 100'") { pane in
                try await pane.shows("▸○ milk")
                try await pane.shows(" Ctrl-C quits")
                try await pane.press("C-c")
                try await pane.shows("code=0")
            }
        }
    }

    @Test("steps aside for Ctrl-Z and comes back as it was")
    func suspend() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk")
            try await withTerminal("bash --norc") { pane in
                try await pane.type(todomate("watch alice", on: server))
                try await pane.press("Enter")
                try await pane.shows("▸○ milk")
                try await pane.press("C-z")
                try await pane.shows("Stopped")
                #expect(try await pane.state("#{alternate_on} #{cursor_flag}") == "0 1")
                _ = try await server.todomate("add", "alice", "meanwhile")
                try await pane.type("fg")
                try await pane.press("Enter")
                try await pane.shows("○ meanwhile")
                try await pane.press("j")
                try await pane.shows("▸○ meanwhile")
                try await pane.press("q")
                try await pane.shows("Stopped")
            }
        }
    }

    @Test(
        "uses the colours that the terminal has and the user wants",
        arguments: [
            (["NO_COLOR": "1", "COLORTERM": "truecolor"], false, false), ([:], true, false),
            (["COLORTERM": "truecolor"], true, true),
        ]
    )
    func colours(environment: [String: String], hasColour: Bool, isExact: Bool) async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk", "--id", "t1")
            _ = try await server.todomate("done", "alice", "t1")
            try await withTerminal(todomate("watch alice", on: server), environment: environment) { pane in
                try await pane.shows("● milk")
                let shown = try await pane.styledScreen()
                let parameters = shown.matches(of: /\u{1B}\[([0-9;]*)m/).map { $0.1.split(separator: ";") }
                #expect(parameters.joined().contains("7"), "the selected todo stands out in any case")
                #expect(
                    parameters.contains { $0.contains { ("30"..."38").contains($0) || $0.hasPrefix("9") } } == hasColour
                )
                #expect(parameters.contains { $0.starts(with: ["38", "2"]) } == isExact)
            }
        }
    }

    @Test("speaks the language of the environment")
    func korean() async throws {
        try await withRedis { server in
            try await withTerminal(todomate("watch alice", on: server), environment: ["LC_ALL": "ko_KR.UTF-8"]) {
                pane in
                try await pane.shows("오늘은 비어 있습니다.")
                try await pane.shows("● 실시간")
            }
        }
    }

    @Test("writes plain lines when nobody looks at a terminal", arguments: RedisKind.allCases)
    func plainLines(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            for uid in ["alice", "bob"] { _ = try await server.todomate("add", uid, "there already") }
            let watch = try RunningProgram("todomate", ["watch", "alice", "bob", "--redis", server.address])
            // Two nodes answer in any order.
            try await eventually("it lists both") { watch.lines.count == 2 }
            _ = try await server.todomate("add", "bob", "live")
            try await eventually("it follows") { watch.lines.count == 3 }
            for (uid, line) in zip(["alice", "bob"], watch.lines.prefix(2).sorted()) {
                #expect(line.hasPrefix("\(uid)  today") && line.hasSuffix("there already"))
            }
            #expect(watch.lines[2].hasPrefix("bob  added") && watch.lines[2].hasSuffix("live"))
            let ending = await watch.stop()
            #expect(ending == .exit(0))
        }
    }

    @Test(
        "shows through one user's eyes what they may see, while that changes, and not a byte more",
        arguments: RedisKind.allCases
    )
    func viewer(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            func say(_ line: String) async throws {
                let words = line.split(separator: " ").map(String.init)
                let outcome = try await server.todomate(words)
                try #require(outcome.ending == .exit(0), "\(line): \(outcome.errors)")
            }
            for line in [
                "follow alice bob", "accept bob alice", "add alice mine --visibility private", "add bob shared --id b1",
                "add bob unutterable --id b2 --visibility private", "add carol open --visibility public",
                "add carol unutterable",
            ] {
                try await say(line)
            }
            let words = ["watch", "--as", "alice", "alice", "bob", "carol", "--redis", server.address]
            let watches = try [words, words + ["--json"]].map { try RunningProgram("todomate", $0) }
            let (text, json) = (watches[0], watches[1])
            for watch in watches { try await eventually("all lists are there") { watch.lines.count == 3 } }
            try await say("edit bob b1 --content unutterable --visibility private")
            try await eventually("it is gone") { text.lines.contains("bob  removed   b1") }
            try await eventually("and says only its id") {
                json.lines.contains { $0.hasSuffix(#""type":"removed","todo":{"id":"b1","uid":"bob"}}"#) }
            }
            try await say("edit bob b2 --content shown --visibility followers")
            for watch in watches {
                try await eventually("it is there") {
                    watch.lines.contains { $0.contains("added") && $0.contains("shown") && !$0.contains("was") }
                }
            }
            // Everybody's eyes are enough for what is public, and no more.
            try await say("refuse bob alice")
            try await say("add bob unutterable")
            try await say("add bob public1 --visibility public")
            for watch in watches { try await eventually("for all") { watch.output.contains("public1") } }
            try await say("profile bob --audience private")
            try await say("add bob hushed --visibility public")
            try await eventually("it says so") { text.output.contains("bob shares nothing with alice right now") }
            try await say("add carol witness --visibility public")
            for watch in watches {
                try await eventually("all before it has come") { watch.output.contains("witness") }
                #expect(!watch.output.contains("hushed"))
            }
            try await say("profile bob --audience followers")
            try await say("add bob public2 --visibility public")
            for watch in watches { try await eventually("open again") { watch.output.contains("public2") } }
            for watch in watches {
                #expect(!watch.output.contains("unutterable"))
                let ending = await watch.stop()
                #expect(ending == .exit(0))
            }
        }
    }

    @Test("draws one user's board with --as alone, on which others' todos cannot be changed")
    func viewerBoard() async throws {
        try await withRedis { server in
            for line in [
                "follow alice bob", "accept bob alice", "add alice mine", "add bob theirs --id b1",
                "add bob unutterable --visibility private", "follow alice carol",
            ] {
                _ = try await server.todomate(line.split(separator: " ").map(String.init))
            }
            try await withTerminal(todomate("watch --as alice", on: server)) { pane in
                try await pane.shows("both lists") { $0.contains("▸○ mine") && $0.contains("○ theirs") }
                try await pane.shows("● Live")
                try await pane.press("Tab", "Space")
                try await pane.shows("This is bob's list: you can only change")
                #expect(try await pane.screen().contains("○ theirs"))
                try await pane.press("Tab", "Space")
                try await pane.shows("▸● mine")
                let screen = try await pane.screen()
                #expect(!screen.contains("unutterable") && !screen.contains("carol"))
                _ = try await server.todomate("block", "bob", "alice")
                try await pane.shows("his list is empty") { !$0.contains("theirs") && $0.contains("shares nothing") }
            }
            #expect(try await server.todomate("watch").ending == .exit(64))
        }
    }

    @Test("writes the messages themselves with --json, even on a terminal")
    func json() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "there already")
            try await withTerminal(todomate("watch alice --json", on: server), columns: 400) { pane in
                try await pane.shows(#"{"type":"today","todo":{"id":""#)
                _ = try await server.todomate("add", "alice", "live")
                try await pane.shows("the message") {
                    $0.contains(/\{"id":"2-\d+","type":"added","todo":\{.*"content":"live"/)
                }
            }
        }
    }
}
