import EventLoop
import TestServers
import Testing

@Suite("Routines in todomate watch")
@LoopActor
struct WatchRoutineTests {
    @Test("are made by a line that says how often, and ended by u", arguments: RedisKind.allCases)
    func adding(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("Nothing planned")
                try await pane.press("a")
                try await pane.type("Stretch every day until 2999-12-31")
                try await pane.shows("until 2999-12-31 → until Tue, Dec 31, 2999")
                try await pane.press("Enter")
                try await pane.shows("“Stretch” added as a routine")
                try await pane.shows("▸○ Stretch")
                let made = try await server.todomate("routine", "list", "alice").output
                #expect(made.contains("  every day, until Tue, Dec 31, 2999  "))
                try await pane.press("u")
                try await pane.shows("Nothing planned")
                #expect(try await server.todomate("routine", "list", "alice").output.isEmpty)
                try await pane.press("a")
                try await pane.type("Swim every day")
                try await pane.press("Enter")
                try await pane.shows("▸○ Swim")
                _ = try await server.todomate("routine", "edit", "alice", "Swim", "--rule", "every 2 days")
                try await pane.press("u")
                try await pane.shows("Not undone: “Swim” was changed elsewhere")
                let kept = try await server.todomate("routine", "list", "alice").output
                #expect(kept.contains("  every 2 days  ") && kept.contains("Swim"))
            }
        }
    }
}
