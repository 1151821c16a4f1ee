import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// All goals come in or none do, and what cannot be read of them hides nothing else.
/// What a command makes of its file is the same whatever Redis there is.
@Suite("Goals in archives, and those that cannot be read")
@LoopActor
struct GoalArchiveTests {
    private static func goal(_ id: String, _ name: String, _ color: String = "teal") -> String {
        #"{"id":"\#(id)","name":"\#(name)","color":"\#(color)","position":1,"visibility":"private","archived":false}"#
    }

    private static func line(_ goals: [String]) -> String {
        ArchiveLine.text(
            ofProfile: ["audience": "followers", "goals": "[\(goals.joined(separator: ","))]"],
            of: "alice"
        )
    }

    private func imported(
        _ line: String,
        _ server: RedisServer,
        _ words: String...
    ) async throws -> Program.Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "goals-\(UUID().uuidString).jsonl")
        try (line + "\n").write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await server.todomate(["import", file.path] + words)
    }

    private func names(_ server: RedisServer) async throws -> [String] {
        let lines = try await server.todomate("goal", "list", "alice").output.split(separator: "\n")
        return lines.map { String($0.split(separator: " ").last ?? "") }
    }

    /// Nothing, other goals and as many as there may be, each met by none, the same, others and too many.
    @Test("come in all or none: over others only with --replace, which takes the place of all")
    func all() async throws {
        let full = (1...100).map { Self.goal("g\($0)", "n\($0)") }
        let others = [Self.goal("h1", "Work"), Self.goal("h2", "Home")]
        for (before, then, isRefused) in [
            ([], others, false), ([], full, false), (others, others, false), (others, [], false),
            (others, [Self.goal("h3", "Play")], true), (full, others, true), (full, full, false), (full, [], false),
        ] as [([String], [String], Bool)] {
            try await withRedis { server in
                let first = try await imported(Self.line(before), server)
                #expect(first.ending == .exit(0), "\(first.errors)")
                let count = try await server.cli("HLEN", "todomate:{alice}:goals")
                #expect(count == "\(before.count)")
                let stored = try await server.cli("HGETALL", "todomate:{alice}:goals")
                let outcome = try await imported(Self.line(then), server)
                if isRefused {
                    #expect(outcome.ending == .exit(65))
                    #expect(outcome.errors.contains("alice has other goals already"), "\(outcome.errors)")
                } else {
                    #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                }
                if !before.isEmpty { #expect(try await server.cli("HGETALL", "todomate:{alice}:goals") == stored) }
                for _ in 1...2 {
                    let replaced = try await imported(Self.line(then), server, "--replace")
                    #expect(replaced.ending == .exit(0), "\(replaced.errors)")
                    #expect(try await server.cli("HLEN", "todomate:{alice}:goals") == "\(then.count)")
                }
            }
        }
    }

    @Test("stay where an archive says nothing of them, and are said to be none by an export")
    func unsaid() async throws {
        try await withRedis { server in
            _ = try await imported(Self.line([Self.goal("g1", "Work")]), server)
            let line = ArchiveLine.text(ofProfile: ["audience": "public"], of: "alice")
            #expect(try await imported(line, server, "--replace").ending == .exit(0))
            #expect(try await names(server) == ["Work"])
            _ = try await server.todomate("goal", "remove", "alice", "Work")
            #expect(try await server.todomate("export", "--with-profiles").output.contains(#""goals":"[]""#))
        }
    }

    @Test("are refused by the function with what is wrong, and nothing is written")
    func refusals() async throws {
        try await withRedis { server in
            _ = try await server.todomate("goal", "set", "alice", "Work")
            let key = "todomate:{alice}"
            let before = try await server.cli("XLEN", "\(key):log")
            let whole = Self.goal("g1", "x")
            for (words, answer) in [
                (["merge"], "TODOMATE_USAGE the first argument must be add or replace"),
                ([], "TODOMATE_USAGE"),
                (["add", whole], "TODOMATE_EXISTS alice has other goals already"),
                (["replace", "[]"], "TODOMATE_INVALID the goal must be one JSON object"),
                (["replace", #"{"id":"g1","name":"x"}"#], "TODOMATE_INVALID a goal of an export has color"),
                (["replace", whole, whole], "TODOMATE_INVALID two goals have the id g1"),
                (["replace", Self.goal("g1", "x", "mauve")], "TODOMATE_INVALID color must be red, orange"),
                (["replace", Self.goal("g1", "")], "TODOMATE_INVALID name must be one line"),
                (["replace"] + (1...101).map { Self.goal("g\($0)", "x") }, "TODOMATE_USAGE"),
            ] {
                let said = try await server.cli(["FCALL", "todomate_restore_goals", "1", key] + words)
                #expect(said.contains(answer), "\(words.prefix(2)): \(said)")
            }
            let said = try await server.cli(["FCALL", "todomate_set_goal", "1", key, "goal"])
            #expect(said.contains("TODOMATE_INVALID the goal must be one JSON object"), "\(said)")
            #expect(try await server.cli("XLEN", "\(key):log") == before)
            #expect(try await names(server) == ["Work"])
        }
    }

    @Test("that cannot be read hide neither the account nor the others, and the doctor says what to do")
    func unreadable() async throws {
        try await withGateway { server, gateway in
            let key = "todomate:{alice}:goals"
            _ = try await server.todomate("goal", "set", "alice", "Work")
            for (id, stored) in [
                ("new", Self.goal("new", "Newer", "mauve")), ("text", "hello"), ("half", #"{"id":"half","name":"x"}"#),
                ("other", Self.goal("another", "x")),
                ("seen", Self.goal("seen", "x").replacing("private", with: "friends")),
            ] { try await server.cli("HSET", key, id, stored) }
            let goals = try await gateway.ask("GET /v1/users/alice/goals", as: "alice").body
            #expect(goals.contains("Work") && goals.contains(#""name":"Newer","color":"gray""#), "\(goals)")
            #expect(goals.matches(of: /"id":/).count == 2)
            #expect(try await gateway.ask("GET /v1/users/alice/profile", as: "alice").status == 200)
            // What is about one of them says so; all else goes on.
            let named = try await gateway.ask("PATCH /v1/users/alice/profile", as: "alice", body: #"{"name":"Alice"}"#)
            #expect(named.status == 200, "\(named.text)")
            let todos = "POST /v1/users/alice/todos"
            for (id, status) in [("new", 201), ("text", 500), ("seen", 500)] {
                let draft = #"{"content":"x","date":"2026-11-20","goal":"\#(id)"}"#
                let answer = try await gateway.ask(todos, as: "alice", body: draft)
                #expect(answer.status == status, "\(id): \(answer.text)")
            }
            let set = try await server.todomate("goal", "set", "alice", "new", "--name", "Old", "--color", "pink")
            #expect(set.ending == .exit(0), "\(set.errors)")
            try await server.cli("HSET", key, "new", Self.goal("new", "Newer", "mauve"))
            let report = try await server.todomate("doctor")
            #expect(report.ending == .exit(1))
            #expect(
                report.output.contains("alice has goals that cannot be read, and are not shown: "),
                "\(report.output)"
            )
            for id in ["text", "half", "other", "seen"] { #expect(report.output.contains(id), "\(report.output)") }
            #expect(report.output.contains("shown gray: new"), "\(report.output)")
            #expect(report.output.contains("todomate goal set alice <id> --color teal"), "\(report.output)")
            try await server.cli("HDEL", "todomate:{alice}:profile", "password")
            // An export of what there is can be read in again.
            let export = try await server.todomate("export", "--with-profiles", "alice").output
            try await withRedis { other in
                let line = try #require(export.split(separator: "\n").first { $0.hasPrefix(#"{"profile""#) })
                #expect(!line.contains("another"))
                let outcome = try await imported(String(line), other)
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                #expect(try await names(other).sorted() == ["Newer", "Work"])
            }
            for id in ["text", "half", "other", "seen", "new"] { try await server.cli("HDEL", key, id) }
            #expect(!(try await server.todomate("doctor").output.contains("goals that")))
        }
    }
}
