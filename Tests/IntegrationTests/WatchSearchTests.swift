import EventLoop
import TestServers
import Testing

@Suite("Search, and what was only published, in todomate watch")
@LoopActor
struct WatchSearchTests {
    @Test("S finds todos of all days, and Enter goes to the day of one", arguments: RedisKind.allCases)
    func search(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("add", "alice", "Oat milk for the trip", "--date", "2099-12-24")
            _ = try await server.todomate("add", "alice", "Milk", "--date", "2024-02-29")
            _ = try await server.todomate("add", "alice", "bread")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ bread")
                try await pane.press("S")
                try await pane.type("MILK")
                try await pane.press("Enter")
                try await pane.shows("both, the latest first") { screen in
                    let lines = screen.split(separator: "\n").filter { $0.lowercased().contains("milk") }
                    return lines.count == 3 && lines[0].contains("Found by") && lines[1].contains("▸○")
                        && lines[1].contains("Oat milk") && lines[2].hasSuffix("Milk")
                }
                try await pane.press("i", "i")
                try await pane.shows("those in progress") {
                    $0.contains("Found by “MILK” · in progress") && $0.contains("Nothing is found by this.")
                }
                try await pane.press("i", "i", "i")
                try await pane.shows("both again") { $0.contains("Oat milk") && !$0.contains("“MILK” ·") }
                try await pane.press("j", "Enter")
                try await pane.shows("▸○ Milk")
                try await pane.shows("February 2024")
                try await pane.press("S")
                try await pane.type("nowhere")
                try await pane.press("Enter")
                try await pane.shows("Nothing is found by this.")
                // With "t" right behind it, an Escape would be Alt-t.
                try await pane.press("Escape")
                try await pane.shows("? help")
                try await pane.press("t")
                try await pane.shows("▸○ bread")
            }
        }
    }

    @Test(
        "what is done again and again is found by its next day, in todomate search as well",
        arguments: RedisKind.allCases
    )
    func routine(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("add", "alice", "Stretch every day")
            _ = try await server.todomate("add", "alice", "Stretch the budget", "--date", "2024-02-29")
            let found = try await server.todomate("search", "alice", "stretch", "--json").output.split(separator: "\n")
            #expect(found.count == 2 && found[0].contains("Stretch the budget") && found[1].contains("\"revision\":0"))
            let id = try #require(found[1].firstMatch(of: /"id":"([^"]*)"/)).1
            let none = try await server.todomate("search", "alice", "stretch", "--status", "complete").output
            #expect(none.isEmpty)
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("○ Stretch")
                try await pane.press("S")
                try await pane.type("stretch")
                try await pane.press("Enter")
                try await pane.shows("the routine first") { screen in
                    let lines = screen.split(separator: "\n").filter { $0.contains("Stretch") }
                    return lines.count == 2 && lines[0].contains("▸○ Today") && lines[0].hasSuffix("↻")
                        && lines[1].contains("budget")
                }
            }
            // A day that is done is found as every todo, and beside it the next one.
            _ = try await server.todomate("done", "alice", String(id))
            let after = try await server.todomate("search", "alice", "stretch", "--json").output.split(separator: "\n")
            #expect(after.count == 3 && after[1].contains("\"status\":\"complete\"") && !after[2].contains(id))
        }
    }

    @Test("a todo that was only published says so, and no key changes it", arguments: RedisKind.allCases)
    func published(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("add", "alice", "stored", "--id", "t1")
            let day = try await server.todomate("list", "alice", "--json").output.firstMatch(of: /"date":"([^"]*)"/)
            let today = try #require(day).1
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ stored")
                try await pane.shows("● Live")
                let publish = kind == .cluster ? "SPUBLISH" : "PUBLISH"
                let todo = #"{"id":"p1","uid":"alice","date":"\#(today)","content":"announced","revision":7}"#
                _ = try await server.cli(publish, "todomate:{alice}:changes", #"{"type":"added","todo":\#(todo)}"#)
                try await pane.shows("announced")
                try await pane.press("j", "Space")
                try await pane.shows("“announced” was only announced and is stored nowhere")
                try await pane.shows("▸○ announced")
                try await pane.press("Enter")
                try await pane.shows("only shown")
            }
        }
    }
}
