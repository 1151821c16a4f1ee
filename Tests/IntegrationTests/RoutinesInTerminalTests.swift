import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// On one Redis: what the terminal shows is the board's, which `BoardTests` follows on both kinds.
@Suite("What is done again and again, in a terminal")
@LoopActor
struct RoutinesInTerminalTests {
    @Test("stands in the list and the month, live, and is finished, skipped and had again by keys")
    func keys() async throws {
        try await withRedis { server in
            let today = CalendarDate(Date(), in: .current)
            let id = "r1--\(today.ordinal)"
            func stored() async throws -> String {
                try await server.todomate("list", "alice", "--all", "--json").output
            }
            _ = try await server.todomate("add", "alice", "milk", "--id", "milk")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("▸○ milk")
                _ = try await server.todomate(
                    "routine",
                    "add",
                    "alice",
                    "Stretch",
                    "--id",
                    "r1",
                    "--rule",
                    "FREQ=DAILY"
                )
                try await pane.shows("it has come") { $0.contains(/(?s)▸○ milk.*○ Stretch +↻/) }
                try await pane.press("j", "Space")
                try await pane.shows("it is done") { $0.contains(/▸● Stretch/) && !$0.contains(/Stretch +↻/) }
                try await eventually("it is stored") { try await stored().contains(#""id":"\#(id)""#) }
                try await pane.press("u")
                try await pane.shows("it is to be done again") { $0.contains(/▸○ Stretch +↻/) }
                try await eventually("it is gone") { try await !stored().contains(id) }
                try await pane.press("d")
                try await pane.shows("“Stretch” skipped on this day. Press u to undo.")
                try await pane.shows("it is gone") { !$0.contains(/○ Stretch +↻/) }
                try await pane.press("u")
                try await pane.shows("it is there again") { $0.contains(/○ Stretch +↻/) }
                try await pane.press("r")
                try await pane.shows("Routine from Today on › Stretch every day")
                try await pane.type(" until 2999-12-31")
                try await pane.press("Enter")
                try await pane.shows("“Stretch” changed from Today on. Press u to undo.")
                try await eventually("it is another one") {
                    let list = try await server.todomate("routine", "list", "alice").output
                    return list.contains("  every day, until Tue, Dec 31, 2999  ") && !list.hasPrefix("r1 ")
                }
                try await pane.press("u")
                try await eventually("it is what it was") {
                    let list = try await server.todomate("routine", "list", "alice", "--json").output
                    return list.hasPrefix(#"{"id":"r1","content":"Stretch","rule":"FREQ=DAILY""#)
                        && list.split(separator: "\n").count == 1
                }
                try await pane.shows("it is there as before") { $0.contains(/○ Stretch +↻/) }
                try await pane.press("R")
                try await pane.shows("“Stretch” ended from Today on. Press u to undo.")
                try await pane.shows("it is gone on all days") { !$0.contains(/○ Stretch +↻/) }
                try await pane.press("u")
                try await pane.shows("it is there again") { $0.contains(/○ Stretch +↻/) }
                try await pane.press("l")
                try await pane.shows("tomorrow's") { $0.contains("Tomorrow") && $0.contains(/▸○ Stretch +↻/) }
                try await pane.press(">")
                try await pane.shows("Nothing on this day yet")
                try await pane.press("l")
                try await pane.shows("both") { $0.contains(/(?s)○ Stretch.*○ Stretch/) }
            }
            _ = try await server.todomate("profile", "alice", "--audience", "public", "--visibility", "public")
            _ = try await server.todomate("edit", "alice", "milk", "--visibility", "public")
            try await withTerminal(todomate("watch --as bob bob alice", on: server)) { pane in
                try await pane.shows("● Live")
                try await pane.shows("alice's list") { $0.contains("milk") }
                let screen = try await pane.screen()
                #expect(!screen.contains("Stretch"), "that is hers alone")
            }
        }
    }
}
