import EventLoop
import Foundation
import TestServers
import Testing

/// On one Redis: what the terminal shows is the board's, which `BoardTests` follows on both kinds.
@Suite("Who reacted and a week at a glance, in a terminal")
@LoopActor
struct CheeringInTerminalTests {
    @Test("the commands tell both, to people and to programs")
    func commands() async throws {
        try await withRedis { server in
            _ = try await server.todomate("goal", "set", "alice", "Work", "--color", "teal")
            for (id, day) in [("a", "today"), ("b", "-1d"), ("c", "-2d"), ("d", "-4d")] {
                _ = try await server.todomate(
                    "add",
                    "alice",
                    "buy \(id)",
                    "--id",
                    id,
                    "--date",
                    day,
                    "--visibility",
                    "public"
                )
            }
            let nothing = try await server.todomate("week", "alice").output
            #expect(nothing.contains("Today") && nothing.hasSuffix("What you finish will show here.\n"))
            for id in ["b", "c", "d"] { _ = try await server.todomate("done", "alice", id) }
            _ = try await server.todomate("edit", "alice", "c", "--goal", "Work")
            let week = try await server.todomate("week", "alice").output
            // Nothing yet today: the days up to yesterday count.
            #expect(week.contains(/Yesterday +■ +1\n/) && week.contains(/■ +1  Work 1\n/), "\(week)")
            #expect(week.hasSuffix("3 finished\nSomething finished 2 days in a row\n"), "\(week)")
            let json = try await server.todomate("week", "alice", "--json").output
            #expect(json.hasPrefix(#"{"streak":2,"days":[{"date":""#) && json.contains(#""finished":[{"goal":""#))
            _ = try await server.todomate("done", "alice", "a")
            #expect(try await server.todomate("week", "alice", "--json").output.hasPrefix(#"{"streak":3,"#))

            #expect(
                try await server.todomate("reactions", "alice", "buy a").ending == .exit(65),
                "nobody reacted to any"
            )
            #expect(try await server.todomate("reactions", "alice", "a").output.isEmpty)
            _ = try await server.todomate("profile", "bob", "--name", "Bob B.", "--face", "🐻")
            _ = try await server.todomate("follow", "bob", "alice")
            for person in ["bob", "carol"] { _ = try await server.todomate("react", person, "alice", "a", "🎉") }
            #expect(try await server.todomate("reactions", "alice", "buy").output == "🎉  🐻 Bob B. (bob)\n🎉  carol\n")
            let lines = try await server.todomate("reactions", "alice", "a", "--json").output
            #expect(lines.hasPrefix(#"{"uid":"bob","emoji":"🎉","name":"Bob B.","face":"🐻"}"#), "\(lines)")
            #expect(try await server.todomate("reactions", "alice", "nothing").ending == .exit(65))
            #expect(try await server.todomate("week", "a b").ending == .exit(65))

            let korean = ["TODOMATE_REDIS": server.address, "LC_ALL": "ko_KR.UTF-8"]
            for (words, told) in [
                (["week", "alice"], "오늘"), (["history", "alice"], "삭제한 할 일이 없습니다."),
                (["history", "alice", "a"], "추가"), (["reactions", "alice", "a"], "🐻 Bob B."),
            ] {
                let output = try await Program.run("todomate", words, environment: korean).output
                #expect(output.contains(told), "\(words): \(output)")
            }
        }
    }

    @Test("the board shows both, live, and only one's own")
    func board() async throws {
        try await withRedis { server in
            _ = try await server.todomate("goal", "set", "alice", "Work", "--color", "teal")
            _ = try await server.todomate(
                "add",
                "alice",
                "wine",
                "--id",
                "w1",
                "--goal",
                "Work",
                "--visibility",
                "public"
            )
            _ = try await server.todomate("profile", "alice", "--audience", "public")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ wine")
                try await pane.press("w")
                try await pane.shows("What you finish will show here.")
                _ = try await server.todomate("done", "alice", "w1")
                try await pane.shows("the finished one") {
                    $0.contains(/Today +■ +1  Work 1/) && $0.contains("1 finished")
                }
                _ = try await server.todomate("add", "alice", "old", "--id", "o1", "--date", "-1d")
                _ = try await server.todomate("done", "alice", "o1")
                try await pane.shows("Something finished 2 days in a row")
                _ = try await server.todomate("reopen", "alice", "o1")
                try await pane.shows("one less") { $0.contains("1 finished") && !$0.contains("in a row") }
                try await pane.press("Escape")
                try await pane.shows("▸● wine")
                try await pane.press("Enter")
                try await pane.shows("all of it") { $0.contains("Added") && !$0.contains("🎉") }
                _ = try await server.todomate("react", "bob", "alice", "w1", "🎉")
                try await pane.shows("who reacted") { $0.contains(/🎉 +bob/) }
                _ = try await server.todomate("react", "carol", "alice", "w1", "🎉")
                try await pane.shows("both") { $0.contains(/🎉 +bob, carol/) }
                _ = try await server.todomate("block", "alice", "bob")
                try await pane.shows("the other one") { $0.contains(/🎉 +carol/) && !$0.contains("bob") }
                try await pane.press("Escape")
            }
            let korean = ["LANG": "ko_KR.UTF-8"]
            try await withTerminal(todomate("watch --as alice", on: server), environment: korean) { pane in
                try await pane.shows("▸● wine")
                try await pane.press("w")
                try await pane.shows("지난 7일 동안 완료한 일")
                try await pane.shows("1개 완료")
            }
            // Others learn how many reacted, and nothing of the week.
            try await withTerminal(todomate("watch --as carol carol alice", on: server)) { pane in
                try await pane.shows("● wine")
                try await pane.press("Tab", "Enter")
                try await pane.shows("the numbers alone") { $0.contains("🎉 2") && !$0.contains(/🎉 +carol/) }
                // Not at once: that would be a key with Alt.
                try await pane.press("Escape")
                try await pane.shows("the lists") { $0.contains("● wine") }
                try await pane.press("w")
                try await pane.shows("This is alice's list")
            }
        }
    }
}
