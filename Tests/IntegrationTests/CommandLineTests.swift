import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The command line")
@LoopActor
struct CommandLineTests {
    private func todomate(_ server: RedisServer, _ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run("todomate", arguments, environment: ["TODOMATE_REDIS": "unix://\(server.url)"])
    }

    @Test("explains every command")
    func help() async throws {
        let overall = try await Program.run("todomate", ["--help"])
        #expect(overall.ending == .exit(0))
        for command in ["up", "worker", "add", "list", "edit", "start", "done", "reopen", "move", "remove", "watch"] {
            #expect(overall.output.contains("\n  \(command) "))
            let outcome = try await Program.run("todomate", [command, "--help"])
            #expect(outcome.ending == .exit(0) && outcome.output.contains("todomate \(command)"))
        }
    }

    @Test("writes, lists and removes")
    func verbs() async throws {
        try await withRedis { server in
            let added = try await todomate(
                server,
                ["add", "alice", "Buy milk", "--date", "2026-11-20", "--id", "t1", "--json"]
            )
            #expect(
                added.output.hasPrefix(
                    #"{"id":"t1","uid":"alice","date":"2026-11-20","content":"Buy milk","detail":"","status":"todo","position":1,"revision":1,"#
                )
            )
            let again = try await todomate(
                server,
                ["add", "alice", "Buy milk", "--date", "2026-11-20", "--id", "t1", "--json"]
            )
            #expect(again.output == added.output)
            _ = try await todomate(server, ["edit", "alice", "t1", "--content", "Buy oat milk", "--detail", "two"])
            let listed = try await todomate(server, ["list", "alice", "--month", "2026-11"])
            #expect(listed.output == "t1                      2026-11-20  todo        Buy oat milk\n")
            #expect(try await todomate(server, ["list", "alice", "--date", "2026-11-21"]).output == "")
            #expect(try await todomate(server, ["remove", "alice", "t1"]).ending == .exit(0))
            #expect(try await todomate(server, ["list", "alice", "--all"]).output == "")
        }
    }

    @Test(
        "refuses what is wrong in one line, with the exit code for it, and writes nothing",
        arguments: [
            (["add", "alice"], 64, "missing <content>"), (["add", "alice", "x", "--bogus"], 64, "unknown option"),
            (["add", "alice", "x", "y"], 64, "unexpected argument"), (["ad", "alice", "x"], 64, "did you mean 'add'"),
            (["add", "alice", "x", "--redis", "http://x"], 64, "scheme"),
            (["list", "alice", "--all", "--date", "2026-11-20"], 64, "one of"),
            (["edit", "alice", "t"], 64, "give one of"), (["move", "alice", "t"], 64, "give one of"),
            (["add", "alice", ""], 65, "1 to 500"),
            (["add", "alice", String(repeating: "x", count: 501)], 65, "1 to 500"),
            (["add", "alice", "a\nb"], 65, "one line"), (["add", "alice", " "], 65, "only spaces"),
            (["add", "al ice", "x"], 65, "uid must be"),
            (["add", "alice", "x", "--date", "2026-02-30"], 65, "is no day"),
            (["add", "alice", "x", "--id", "a/b"], 65, "id must be"),
            (["add", "alice", "x", "--detail", "\u{1B}"], 65, "detail"),
            (["add", "alice", "x", "--detail", String(repeating: "x", count: 10_001)], 65, "10000"),
            (["done", "alice", "nothing"], 65, "no todo"),
            (["list", "alice", "--month", "2026-13"], 65, "is no month"),
            (["worker", "--listen", "0.0.0.0:0"], 78, "without a secret"),
            (["worker", "--listen", "1", "--secret", "short"], 78, "at least 32"),
        ] as [([String], Int32, String)]
    )
    func refusals(_ arguments: [String], _ code: Int32, _ reason: String) async throws {
        try await withRedis { server in
            let outcome = try await todomate(server, arguments)
            #expect(outcome.ending == .exit(code))
            #expect(outcome.errors.contains(reason) && outcome.output == "")
            #expect(outcome.errors.split(separator: "\n").count == 1)
            let keys = try await server.cli("DBSIZE")
            #expect(keys == "0")
        }
    }

    @Test("says that Redis cannot be reached, and refuses a stale write")
    func unavailable() async throws {
        let outcome = try await Program.run(
            "todomate",
            ["add", "a", "x", "--redis", "unix:///nowhere.sock", "--timeout", "300ms"]
        )
        #expect(outcome.ending == .exit(69))
        #expect(outcome.errors.contains("could not be reached within 0.3 s"))
        try await withRedis { server in
            _ = try await todomate(server, ["add", "alice", "x", "--id", "t1"])
            let stale = try await todomate(server, ["done", "alice", "t1", "--expect", "7"])
            #expect(stale.ending == .exit(65))
            #expect(stale.errors.contains("is now at revision 1"))
        }
    }

    @Test("watches in plain lines when nobody looks at a terminal")
    func watch() async throws {
        try await withRedis { server in
            _ = try await todomate(server, ["add", "alice", "there already"])
            let watch = try RunningProgram("todomate", ["watch", "alice", "bob", "--redis", "unix://\(server.url)"])
            try await eventually("it lists") { watch.lines.count == 1 }
            _ = try await todomate(server, ["add", "bob", "live"])
            try await eventually("it follows") { watch.lines.count == 2 }
            #expect(watch.lines[0].hasPrefix("alice  today") && watch.lines[0].hasSuffix("there already"))
            #expect(watch.lines[1].hasPrefix("bob  added") && watch.lines[1].hasSuffix("live"))
            #expect(await watch.stop() == .exit(0))
        }
    }
}
