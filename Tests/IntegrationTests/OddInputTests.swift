import EventLoop
import Foundation
import TestServers
import Testing

/// What a command makes of its words is the same whatever Redis there is.
@Suite("A command with odd surroundings")
@LoopActor
struct OddInputTests {
    private var todomate: String { Program.builtPrograms.path + "/todomate" }

    @Test("refuses an argument that is not text, and writes nothing")
    func invalidUTF8() async throws {
        try await withRedis { server in
            let line = "TODOMATE_REDIS=\(server.address) exec \(todomate) add alice \"$(printf 'bad\\377')\""
            let outcome = try await Program.run("sh", ["-c", line])
            #expect(outcome.ending == .exit(65))
            #expect(outcome.errors == "todomate: argument 3 is not valid UTF-8: write it anew\n")
            #expect(try await server.cli("DBSIZE") == "0")
        }
    }

    @Test("says that its output cannot be written, but not to a reader who has seen enough")
    func fullDisk() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "milk")
            let list = "TODOMATE_REDIS=\(server.address) \(todomate) list alice --all"
            let full = try await Program.run("sh", ["-c", "\(list) > /dev/full"])
            #expect(full.ending == .exit(74))
            #expect(full.errors == "todomate list: standard output cannot be written: No space left on device\n")
            for words in ["watch alice", "--help", "help user", "list --help", "--version"] {
                let run = "TODOMATE_REDIS=\(server.address) \(todomate) \(words) > /dev/full"
                let outcome = try await Program.run("sh", ["-c", run])
                #expect(outcome.ending == .exit(74), "\(words)")
                #expect(outcome.errors.contains("standard output cannot be written: No space"), "\(outcome.errors)")
            }
            let closed = try await Program.run("sh", ["-c", "(\(list); echo $? >&2) | true"])
            #expect(closed.errors == "0\n")
        }
    }

    @Test("moves nothing about for a todo that is not there")
    func moveNothing() async throws {
        try await withRedis { server in
            _ = try await server.todomate("list", "alice")  // loads the functions
            for id in ["a", "b", "c"] {
                let todo = "{\"id\":\"\(id)\",\"content\":\"x\",\"date\":\"2026-11-20\",\"position\":5}"
                try await server.call("todomate_add", "alice", todo)
            }
            let outcome = try await server.todomate("move", "alice", "nope", "--before", "b")
            #expect(outcome.ending == .exit(65) && outcome.errors.contains("no todo of alice has the id"))
            #expect(try await server.cli("XLEN", "todomate:{alice}:log") == "3")
        }
    }

    @Test("places a todo behind one at the largest position")
    func edge() async throws {
        try await withRedis { server in
            _ = try await server.todomate("list", "alice")  // loads the functions
            for (id, position) in [("a", "1"), ("b", "9007199254740991")] {
                let todo = "{\"id\":\"\(id)\",\"content\":\"\(id)\",\"date\":\"2026-11-20\",\"position\":\(position)}"
                try await server.call("todomate_add", "alice", todo)
            }
            let outcome = try await server.todomate("move", "alice", "a", "--after", "b")
            #expect(outcome.ending == .exit(0))
            let list = try await server.todomate("list", "alice", "--date", "2026-11-20", "--plain")
            #expect(list.output.split(separator: "\n").compactMap(\.last) == ["b", "a"])
        }
    }
}
