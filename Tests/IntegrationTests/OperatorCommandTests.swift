import EventLoop
import Foundation
import TestServers
import Testing

/// `todomate user list`, `suspend`, `resume`, `limit` and `role`, and `todomate announce`, as an operator types them.
@Suite("The operator's commands", .serialized)
@LoopActor
struct OperatorCommandTests {
    private func withAlice(
        on kind: RedisKind = .one,
        _ body: @LoopActor (any TestRedis) async throws -> Void
    ) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("library", "load")
            try await server.call("todomate_enroll", "alice", GatewayProcess.passwordHash)
            try await body(server)
        }
    }

    private func expect(
        _ words: [String],
        says text: String,
        _ server: any TestRedis,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await server.todomate(words)
        #expect(outcome.ending == .exit(0), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.output == text, sourceLocation: sourceLocation)
    }

    @Test("suspend and resume, twice as well as once")
    func suspend() async throws {
        try await withAlice { server in
            try await expect(
                ["user", "suspend", "alice", "--reason", "too loud"],
                says: "alice is suspended.\n",
                server
            )
            try await expect(
                ["user", "suspend", "alice", "--reason", "too loud"],
                says: "alice was suspended already.\n",
                server
            )
            let line = try await server.todomate("user", "list").output
            #expect(line.contains("suspended: too loud\n"))
            let events = try await server.todomate("user", "events", "alice").output
            #expect(events.contains("suspended") && events.contains("too loud"))
            try await expect(["user", "resume", "alice"], says: "alice can sign in again.\n", server)
            try await expect(["user", "resume", "alice"], says: "alice was not suspended.\n", server)
            try await expect(["user", "role", "alice", "operator"], says: "alice is an operator now.\n", server)
            try await expect(["user", "role", "alice", "operator"], says: "alice is an operator, as before.\n", server)
            try await expect(["user", "suspend", "alice"], says: "alice is suspended.\n", server)
            try await expect(["user", "role", "alice", "none"], says: "alice is no operator now.\n", server)
        }
    }

    @Test("do the same to many at once, or to none where one has no account")
    func many() async throws {
        try await withAlice { server in
            try await server.call("todomate_enroll", "bob", GatewayProcess.passwordHash)
            for words in [["suspend"], ["resume"], ["limit", "--todos", "7"]] {
                let line = ["user", words[0], "alice", "nobody"] + words.dropFirst()
                let refused = try await server.todomate(line)
                #expect(refused.ending != .exit(0) && refused.errors.contains("nobody"), "\(refused.errors)")
            }
            #expect(try await !server.todomate("user", "list").output.contains("suspended"))
            let suspended = "bob is suspended.\nalice is suspended.\n"
            try await expect(["user", "suspend", "bob", "alice", "bob", "--reason", "x"], says: suspended, server)
            let resumed = "alice can sign in again.\nbob can sign in again.\n"
            try await expect(["user", "resume", "alice", "bob"], says: resumed, server)
            let limits = try await server.todomate("user", "limit", "alice", "bob", "--todos", "7").output
            #expect(limits.hasPrefix("alice\nbytes") && limits.contains("\n\nbob\nbytes"), "\(limits)")
            #expect(limits.matches(of: /todos +0 of 7\n/).count == 2)
        }
    }

    @Test("limit what one user may have, and show it")
    func limit() async throws {
        try await withAlice { server in
            let usual =
                "bytes        0 B of 32 MiB, as the server allows\ntodos        0, as the server allows\n"
                + "tokens       0, as the server allows\nwrites       as the server allows\n"
                + "invitations  as the server allows\n"
            try await expect(["user", "limit", "alice"], says: usual, server)
            let words = [
                "user", "limit", "alice", "--bytes", "64KiB", "--todos", "7", "--tokens", "0", "--writes", "10/s",
                "--invitations", "5",
            ]
            let own =
                "bytes        0 B of 64 KiB\ntodos        0 of 7\ntokens       0 of 0\nwrites       600 a minute\n"
                + "invitations  5 open at a time\n"
            try await expect(words, says: own, server)
            try await expect(
                ["user", "limit", "alice", "--todos", "default"],
                says: own.replacing("0 of 7", with: "0, as the server allows"),
                server
            )
            let json = try await server.todomate("user", "list", "--json").output
            #expect(json.contains(#""limits":{"bytes":65536,"tokens":0,"writes":600,"invitations":5}"#), "\(json)")
            try await expect(["user", "limit", "alice", "--default"], says: usual, server)
            _ = try await server.todomate("user", "limit", "alice", "--todos", "0")
            let full = try await server.todomate("add", "alice", "x")
            #expect(full.ending == .exit(65) && full.errors.contains("or ask the operator for more"), "\(full.errors)")
        }
    }

    @Test("show who is leaving, suspended or not, and who has a second factor")
    func states() async throws {
        try await withAlice { server in
            try await server.cli("HSET", "todomate:{alice}:factor", "secret", "sealed", "since", "1", "step", "1")
            _ = try await server.todomate("user", "suspend", "alice")
            let left = try await server.todomate("user", "leave", "alice", "--after", "1h")
            #expect(left.ending == .exit(0), "\(left.errors)")
            let due = try #require(left.output.firstMatch(of: /deleted on ((\d+-\d+-\d+)T\S+Z)/))
            let line = try await server.todomate("user", "list").output
            #expect(line.contains("suspended, to be deleted on \(due.2), second factor\n"), "\(line)")
            let json = try await server.todomate("user", "list", "--json").output
            #expect(json.contains(#""leaving":"\#(due.1)","factor":true"#), "\(json)")
        }
    }

    @Test("list many accounts in order, a page at a time", arguments: [RedisKind.one, .cluster])
    func list(_ kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            let names = (1000..<1450).map { "user\($0)" }
            for uid in names { try await server.call("todomate_enroll", uid, GatewayProcess.passwordHash) }
            try await server.call("todomate_settings", "no-account", #"{"audience":"public"}"#)
            for index in [1007, 1400] {
                try await server.call("todomate_add", "user\(index)", #"{"content":"x","date":"2026-11-20"}"#)
            }
            try await server.call("todomate_add", "user1400", #"{"content":"y","date":"2026-11-20"}"#)
            func uids(_ words: String...) async throws -> [String] {
                let outcome = try await server.todomate(["user", "list", "--json"] + words)
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                return outcome.output.matches(of: /"uid":"([^"]+)"/).map { String($0.1) }
            }
            #expect(try await uids() == ["alice"] + names)
            #expect(try await uids("--prefix", "user100") == (1000..<1010).map { "user\($0)" })
            #expect(try await uids("--sort", "bytes", "--limit", "3") == ["user1400", "user1007", "alice"])
            #expect(try await uids("--limit", "2") == ["alice", "user1000"])
            #expect(try await uids("--suspended").isEmpty)
            let table = try await server.todomate("user", "list").output
            #expect(table.split(separator: "\n").count == names.count + 2)
            #expect(table.hasPrefix("NAME ") && table.contains("\nuser1400 "))
        }
    }

    @Test("announce, show it, and take it away")
    func announce() async throws {
        try await withAlice { server in
            try await expect(["announce"], says: "Nothing is announced.\n", server)
            try await expect(["announce", "--end"], says: "Nothing was announced.\n", server)
            let made = try await server.todomate(
                ["announce", "Back at noon", "--ko", "정오에", "--until", "2999-01-01T00:00:00Z"]
            )
            #expect(made.ending == .exit(65) && made.errors.contains("30 days"), "\(made.errors)")
            let soon = try await server.todomate(["announce", "Back at noon", "--ko", "정오에", "--level", "warning"])
            #expect(soon.output.contains(", told to 0 workers and boards.\n"), "\(soon.output)\(soon.errors)")
            let shown = try await server.todomate("announce").output
            #expect(shown.wholeMatch(of: /warning  until \S+Z  Back at noon  정오에\n/) != nil, "\(shown)")
            #expect((Int(try await server.cli("TTL", "todomate:announcement")) ?? -1) > 86_000)
            let doctor = try await server.todomate("doctor").output
            #expect(!doctor.contains("todomate:announcement"), "it is no leftover")
            let watch = try RunningProgram(
                "todomate",
                ["watch", "alice"],
                environment: ["TODOMATE_REDIS": server.address]
            )
            try await eventually("a board in a pipe says it") {
                watch.output.contains("announced  warning  Back at noon\n")
            }
            await watch.stop()
            let ended = try await server.todomate("announce", "--end")
            #expect(ended.output.hasPrefix("It is taken away"))
        }
    }

    @Test("are seen on a board in a terminal, until they are taken away")
    func board() async throws {
        try await withRedis { server in
            _ = try await server.todomate("announce", "Back at noon")
            try await withTerminal(todomate("watch alice", on: server)) { pane in
                try await pane.shows("Back at noon")
                _ = try await server.todomate("announce", "Back at one", "--level", "warning")
                try await pane.shows("Back at one")
                _ = try await server.todomate("announce", "--end")
                try await pane.shows("it is gone") { !$0.contains("Back at") && $0.contains("● Live") }
            }
        }
    }

    @Test(
        "refuse what is out of bounds",
        arguments: [
            ["user", "suspend"], ["user", "resume"], ["user", "role", "alice"], ["user", "role", "alice", "king"],
            ["user", "limit", "alice", "--bytes", "2GiB"], ["user", "limit", "alice", "--bytes", "-1"],
            ["user", "limit", "alice", "--bytes", "x"], ["user", "limit", "alice", "--todos", "50001"],
            ["user", "limit", "alice", "--tokens", "501"], ["user", "limit", "alice", "--writes", "0"],
            ["user", "limit", "alice", "--writes", "9999999999999999999/s"], ["user", "list", "--sort", "size"],
            ["user", "list", "--limit", "0"], ["announce", "x", "--end"], ["announce", "x", "--hours", "0"],
            ["announce", "x", "--hours", "721"], ["announce", "x", "--until", "tomorrow"],
            ["announce", "x", "--hours", "1", "--until", "2026-12-01T00:00:00Z"], ["announce", "x", "--level", "loud"],
        ]
    )
    func usage(_ words: [String]) async throws {
        let outcome = try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": "unix:///nowhere.sock"])
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty, "\(words): \(outcome.errors)")
    }

    @Test("refuse users without an account, and texts that are none")
    func refusals() async throws {
        try await withAlice { server in
            for words in [
                ["user", "suspend", "bob"], ["user", "resume", "bob"], ["user", "role", "bob", "operator"],
                ["user", "limit", "bob"], ["user", "limit", "bob", "--todos", "1"],
            ] {
                let outcome = try await server.todomate(words)
                #expect(
                    outcome.ending == .exit(65) && outcome.errors.contains("todomate user add bob"),
                    "\(outcome.errors)"
                )
                #expect(outcome.output.isEmpty)
            }
            for words in [
                ["user", "suspend", "alice", "--reason", "two\nlines"], ["announce", "two\nlines"], ["announce", ""],
                ["announce", String(repeating: "x", count: 281)], ["announce", "x", "--ko", ""],
            ] {
                let outcome = try await server.todomate(words)
                #expect(outcome.ending == .exit(65) && outcome.output.isEmpty, "\(words): \(outcome.errors)")
            }
            #expect(try await server.cli("EXISTS", "todomate:announcement") == "0")
        }
    }
}
