import EventLoop
import Foundation
import TestServers
import Testing

/// What a command makes of its words is the same whatever Redis there is.
@Suite("A command that cannot do its work")
@LoopActor
struct CommandRefusalTests {
    /// A command line, its exit code, and part of the one line that says what to mend.
    struct Refusal: CustomTestStringConvertible {
        var words: [String]
        var code: Int32
        var reason: String
        var testDescription: String { words.map { $0.count > 40 ? "…" : $0 }.joined(separator: " ") }

        init(_ words: [String], _ code: Int32, _ reason: String) {
            self.words = words
            self.code = code
            self.reason = reason
        }
    }

    private nonisolated static func characters(_ count: Int) -> String { String(repeating: "x", count: count) }

    private nonisolated static let usage = [
        Refusal(["ad", "alice", "x"], 64, "did you mean 'add'"), Refusal(["--bogus"], 64, "--bogus"),
        Refusal(["add"], 64, "missing <user>"), Refusal(["add", "alice"], 64, "missing <content>"),
        Refusal(["add", "alice", "x", "y"], 64, "unexpected argument 'y'"),
        Refusal(["add", "alice", "x", "--bogus"], 64, "unknown option '--bogus'"),
        Refusal(["add", "alice", "x", "--dat", "today"], 64, "did you mean '--date'"),
        Refusal(["add", "alice", "x", "--date"], 64, "'--date' needs a <day>"),
        Refusal(
            ["add", "alice", "x", "--time", "25:00"],
            65,
            "'25:00' is no time of day: write 9:30, 21:15 or 9am, or none"
        ),
        Refusal(["edit", "alice", "t1", "--time", "soon"], 65, "'soon' is no time of day"),
        Refusal(["edit", "alice", "t1", "--time", ""], 64, "--time"),
        Refusal(["add", "alice", "x", "--id", "a", "--id", "b"], 64, "given twice"),
        Refusal(["add", "alice", "x", "--json=yes"], 64, "takes no value"),
        Refusal(["add", "alice", "x", "--status", "burnt"], 64, "one of todo, inProgress, complete, incomplete"),
        Refusal(["add", "alice", "-x"], 64, "unknown option '-x'"),
        Refusal(["add", "alice", "x", "--timeout", "0"], 64, "a time such as"),
        Refusal(["add", "alice", "x", "--redis", "127.0.0.1:6379"], 64, "write it as redis://"),
        Refusal(["add", "alice", "x", "--redis", "http://127.0.0.1"], 64, "scheme"),
        Refusal(["add", "alice", "x", "--redis", "unix://relative.sock"], 64, "three slashes"),
        Refusal(["add", "alice", "x", "--redis", "redis://127.0.0.1:99999"], 64, "port"),
        Refusal(["add", "alice", "x", "--redis", "redis://127.0.0.1/one"], 64, "database"),
        Refusal(["list", "alice", "--all", "--date", "2026-11-20"], 64, "give one of"),
        Refusal(["edit", "alice", "t1"], 64, "give one of"), Refusal(["move", "alice", "t1"], 64, "give one of"),
        Refusal(["move", "alice", "t1", "--date", "today", "--after", "t2"], 64, "give one of"),
        Refusal(["done", "alice", "t1", "--expect", "one"], 64, "a revision and its micros"),
        Refusal(["done", "alice", "t1", "--expect", "-1"], 64, "a revision and its micros"),
        Refusal(["export", "--output", "todos.jsonl.gz"], 64, "todomate export | gzip >"),
        Refusal(["watch"], 64, "missing <user>"), Refusal(["up", "--workers", "0"], 64, "1 to 64"),
        Refusal(["worker", "--observe", "alice,,bob"], 64, "single commas"),
        Refusal(["worker", "--allow-origin", "https://x.example/"], 64, "without a slash"),
        Refusal(["worker", "--public-url", "todo.example"], 64, "without a path"),
        Refusal(["worker", "--public-url", "https://todo.example/board"], 64, "without a path"),
        Refusal(["worker", "--listen", "127.0.0.1:0", "--providers-file", "/nowhere.json"], 78, "cannot be opened"),
        Refusal(["worker", "--listen", "127.0.0.1:0", "--providers-file", "/etc/hostname"], 78, "it is not JSON"),
        Refusal(["worker", "--trusted-proxies", "caddy"], 64, "networks such as 10.0.0.0/8"),
        Refusal(["worker", "--trusted-proxies", "10.0.0.1/8"], 64, "no bits set behind the length"),
        Refusal(["worker", "--trusted-proxies", "0.0.0.0/0"], 64, "networks such as"),
        Refusal(["worker", "--trusted-proxies", "10.0.0.0/8,,::1"], 64, "single commas"),
    ]

    private nonisolated static let data = [
        Refusal(["add", "alice", ""], 65, "1 to 500"), Refusal(["add", "alice", characters(501)], 65, "1 to 500"),
        Refusal(["add", "alice", "a\nb\u{7}"], 65, "line 2: content must be one line"),
        Refusal(["add", "alice", "a\u{1B}[2Jb"], 65, "one line"),
        Refusal(["add", "alice", "a\u{85}b"], 65, "one line"), Refusal(["add", "alice", "a\u{2028}b"], 65, "one line"),
        Refusal(["add", "alice", "\u{7F}"], 65, "one line"), Refusal(["add", "alice", "  "], 65, "only spaces"),
        Refusal(["add", "alice", "\u{3000}"], 65, "only spaces"),
        Refusal(["add", "alice", "x", "--detail", characters(10_001)], 65, "at most 10000"),
        Refusal(["add", "alice", "x", "--detail", "\u{7}"], 65, "control characters"),
        Refusal(["add", "alice", "x", "--date", "2026-02-29"], 65, "is no day"),
        Refusal(["add", "alice", "x", "--date", "1899-12-31"], 65, "is no day"),
        Refusal(["add", "alice", "x", "--date", "3000-01-01"], 65, "is no day"),
        Refusal(["add", "alice", "x", "--date", "20.11.2026"], 65, "is no day"),
        Refusal(["add", "alice", "x", "--id", "a/b"], 65, "id must be"),
        Refusal(["add", "alice", "x", "--id", characters(65)], 65, "id must be"),
        Refusal(["add", "a{b}", "x"], 65, "uid must be"), Refusal(["add", "앨리스", "x"], 65, "uid must be"),
        Refusal(["add", characters(65), "x"], 65, "uid must be"), Refusal(["list", "a b"], 65, "uid must be"),
        Refusal(["list", "alice", "--month", "2026-13"], 65, "is no month"),
        Refusal(["edit", "alice", "t1", "--content", ""], 65, "1 to 500"),
        Refusal(["edit", "alice", "a b", "--content", "x"], 65, "no todo of alice has the id or the words 'a b'"),
        Refusal(["edit", "alice", "t9", "--content", "x"], 65, "no todo of alice has the id or the words 't9'"),
        Refusal(["done", "alice", "t9"], 65, "no todo"), Refusal(["remove", "alice", "t9"], 65, "no todo"),
        Refusal(["move", "alice", "t9", "--date", "today"], 65, "no todo"),
        Refusal(["move", "alice", "t1", "--before", "t9"], 65, "no todo"),
        Refusal(["move", "alice", "t1", "--before", "t1"], 65, "beside itself"),
        Refusal(["done", "bob", "t1"], 65, "no todo"), Refusal(["worker", "--observe", "a b"], 65, "uid must be"),
    ]

    private nonisolated static let configuration = [
        Refusal(["worker", "--listen", "0.0.0.0:0"], 78, "without a secret"),
        Refusal(["worker", "--listen", "[::]:0"], 78, "without a secret"),
        Refusal(["worker", "--listen", "1", "--secret", "short"], 78, "at least 32"),
        Refusal(
            ["worker", "--listen", "1", "--secret-file", "/nowhere"],
            78,
            "/nowhere is of no use: it cannot be opened"
        ),
        Refusal(["worker", "--listen", "1", "--secret-file", "/tmp"], 78, "it cannot be read: name a file"),
        Refusal(["worker", "--listen", "1", "--secret-file", "/dev/null"], 78, "it is empty"),
        Refusal(["worker", "--listen", "1", "--secret-file", "/dev/zero"], 78, "more than 4096 bytes"),
        Refusal(["worker", "--listen", "1", "--secret", "x", "--secret-file", "/dev/null"], 78, "given twice"),
        Refusal(["token", "alice"], 78, "TODOMATE_SECRET_FILE"),
        Refusal(["list", "alice", "--redis", "redis://ann@127.0.0.1"], 78, "has no password"),
        Refusal(["list", "alice", "--redis-password-file", "/nowhere"], 78, "cannot be opened"),
        Refusal(
            ["list", "alice", "--redis-password-file", "/dev/null", "--redis", "redis://:x@127.0.0.1"],
            78,
            "twice"
        ),
        Refusal(
            ["list", "alice", "--redis-sentinel-password-file", "/dev/null", "--redis", "redis://127.0.0.1"],
            78,
            "names no sentinels"
        ),
        Refusal(
            [
                "list", "alice", "--redis-sentinel-password-file", "/dev/null", "--redis",
                "redis+sentinel://h/m?sentinel-password=x",
            ],
            78,
            "for the sentinels is given twice"
        ),
        Refusal(
            ["list", "alice", "--redis", "redis+sentinel://h/m?sentinel-user=x"],
            78,
            "--redis-sentinel-password-file"
        ),
    ]

    @Test(
        "says so in one line, with the exit code for it, and writes nothing",
        arguments: [usage, data, configuration]
    )
    func refuses(_ refusals: [Refusal]) async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "there already", "--id", "t1")
            for refusal in refusals {
                let outcome = try await server.todomate(refusal.words)
                #expect(outcome.ending == .exit(refusal.code), "\(refusal.words)")
                #expect(outcome.output == "", "\(refusal.words)")
                #expect(outcome.errors.contains(refusal.reason), "\(outcome.errors)")
                #expect(outcome.errors.hasPrefix("todomate") && outcome.errors.hasSuffix("\n"))
                #expect(
                    outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2,
                    "one line: \(refusal.words)"
                )
                #expect(!outcome.errors.contains("\u{1B}"), "\(refusal.words)")
                #expect(try await server.cli("XLEN", "todomate:{alice}:log") == "1", "\(refusal.words)")
                #expect(try await server.cli("DBSIZE") == "4", "\(refusal.words)")
            }
        }
    }

    @Test("says that Redis cannot be reached, soon after the timeout", arguments: Absence.allCases)
    func unreachable(_ absence: Absence) async throws {
        try await withRedis { server in
            let port = try await server.openPort()
            let pid = try #require(
                try await server.cli("INFO", "server").firstMatch(of: /process_id:(\d+)/).flatMap { Int32($0.1) }
            )
            if absence == .silent { kill(pid, SIGSTOP) }
            defer { kill(pid, SIGCONT) }
            let url =
                switch absence {
                case .noSocket: "unix://\(server.folder.path)/nowhere.sock"
                case .noListener: "redis://127.0.0.1:\(try freePort())"
                case .unknownName: "redis://nowhere.invalid:6379"
                case .silent: "redis://127.0.0.1:\(port)"
                }
            for words in [["add", "alice", "x"], ["list", "alice"], ["done", "alice", "t1"]] {
                let began = ContinuousClock.now
                let outcome = try await Program.run(
                    "todomate",
                    words + ["--redis", url, "--timeout", "300ms"],
                    environment: Self.patient
                )
                #expect(ContinuousClock.now - began < .seconds(15))
                #expect(outcome.ending == .exit(69) && outcome.output == "")
                #expect(outcome.errors.contains("could not be reached within 0.3 s"), "\(outcome.errors)")
                #expect(outcome.errors.split(separator: "\n").count == 1)
            }
        }
    }

    /// What waits longer than a busy machine takes to start a program, should the option count for nothing.
    private static let patient = ["TODOMATE_TIMEOUT": "60s"]

    enum Absence: CaseIterable { case noSocket, noListener, unknownName, silent }

    @Test("is let in with the right password alone, and says at once what is wrong")
    func passwords() async throws {
        try await withRedis("--requirepass", "p@ss word", "--user", "ann", "on", ">secret", "~*", "&*", "+@all") {
            server in
            let port = try await Self.openPort(server)
            func add(_ url: String) async throws -> Program.Outcome {
                try await Program.run("todomate", ["add", "alice", "x", "--redis", url, "--timeout", "60s"])
            }
            for (login, reason) in [
                ("", "it wants a password"), (":wrong@", "the user or password is wrong"),
                ("ann:wrong@", "the user or password is wrong"), ("bob:secret@", "the user or password is wrong"),
            ] {
                let outcome = try await add("redis://\(login)127.0.0.1:\(port)")
                #expect(outcome.ending == .exit(69))
                #expect(outcome.errors.contains(reason) && outcome.errors.split(separator: "\n").count == 1)
                #expect(!outcome.errors.contains("wrong@") && !outcome.errors.contains("secret"))
            }
            for url in [
                "redis://:p%40ss%20word@127.0.0.1:\(port)", "redis://ann:secret@127.0.0.1:\(port)/3",
                "redis://default:p%40ss%20word@localhost:\(port)/0", "\(server.address)?db=3&user=ann&password=secret",
                "\(server.address)?password=p%40ss%20word",
            ] {
                let outcome = try await add(url)
                #expect(outcome.ending == .exit(0), "\(url): \(outcome.errors)")
            }
            for (database, count) in [("0", "3"), ("3", "2")] {
                let log = try await server.cli(
                    "--user",
                    "ann",
                    "--pass",
                    "secret",
                    "-n",
                    database,
                    "XLEN",
                    "todomate:{alice}:log"
                )
                #expect(log == count)
            }
        }
    }

    private static func openPort(_ server: RedisServer) async throws -> Int {
        let port = try freePort()
        let answer = try await server.cli("--user", "ann", "--pass", "secret", "CONFIG", "SET", "port", String(port))
        #expect(answer == "OK")
        return port
    }

    @Test("never talks in the clear where TLS is asked for")
    func tls() async throws {
        try await withRedis { server in
            let port = try await server.openPort()
            let began = ContinuousClock.now
            let url = "rediss://127.0.0.1:\(port)"
            let outcome = try await Program.run(
                "todomate",
                ["add", "alice", "x", "--redis", url, "--timeout", "1s"],
                environment: Self.patient
            )
            #expect(ContinuousClock.now - began < .seconds(15))
            #expect(outcome.ending == .exit(69) || outcome.ending == .exit(64))
            #expect(
                outcome.errors.contains("TLS") && outcome.errors.split(separator: "\n").count == 1,
                "\(outcome.errors)"
            )
            #expect(try await server.cli("DBSIZE") == "0")
        }
    }
}
