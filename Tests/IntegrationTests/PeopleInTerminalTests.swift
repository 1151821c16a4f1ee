import EventLoop
import TestServers
import Testing

/// On one Redis: what the terminal shows is the board's, which `BoardTests` follows on both kinds.
@Suite("People in the terminal")
@LoopActor
struct PeopleInTerminalTests {
    @Test("are called as they wish where the user may know it, and by their uid for programs")
    func names() async throws {
        try await withRedis { server in
            for words in [
                [
                    "profile", "alice", "--name", "앨리스 Kim", "--face", "🦊", "--audience", "public", "--visibility",
                    "public",
                ],
                ["profile", "carol", "--name", "Nobody's Business", "--visibility", "followers"],
                ["follow", "bob", "alice"], ["follow", "bob", "carol"], ["follow", "alice", "bob"],
                ["accept", "bob", "alice"], ["add", "alice", "a thing of today", "--id", "t1"],
            ] {
                let outcome = try await server.todomate(words)
                #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
            }
            for (command, shown) in [
                ("following bob", "following  🦊 앨리스 Kim"), ("followers bob", "  🦊 앨리스 Kim"),
                ("feed bob", "🦊 앨리스 Kim (alice)     added "), ("watch --as bob", "🦊 앨리스 Kim (alice)"),
                ("watch alice bob", "🦊 앨리스 Kim (alice)"),
            ] {
                try await withTerminal("\(todomate(command, on: server)); sleep 60", columns: 160) { pane in
                    try await pane.shows(shown)
                    #expect(try await !pane.screen().contains("Nobody"), "\(command): bob may not know yet")
                    if command.hasPrefix("watch") { try await pane.press("q") }
                }
            }
            // What programs read is as it was.
            for command in ["following", "followers", "feed"] {
                for options in [[], ["--json"]] {
                    let output = try await server.todomate([command, "bob"] + options).output
                    #expect(output.contains("alice") && !output.contains("Kim") && !output.contains("🦊"), "\(command)")
                }
            }
            #expect(
                try await server.todomate("following", "bob").output.hasPrefix("alice                   following\n")
            )
        }
    }
}
