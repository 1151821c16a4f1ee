import EventLoop
import Foundation
import TestServers
import Testing

/// On one Redis: what the terminal shows is the board's, which `BoardTests` follows on both kinds.
@Suite("What was left from earlier and what became of todos, in a terminal")
@LoopActor
struct PastInTerminalTests {
    @Test("stands above today, live, and is moved to today by keys")
    func earlier() async throws {
        try await withRedis { server in
            for (id, day) in [("old", "-40d"), ("recent", "-1d")] {
                _ = try await server.todomate("add", "alice", id, "--id", id, "--date", day)
            }
            _ = try await server.todomate("add", "alice", "todays", "--id", "todays")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("what is left above today") {
                    $0.contains(/(?s)From earlier · 2.*○ recent.*○ old.*Today.*▸○ todays/)
                }
                _ = try await server.todomate("add", "alice", "third", "--id", "third", "--date", "-2d")
                try await pane.shows("From earlier · 3")
                _ = try await server.todomate("done", "alice", "third")
                try await pane.shows("From earlier · 2")
                try await pane.press("g", "T")
                try await pane.shows("one is moved") {
                    $0.contains(/(?s)From earlier · 1.*▸○ old.*Today.*○ todays.*○ recent/)
                }
                try await pane.press("u")
                try await pane.shows("From earlier · 2")
                try await pane.press("E")
                try await pane.shows("all are moved") {
                    $0.contains(/(?s)○ todays.*○ old.*○ recent/) && !$0.contains("From earlier")
                }
                try await pane.shows("Moved to today: 2. Press u to undo.")
                try await pane.press("u")
                try await pane.shows("From earlier · 2")
                try await pane.tmux("resize-window", "-x", "30", "-y", "10")
                try await pane.shows("the narrow window") {
                    $0.contains("From earlier · 2") && $0.contains("todays") && !$0.contains("Yesterday")
                }
                try await pane.tmux("resize-window", "-x", "80", "-y", "24")
                try await pane.press("?")
                try await pane.shows("all keys at once") {
                    $0.contains("◐ in progress") && $0.contains("T E ") && $0.contains("e n # r ")
                        && $0.contains("d R Del ")
                        && $0.contains("H b ") && $0.contains("q Ctrl-C")
                }
            }
            let korean = ["LANG": "ko_KR.UTF-8"]
            try await withTerminal(todomate("watch --as alice", on: server), environment: korean) { pane in
                try await pane.shows("지난 할 일 · 2")
            }
            _ = try await server.todomate("profile", "alice", "--audience", "public")
            for id in ["todays", "old", "recent"] {
                _ = try await server.todomate("edit", "alice", id, "--visibility", "public")
            }
            try await withTerminal(todomate("watch --as bob bob alice", on: server)) { pane in
                try await pane.shows("alice's list") { $0.contains("todays") }
                try await pane.shows("● Live")
                let screen = try await pane.screen()
                #expect(!screen.contains("From earlier"), "that is hers alone")
            }
        }
    }

    @Test("is told, and brought back by keys")
    func past() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "wine", "--id", "w1")
            _ = try await server.todomate("edit", "alice", "w1", "--content", "milk")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ milk")
                try await pane.press("H")
                try await pane.shows("“wine” → “milk”")
                try await pane.shows("That is everything.")
                try await pane.press("j", "b")
                try await pane.shows("▸○ wine")
                try await pane.shows("“wine” is as it was. Press u to undo.")
                try await pane.press("u")
                try await pane.shows("▸○ milk")
                try await pane.press("d")
                try await pane.shows("Nothing planned")
                try await pane.press("b")
                try await pane.shows("Deleted todos")
                try await pane.shows("▸ ")
                try await pane.press("Enter")
                try await pane.shows("What became of “milk”")
                try await pane.shows("deleted")
                try await pane.press("b")
                try await pane.shows("▸○ milk")
                try await pane.press("b")
                try await pane.shows("Nothing was deleted.")
                try await pane.press("Escape")
                try await pane.shows("▸○ milk")
            }
            try await withTerminal(todomate("watch --as bob bob alice", on: server)) { pane in
                try await pane.shows("● Live")
                try await pane.press("Tab", "b")
                try await pane.shows("This is alice's list")
            }
        }
    }
}
