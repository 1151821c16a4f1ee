import EventLoop
import TestServers
import Testing

/// What a command makes of its words is the same whatever Redis there is.
@Suite("todomate profile")
@LoopActor
struct ProfileCommandTests {
    @Test("changes how a user is called and how days are shown, and takes it away again")
    func preferences() async throws {
        try await withRedis { server in
            let words = [
                "--name", "Alice Kim", "--face", "🦊", "--language", "ko", "--time-zone", "Asia/Seoul", "--week-start",
                "sunday",
            ]
            let chosen = try await server.todomate(["profile", "alice"] + words)
            #expect(chosen.ending == .exit(0), "\(chosen.errors)")
            for line in ["name        Alice Kim\n", "face        🦊\n", "language    ko\n", "time zone   Asia/Seoul\n"] {
                #expect(chosen.output.contains(line), "\(chosen.output)")
            }
            let emptied = try await server.todomate("profile", "alice", "--name", "", "--json")
            #expect(
                emptied.output.contains(#""face":"🦊""#) && !emptied.output.contains(#""name""#),
                "\(emptied.output)"
            )
        }
    }

    @Test(
        "refuses what cannot be, and changes nothing",
        arguments: [
            ["--name", "two\nlines"], ["--face", "fox"], ["--language", "xx"], ["--time-zone", "Mars/Olympus"],
            ["--week-start", "friday"], ["--name"],
        ]
    )
    func refusals(_ words: [String]) async throws {
        try await withRedis { server in
            let refused = try await server.todomate(["profile", "alice"] + words)
            #expect([.exit(64), .exit(65)].contains(refused.ending), "\(refused)")
            #expect(!refused.errors.isEmpty && refused.output.isEmpty)
            #expect(try await server.dataKeys() == [])
        }
    }
}
