import EventLoop
import Foundation
import TestServers
import Testing

/// What a command makes of its words and its file is the same whatever Redis there is: tests of that alone have one.
@Suite("Export and import")
@LoopActor
struct ArchiveTests {
    /// Todos as only an import can make them: with fractions, old times, and all statuses.
    private nonisolated static func lines(_ count: Int, of uid: String) -> [String] {
        (1...count).map { number in
            #"{"id":"t\#(number)","uid":"\#(uid)","date":"2026-\#(10 + number % 3)-\#(10 + number % 19)","#
                + #""content":"할 일 \"\#(number)\" 😀","detail":"\#(number % 2 == 0 ? "" : #"two\nlines\t\\"#)","#
                + #""status":"\#(["todo", "inProgress", "complete", "incomplete"][number % 4])","#
                + #""position":\#(number % 5 == 0 ? "-0.125" : "\(number)"),"revision":\#(number * 3),"#
                + #""createdAt":"2020-02-29T23:59:59Z","updatedAt":"2021-01-01T00:00:\#(10 + number % 50)Z","#
                + #""visibility":"\#(["public", "followers", "private"][number % 3])"}"#
        }
    }

    /// Without what an import gives out anew.
    private func withoutRevisions(_ lines: [String]) -> [String] {
        lines.map { line in
            // By far the quickest, for 18,000 lines at a time.
            line.withCString { text in
                guard let revision = strstr(text, "\"revision\":"), let rest = strstr(revision, "\"createdAt\":") else {
                    return line
                }
                return String(decoding: line.utf8.prefix(UnsafePointer(revision) - text), as: UTF8.self)
                    + String(cString: rest)
            }
        }.sorted()
    }

    /// Writes a file into the server's folder and returns its path.
    private func file(_ lines: [String], _ server: any TestRedis) throws -> String {
        let path = server.folder.path + "/\(UUID().uuidString.prefix(8)).jsonl"
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func export(_ server: any TestRedis, _ words: String...) async throws -> [String] {
        let outcome = try await server.todomate(["export"] + words)
        #expect(outcome.ending == .exit(0) && outcome.errors == "", "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "bring every field back exactly, into an empty Redis and again over the same todos",
        arguments: RedisKind.allCases
    )
    func roundTrip(_ kind: RedisKind) async throws {
        let given = ["alice", "bob", "carol.x@y-z"].flatMap { Self.lines(450, of: $0) }
        try await withRedis(on: kind) { server in
            let path = try file(given.shuffled(), server)
            let first = try await server.todomate("import", path)
            #expect(first.ending == .exit(0) && first.output == "" && first.errors.hasPrefix("1,350 added in "))
            #expect(withoutRevisions(try await export(server)) == withoutRevisions(given))
            #expect(withoutRevisions(try await export(server, "bob")) == withoutRevisions(Self.lines(450, of: "bob")))
            let log = try await server.log(of: "alice")
            let again = try await server.todomate("import", path)
            #expect(again.ending == .exit(0) && again.errors.hasPrefix("1,350 unchanged in "))
            #expect(try await server.log(of: "alice") == log, "nothing was written the second time")
            // No later write may get a revision that a todo has already.
            let next = try await server.call("todomate_add", "alice", #"{"content":"x","date":"2026-11-20"}"#)
            let version = try #require(next.firstMatch(of: /"id":"(\d+)-/).flatMap { Int($0.1) })
            #expect(version == 451)
            let health = try await server.todomate("doctor", "--json")
            #expect(health.output.contains("1351 todos of 3 users") || health.output.contains("1,351 todos of 3 users"))
        }
    }

    @Test("take a file, a pipe and '-', and give a file that is whole or not there")
    func places() async throws {
        try await withRedis { server in
            let given = Self.lines(5, of: "alice")
            let path = try file(given, server)
            let output = server.folder.path + "/out.jsonl"
            for (source, target) in [
                ("cat '\(path)' | todomate import", ""), ("todomate import - < '\(path)'", " -o '\(output)'"),
            ] {
                let script = "\(source) && todomate export\(target)".replacing(
                    "todomate ",
                    with: "'\(Program.builtPrograms.path)/todomate' "
                )
                let outcome = try await Program.run(
                    "sh",
                    ["-c", script],
                    environment: ["TODOMATE_REDIS": server.address]
                )
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                let text = target.isEmpty ? outcome.output : try String(contentsOfFile: output, encoding: .utf8)
                #expect(withoutRevisions(text.split(separator: "\n").map(String.init)) == withoutRevisions(given))
            }
            let mode = try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            for words in [["import", "/nowhere.jsonl"], ["export", "-o", "/nowhere/out"]] {
                let outcome = try await server.todomate(words)
                #expect(outcome.ending == .exit(74) && outcome.errors.contains("/nowhere"), "\(outcome)")
            }
            let nobody = try await server.todomate("export", "todos.jsonl")
            #expect(
                nobody.output == "" && nobody.errors.contains("todos.jsonl has no todos") && nobody.ending == .exit(0)
            )
            let files = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
            #expect(!files.contains { $0.hasSuffix(".part") })
        }
    }

    @Test("check every line before the first is written, and tell number and reason")
    func checks() async throws {
        try await withRedis { server in
            let good = Self.lines(2, of: "alice")
            let path = try file(
                [good[0], "garbage", "", #"{"id":"x","uid":"alice","date":"2026-02-30","content":"x"}"#, good[1]]
                    + [#"{"id":"y","uid":"alice","date":"2026-02-20","content":"x","contents":"typo"}"#],
                server
            )
            let report = "line 2: the line is not JSON\nline 4: date must be a real day "
            let unknown = "line 6: there is no field 'contents'\n"
            for (words, code, end) in [
                (["--dry-run"], 65, "2 lines are good, 3 refused\n"), ([], 65, "skip them with --keep-going\n"),
            ] as [([String], Int32, String)] {
                let outcome = try await server.todomate(["import", path] + words)
                #expect(outcome.ending == .exit(code) && outcome.output == "")
                #expect(outcome.errors.hasPrefix(report) && outcome.errors.hasSuffix(end), "\(outcome.errors)")
                #expect(outcome.errors.contains(unknown))
                #expect(try await server.cli("DBSIZE") == "0")
            }
            let going = try await server.todomate("import", path, "--keep-going")
            #expect(going.ending == .exit(65) && going.errors.contains("\n2 added, 3 refused in "), "\(going.errors)")
            #expect(withoutRevisions(try await export(server)) == withoutRevisions(good))
            let clean = try await server.todomate(
                "import",
                try file(good, server),
                "--dry-run",
                "--redis",
                "unix:///nowhere"
            )
            #expect(clean.ending == .exit(0), "a dry run needs no Redis")
        }
    }

    @Test("keep the times of todos, and that others have none")
    func times() async throws {
        try await withRedis { server in
            for (id, time) in [("t1", "9:30"), ("t2", "none")] {
                _ = try await server.todomate("add", "alice", "x", "--id", id, "--date", "2026-11-20", "--time", time)
            }
            let archive = try await server.todomate("export").output
            #expect(
                archive.components(separatedBy: #""time":"09:30""#).count == 2
                    && archive.components(separatedBy: "\"time\"").count == 2
            )
            let path = try file(archive.split(separator: "\n").map(String.init), server)
            _ = try await server.todomate("edit", "alice", "t1", "--time", "none")
            _ = try await server.todomate("edit", "alice", "t2", "--time", "8am")
            let replaced = try await server.todomate("import", path, "--replace")
            #expect(replaced.ending == .exit(0) && replaced.errors.hasPrefix("2 replaced"), "\(replaced.errors)")
            let list = try await server.todomate("list", "alice", "--date", "2026-11-20", "--plain").output
            #expect(list.split(separator: "\n").map { $0.suffix(8) } == ["09:30  x", "       x"])
        }
    }

    @Test("refuse another todo under the same id, unless the file is to win", arguments: RedisKind.allCases)
    func conflicts(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let lines = Self.lines(3, of: "alice")
            _ = try await server.todomate("import", try file(lines, server))
            let other = lines[1].replacing("할 일", with: "other")
            let path = try file([lines[0], other, lines[2].replacing("t3", with: "t4")], server)
            let refused = try await server.todomate("import", path)
            #expect(refused.ending == .exit(65))
            #expect(refused.errors.hasPrefix("line 2: another todo has the id t2 already\n"), "\(refused.errors)")
            #expect(refused.errors.contains("continue with --from 2"))
            let going = try await server.todomate("import", path, "-k")
            #expect(going.ending == .exit(65) && going.errors.contains("2 unchanged, 1 refused"), "\(going.errors)")
            let replaced = try await server.todomate("import", path, "--replace", "--from", "2")
            #expect(replaced.ending == .exit(0) && replaced.errors.hasPrefix("1 replaced, 1 unchanged in "))
            let stored = try await server.call("todomate_get", "alice", "t2")
            #expect(withoutRevisions([stored]) == withoutRevisions([other]))
            #expect(try await server.log(of: "alice").last?.contains(#""type":"modified""#) == true)
        }
    }

    @Test(
        "name the line to go on with when the lines of many users are mixed",
        arguments: RedisKind.inTurn([[48], [48, 2], [0, 11, 59], [30]])
    )
    func mixedUsers(conflicts: [Int], _ kind: RedisKind) async throws {
        // Twelve users are more than there are batches under way at a time.
        let users = (10...21).map { Self.lines(5, of: "user-\($0)") }
        let given = (0..<5).flatMap { row in users.map { $0[row] } }
        try await withRedis(on: kind) { server in
            let others = conflicts.map { given[$0].replacing("할 일", with: "other") }
            _ = try await server.todomate("import", try file(others, server))
            let path = try file(given, server)
            let refused = try await server.todomate("import", path)
            #expect(refused.ending == .exit(65))
            for line in refused.errors.matches(of: /line (\d+): another todo/) {
                #expect(conflicts.contains(try #require(Int(line.1)) - 1), "\(refused.errors)")
            }
            let place = try #require(
                refused.errors.firstMatch(of: /continue with --from (\d+)/)?.1,
                "\(refused.errors)"
            )
            let rest = try await server.todomate("import", path, "--replace", "--from", String(place))
            #expect(rest.ending == .exit(0), "\(rest.errors)")
            #expect(withoutRevisions(try await export(server)) == withoutRevisions(given))
        }
    }

    @Test(
        "leave accounts out unless they are asked for, and never overwrite a password by themselves",
        arguments: RedisKind.allCases
    )
    func profiles(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let key = "todomate:{alice}:profile"
            try await server.cli("HSET", key, "password", "$argon2id$one", "audience", "public")
            _ = try await server.todomate("import", try file(Self.lines(1, of: "alice"), server))
            #expect(try await export(server).count == 1)
            let lines = try await export(server, "--with-profiles")
            #expect(
                lines.first
                    == #"{"profile":{"uid":"alice","fields":{"audience":"public","goals":"[]","password":"$argon2id$one"}}}"#
            )
            try await server.cli("FLUSHALL")
            let path = try file(lines, server)
            let first = try await server.todomate("import", path)
            #expect(first.errors.hasPrefix("2 added in "), "\(first.errors)")
            #expect(try await server.cli("HGET", key, "password") == "$argon2id$one")
            try await server.cli("HSET", key, "password", "$argon2id$two")
            let refused = try await server.todomate("import", path)
            #expect(refused.ending == .exit(65) && refused.errors.contains("alice has another password already"))
            #expect(try await server.cli("HGET", key, "password") == "$argon2id$two")
            let replaced = try await server.todomate("import", path, "--replace")
            #expect(replaced.ending == .exit(0))
            #expect(try await server.cli("HGET", key, "password") == "$argon2id$one")
        }
    }

    @Test("leave out the password of an account that has none")
    func noPassword() async throws {
        try await withRedis { server in
            let key = "todomate:{alice}:profile"
            try await server.cli("HSET", key, "password", "$none$", "audience", "public")
            let lines = try await export(server, "--with-profiles")
            #expect(lines == [#"{"profile":{"uid":"alice","fields":{"audience":"public","goals":"[]"}}}"#])
            try await server.cli("HDEL", key, "audience")
            #expect(try await export(server, "--with-profiles").isEmpty)
            // Over an account that has none, as over one that has another.
            let line = #"{"profile":{"uid":"alice","fields":{"password":"$argon2id$one"}}}"#
            let own = try file([line], server)
            let refused = try await server.todomate("import", own)
            #expect(refused.ending == .exit(65) && refused.errors.contains("alice has another password already"))
            #expect(try await server.todomate("import", own, "--replace").ending == .exit(0))
            #expect(try await server.cli("HGET", key, "password") == "$argon2id$one")
        }
    }

    @Test(
        "bring settings, followings, requests, blocks and reactions back, on both sides, and again without a change",
        arguments: RedisKind.allCases
    )
    func accounts(_ kind: RedisKind) async throws {
        var lines: [String] = []
        try await withRedis(on: kind) { server in
            for line in [
                "add alice milk --id t1",
                "profile bob --audience private --visibility public --name Bob --face 🐻 --language ko",
                "follow alice carol",
                "accept carol alice", "follow carol alice", "follow dave alice", "accept alice dave",
                "block alice erin", "react dave alice t1 🎉", "profile alice --audience private",
            ] {
                let outcome = try await server.todomate(line.split(separator: " ").map(String.init))
                try #require(outcome.ending == .exit(0), "\(line): \(outcome.errors)")
            }
            lines = try await export(server, "--with-profiles")
            #expect(lines.count == 11, "\(lines)")
            #expect(lines.contains { $0.contains(#""face":"🐻""#) && $0.contains(#""name":"Bob""#) }, "\(lines)")
        }
        try await withRedis(on: kind) { server in
            // Todos before reactions; the others in any order.
            let (reactions, others) = (lines.filter { $0.contains("emoji") }, lines.filter { !$0.contains("emoji") })
            let path = try file(others.shuffled() + reactions, server)
            for expected in ["11 added in ", "11 unchanged in "] {
                let outcome = try await server.todomate("import", path)
                #expect(outcome.ending == .exit(0) && outcome.errors.hasPrefix(expected), "\(outcome.errors)")
                #expect(withoutRevisions(try await export(server, "--with-profiles")) == withoutRevisions(lines))
            }
            let health = try await server.todomate("doctor", "--json")
            #expect(health.output.contains("3 followings: both sides agree"), "\(health.output)")
            // One side alone asks again, and nobody sees more for that.
            try await server.cli("FLUSHALL")
            let alone = try file(lines.filter { $0.contains(#"{"uid":"alice","with":"carol""#) }, server)
            _ = try await server.todomate("import", alone)
            let following = try await server.todomate("following", "alice").output
            #expect(following.hasPrefix("carol") && following.hasSuffix(" requested\n"), "\(following)")
        }
    }

    @Test(
        "refuse what is no entry of a list",
        arguments: [
            #"{"uid":"alice","with":"alice","list":"followers","at":1}"#,
            #"{"uid":"alice","with":"bob","list":"friends","at":1}"#,
            #"{"uid":"alice","with":"bob","list":"followers"}"#,
            #"{"uid":"alice","with":"b b","list":"followers","at":1}"#,
            #"{"uid":"alice","with":"bob","list":"following","at":1,"state":"none","position":1}"#,
            #"{"uid":"alice","with":"bob","list":"following","at":1,"state":"following"}"#,
            #"{"uid":"alice","with":"bob","list":"reactions","todo":"t1","emoji":"x"}"#,
            #"{"uid":"alice","with":"bob","list":"blocked","at":0.5}"#,
            #"{"uid":"alice","with":"bob","list":"blocked","at":1,"state":"following"}"#,
        ]
    )
    func refusedLinks(_ link: String) async throws {
        try await withRedis { server in
            let outcome = try await server.todomate("import", try file([#"{"link":\#(link)}"#], server))
            #expect(outcome.ending == .exit(65) && outcome.errors.hasPrefix("line 1: "), "\(outcome.errors)")
            #expect(try await server.cli("DBSIZE") == "0")
            _ = try await server.todomate("list", "alice")
            let answer = try await server.call("todomate_restore", "alice", "add", link)
            #expect(answer.hasPrefix("TODOMATE_"), "\(answer)")
            #expect(try await server.cli("DBSIZE") == "0")
        }
    }

    @Test("take one user's lines out of a file of all", arguments: RedisKind.allCases)
    func oneUser(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let path = try file(Self.lines(3, of: "alice") + Self.lines(4, of: "bob"), server)
            let outcome = try await server.todomate("import", path, "--user", "bob")
            #expect(outcome.ending == .exit(0) && outcome.errors.hasPrefix("4 added in "))
            #expect(withoutRevisions(try await export(server)) == withoutRevisions(Self.lines(4, of: "bob")))
            for words in [[], ["--dry-run"]] {
                let nobody = try await server.todomate(["import", path, "--user", "bop"] + words)
                #expect(nobody.ending == .exit(65) && nobody.errors.contains("no line is of bop"), "\(nobody)")
            }
        }
    }

    @Test("say so when the file has not so many lines, or is compressed", arguments: ["7", "8"])
    func nothingThere(from: String) async throws {
        try await withRedis { server in
            let path = try file(Self.lines(6, of: "alice"), server)
            let outcome = try await server.todomate("import", path, "--from", from)
            // Right after the last line is where an import goes on that was interrupted at its end.
            #expect(outcome.ending == .exit(from == "7" ? 0 : 65))
            #expect(
                outcome.errors.contains(from == "7" ? "nothing to import" : "there is no line 8: the last one is 6")
            )
            _ = try await Program.run("gzip", [path])
            let compressed = try await server.todomate("import", path + ".gz")
            #expect(compressed.ending == .exit(65) && compressed.errors.contains("is compressed: use 'zcat FILE |"))
            #expect(try await server.cli("DBSIZE") == "0")
        }
    }

    @Test("go on where they stopped when Redis went away", arguments: RedisKind.allCases)
    func interruption(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let given = Self.lines(9000, of: "alice") + Self.lines(2500, of: "bob")
            let path = try file(given, server)
            _ = try await server.todomate("list", "alice")  // loads the functions
            let program = try RunningProgram(
                "todomate",
                ["import", path, "--timeout", "2s"],
                environment: ["TODOMATE_REDIS": server.address]
            )
            try await eventually("some are there") {
                try await Int(server.cli("HLEN", "todomate:{alice}:todos")) ?? 0 > 200
            }
            try await server.crash("alice")
            let ending = await program.waitUntilEnded()
            #expect(ending == .exit(69))
            let line = try #require(program.errors.firstMatch(of: /continue with --from (\d+)/).flatMap { Int($0.1) })
            try await server.restart("alice", isEmpty: false)
            let count = try await server.cli("HLEN", "todomate:{alice}:todos")
            #expect(Int(count) ?? 0 >= min(line - 1, 9000), "what is said to be done is done")
            let rest = try await server.todomate("import", path, "--from", "\(line)")
            #expect(rest.ending == .exit(0), "\(rest.errors)")
            #expect(withoutRevisions(try await export(server)) == withoutRevisions(given))
            let health = try await server.todomate("doctor", "--json")
            #expect(health.output.contains("todos, index and log agree"), "\(health.output)")
        }
    }

    @Test("say where to go on when they are interrupted, and keep no half of an export")
    func signals() async throws {
        try await withRedis { server in
            let path = try file(Self.lines(9000, of: "alice"), server)
            _ = try await server.todomate("list", "alice")
            try await server.cli("CLIENT", "PAUSE", "60000", "WRITE")
            let program = try RunningProgram(
                "todomate",
                ["import", path],
                environment: ["TODOMATE_REDIS": server.address]
            )
            try await eventually("it waits for Redis") {
                try await server.cli("INFO", "clients").contains("blocked_clients:1")
            }
            await program.signal(SIGTERM)
            try await server.cli("CLIENT", "UNPAUSE")
            let ending = await program.waitUntilEnded()
            #expect(ending == .exit(130) && program.errors.contains("continue with --from "), "\(program.errors)")
        }
    }

    @Test("show what comes in on boards that are open", arguments: RedisKind.allCases)
    func live(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                let before = try await server.call("todomate_add", "alice", #"{"content":"x","date":"2026-11-20"}"#)
                #expect(before.hasPrefix("{"))
                try await eventually("it follows") { worker.versions == [1] }
                _ = try await server.todomate("import", try file(Self.lines(20, of: "alice"), server))
                try await eventually("every one came") { worker.versions == Array(1...21) }
            }
        }
    }

    @Test("leave out what somebody has broken by hand, and say so", arguments: RedisKind.allCases)
    func broken(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            _ = try await server.todomate("import", try file(Self.lines(2, of: "alice"), server))
            try await server.cli("HSET", "todomate:{alice}:todos", "bad", "garbage\nof two lines")
            let outcome = try await server.todomate("export")
            #expect(outcome.ending == .exit(65) && outcome.output.split(separator: "\n").count == 2)
            #expect(
                outcome.errors
                    == "todomate export: alice has a todo that cannot be read, left out: garbage of two lines\n"
            )
            try await server.cli("SET", "todomate:{bob}:todos", "of another type")
            let stopped = try await server.todomate("export")
            #expect(stopped.ending == .exit(70) && stopped.errors.contains("'todomate doctor' says"))
        }
    }
}
