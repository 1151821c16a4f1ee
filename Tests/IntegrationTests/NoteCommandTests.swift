import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// What a command makes of its words is the same whatever Redis there is.
@Suite("Notes of days by commands, archives and calls by hand", .serialized)
@LoopActor
struct NoteCommandTests {
    @Test("are written, read, shown and taken away")
    func commands() async throws {
        try await withRedis { server in
            func say(_ words: String...) async throws -> String {
                let outcome = try await server.todomate(words)
                try #require(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                return outcome.output
            }
            let today = CalendarDate(Date(), in: .current)
            let missing = try await server.todomate("note", "alice")
            #expect(missing.ending == .exit(65) && missing.errors.contains("alice has no note of \(today)"))
            let made = try await say("note", "alice", "Rain.\nA walk.", "--json")
            #expect(made.contains(#""id":"note-of-\#(today)""#) && made.contains(#""visibility":"private""#), "\(made)")
            #expect(try await say("note", "alice") == "Rain.\nA walk.\n")
            #expect(
                try await say("note", "alice", "--visibility", "followers", "--json").contains(
                    #""visibility":"followers""#
                )
            )
            _ = try await say("note", "alice", "Sun", "--day", "2026-11-20", "--visibility", "public")
            let program = "\(Program.builtPrograms.path)/todomate"
            let piped = try await Program.run(
                "sh",
                ["-c", "printf 'From a file,\\nof two lines\\n' | \(program) note alice - --day 2026-11-21"],
                environment: ["TODOMATE_REDIS": server.address]
            )
            #expect(piped.ending == .exit(0), "\(piped.errors)")
            #expect(
                try await say("note", "alice", "--from", "2026-11-20", "--to", "2026-11-21")
                    == "2026-11-20  public\nSun\n\n2026-11-21  private\nFrom a file,\nof two lines\n"
            )
            let lines = try await say("note", "alice", "--to", "2026-11-20", "--json")
            #expect(lines.hasPrefix(#"{"id":"note-of-2026-11-20""#) && lines.hasSuffix("}\n"))
            #expect(try await say("note", "alice", "--from", "2999-01-01") == "")
            // It stands among the todos of its day, is found by its words, and is none that could be done.
            _ = try await say("add", "alice", "Buy milk", "--date", "2026-11-20", "--id", "t1")
            let list = try await say("list", "alice", "--date", "2026-11-20", "--plain")
            #expect(list.contains("📔 Sun\n") && list.contains("  Buy milk\n"), "\(list)")
            #expect(try await say("search", "alice", "two", "--plain").contains("📔 From a file, of two lines"))
            let done = try await server.todomate("done", "alice", "sun")
            #expect(done.ending == .exit(65) && done.errors.contains("no todo of alice has the id or the words"))
            // What became of it, and back.
            let first = try await say("note", "alice", "--day", "2026-11-20", "--json")
            let micros = try #require(first.firstMatch(of: /"revision":(\d+),"micros":(\d+)/))
            _ = try await say("note", "alice", "", "--day", "2026-11-20", "--expect", "\(micros.1)-\(micros.2)")
            #expect(try await say("history", "alice").contains("📔 Sun"))
            _ = try await say("recover", "alice", "note-of-2026-11-20")
            #expect(try await say("note", "alice", "--day", "2026-11-20") == "Sun\n")
        }
    }

    @Test("go along in archives, and come in from one")
    func archive() async throws {
        try await withRedis { server in
            _ = try await server.todomate("note", "alice", "Rain.", "--day", "2026-11-20", "--visibility", "followers")
            _ = try await server.todomate("add", "alice", "x", "--date", "2026-11-20", "--id", "t1")
            let file = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString).jsonl")
            defer { try? FileManager.default.removeItem(at: file) }
            let exported = try await server.todomate("export", "--output", file.path)
            #expect(exported.ending == .exit(0), "\(exported.errors)")
            let note = try await server.cli("HGET", "todomate:{alice}:todos", "note-of-2026-11-20")
            #expect(note.contains("Rain."))
            _ = try await server.cli("FLUSHALL")
            for _ in 1...2 {
                let imported = try await server.todomate("import", file.path)
                #expect(imported.ending == .exit(0), "\(imported.errors)")
                let stored = try await server.cli("HGET", "todomate:{alice}:todos", "note-of-2026-11-20")
                #expect(stored.contains(#""content":"📔","detail":"Rain.","status":"incomplete""#))
                #expect(stored.contains(#""visibility":"followers""#))
            }
            let lines = try String(contentsOf: file, encoding: .utf8)
                .replacing(#""date":"2026-11-20","content":"📔""#, with: #""date":"2026-11-21","content":"📔""#)
            try lines.write(to: file, atomically: true, encoding: .utf8)
            let wrong = try await server.todomate("import", file.path, "--replace")
            #expect(wrong.ending == .exit(65) && wrong.errors.contains("ids that begin with note-of- are of notes"))
        }
    }

    @Test("are hidden and taken away where memory is full")
    func full() async throws {
        try await withRedis { server in
            _ = try await server.todomate("note", "alice", "Rain.", "--day", "2026-11-20", "--visibility", "public")
            _ = try await server.cli("CONFIG", "SET", "maxmemory", "1")
            let more = try await server.todomate("note", "alice", "More.", "--day", "2026-11-20")
            #expect(more.ending != .exit(0) && more.errors.contains("memory"), "\(more.errors)")
            let open = try await server.todomate("note", "alice", "--day", "2026-11-20", "--visibility", "public")
            #expect(open.ending == .exit(0) || open.errors.contains("memory"), "\(open.errors)")
            let hidden = try await server.todomate("note", "alice", "--day", "2026-11-20", "--visibility", "private")
            #expect(hidden.ending == .exit(0), "\(hidden.errors)")
            let removed = try await server.todomate("note", "alice", "", "--day", "2026-11-20")
            #expect(removed.ending == .exit(0), "\(removed.errors)")
            _ = try await server.cli("CONFIG", "SET", "maxmemory", "0")
        }
    }
}
