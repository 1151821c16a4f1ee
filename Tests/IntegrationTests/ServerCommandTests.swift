import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("Commands at a server")
@LoopActor
struct ServerCommandTests {
    /// A machine from which Redis cannot be reached.
    private struct Laptop {
        let server: String
        let home: URL
        var environment: [String: String] = [:]

        /// Runs `todomate` there; `lines` come on its standard input.
        func run(_ words: String..., lines: String? = nil) async throws -> Program.Outcome {
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            let piped = lines.map { "printf '%s\\n' '\($0)' | " } ?? ""
            // Nothing that the tests themselves were started with counts.
            var environment = ["HOME": home.path, "XDG_CONFIG_HOME": "", "TODOMATE_REDIS": "", "TODOMATE_DATA": ""]
            environment.merge(self.environment) { $1 }
            let script = "cd '\(home.path)' && \(piped)\(Program.builtPrograms.path)/todomate \(line)"
            return try await Program.run("sh", ["-c", script], environment: environment)
        }

        var loginFile: URL { home.appending(path: ".config/todomate/login.json") }
    }

    private func withLaptop(_ body: @LoopActor (Laptop, GatewayProcess, RedisServer) async throws -> Void) async throws
    {
        try await withGateway { redis, gateway in
            try await TestSession.$folder.withValue(redis.folder.path) {
                for uid in ["alice", "bob"] {
                    let made = try await Program.run(
                        "sh",
                        [
                            "-c",
                            "echo '\(GatewayProcess.password)' | \(Program.builtPrograms.path)/todomate user add \(uid)",
                        ],
                        environment: ["TODOMATE_REDIS": redis.address]
                    )
                    #expect(made.ending == .exit(0), "\(made.errors)")
                }
                let laptop = Laptop(server: "http://127.0.0.1:\(gateway.port)", home: redis.folder)
                try await body(laptop, gateway, redis)
            }
        }
    }

    private func logIn(_ laptop: Laptop, _ uid: String = "alice") async throws {
        let outcome = try await laptop.run("login", laptop.server, "--user", uid, lines: GatewayProcess.password)
        #expect(outcome.ending == .exit(0), "\(outcome.errors)")
    }

    @Test("sign in once, work as beside Redis, and sign out for good")
    func session() async throws {
        try await withLaptop { laptop, _, redis in
            try await logIn(laptop)
            #expect(try await laptop.run("whoami").output == "alice at \(laptop.server)\n")
            let facts = try FileManager.default.attributesOfItem(atPath: laptop.loginFile.path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
            let kept = try String(contentsOf: laptop.loginFile, encoding: .utf8)
            #expect(!kept.contains(GatewayProcess.password))

            _ = try await laptop.run("add", "alice", "Buy milk", "--id", "milk")
            _ = try await laptop.run("done", "alice", "milk")
            #expect(try await redis.todomate("list", "alice", "--all").output.contains(#""status":"complete""#))
            for words in [
                ["edit", "alice", "milk", "--content", "Buy bread"], ["move", "alice", "milk", "--date", "tomorrow"],
                ["goal", "set", "alice", "Work"], ["routine", "add", "alice", "Stretch every day"],
                ["history", "alice", "milk"], ["profile", "alice", "--name", "Alice"], ["follow", "alice", "bob"],
                ["badges", "alice"], ["feed", "alice"], ["limits", "alice"], ["search", "alice", "bread"],
                ["remove", "alice", "milk"], ["recover", "alice", "milk"],
            ] {
                let line = words.map { "'\($0)'" }.joined(separator: " ")
                let outcome = try await Program.run(
                    "sh",
                    ["-c", "\(Program.builtPrograms.path)/todomate \(line)"],
                    environment: [
                        "HOME": laptop.home.path, "XDG_CONFIG_HOME": "", "TODOMATE_REDIS": "", "TODOMATE_DATA": "",
                    ]
                )
                #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
            }
            // The same words say the same there and beside Redis.
            for words in [["list", "alice", "--all"], ["history", "alice", "milk"], ["goal", "list", "alice"]] {
                let there = try await laptop.run(words[0], words[1], words.count > 2 ? words[2] : "--json")
                let beside = try await redis.todomate(words[0], words[1], words.count > 2 ? words[2] : "--json")
                #expect(there.output == beside.output && !there.output.isEmpty)
            }

            #expect(try await laptop.run("logout").ending == .exit(0))
            #expect(!FileManager.default.fileExists(atPath: laptop.loginFile.path))
            #expect(try await redis.todomate("session", "list", "alice").output == "")
            let after = try await laptop.run("add", "alice", "x", "--server", laptop.server)
            #expect(after.ending == .exit(78) && after.errors.contains("nobody is signed in"), "\(after.errors)")
        }
    }

    @Test("see and change of others what anybody may at the server")
    func others() async throws {
        try await withLaptop { laptop, _, redis in
            _ = try await redis.todomate("add", "bob", "Shown", "--visibility", "public")
            _ = try await redis.todomate("add", "bob", "Hidden", "--visibility", "private")
            _ = try await redis.todomate("profile", "bob", "--audience", "public")
            try await logIn(laptop)
            let list = try await laptop.run("list", "bob")
            #expect(list.output.contains("Shown") && !list.output.contains("Hidden"), "\(list.errors)")
            for words in [["add", "bob", "x"], ["goal", "list", "bob"], ["history", "bob"]] {
                let outcome = try await laptop.run(words[0], words[1], words.count > 2 ? words[2] : "--json")
                #expect(outcome.ending != .exit(0) && outcome.output == "", "\(words): \(outcome.output)")
            }
        }
    }

    @Test("show every change live, also those made elsewhere")
    func watch() async throws {
        try await withLaptop { laptop, _, redis in
            try await logIn(laptop)
            let watching = try RunningProgram(
                "todomate",
                ["watch", "alice"],
                environment: [
                    "HOME": laptop.home.path, "XDG_CONFIG_HOME": "", "TODOMATE_REDIS": "", "TODOMATE_DATA": "",
                ]
            )
            try await eventually("it is connected", within: .seconds(30)) {
                watching.errors.contains("connected to the server")
            }
            for number in 1...5 { _ = try await redis.todomate("add", "alice", "number \(number)") }
            try await eventually("it shows all", within: .seconds(30)) { watching.output.contains("number 5") }
            let shown = watching.output.split(separator: "\n").filter { $0.contains("number") }
            #expect(shown.count == 5, "\(watching.output)")
            await watching.stop()
        }
    }

    @Test("are refused a login that is wrong, exposed or not only one's own, and keep nothing then")
    func refusals() async throws {
        try await withLaptop { laptop, _, _ in
            let server = laptop.server
            for (words, line, code, reason) in [
                (["login", server, "--user", "alice"], "wrong wrong wrong", 65, "the user or the password is wrong"),
                (["login", "http://todo.example.org", "--user", "alice"], "x", 64, "write https://"),
                (["login", "ftp://todo.example.org", "--user", "alice"], "x", 64, "an address such as"),
                (["login", server, "--token"], "no-token", 65, "does not take this token"),
                (["login", server, "--user", "a b"], "x", 65, "uid must be"),
                (["login", "http://127.0.0.1:1", "--user", "alice"], "x", 69, "did not answer"),
            ] as [([String], String, Int32, String)] {
                let options = words + ["--days", "1"]
                let text = options.map { "'\($0)'" }.joined(separator: " ")
                let outcome = try await Program.run(
                    "sh",
                    ["-c", "echo '\(line)' | \(Program.builtPrograms.path)/todomate \(text)"],
                    environment: ["HOME": laptop.home.path, "XDG_CONFIG_HOME": ""]
                )
                #expect(outcome.ending == .exit(code) && outcome.errors.contains(reason), "\(words): \(outcome.errors)")
                #expect(!FileManager.default.fileExists(atPath: laptop.loginFile.path))
            }
            try await logIn(laptop)
            for mode in [0o644, 0o660, 0o604] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: laptop.loginFile.path)
                let outcome = try await laptop.run("whoami")
                #expect(outcome.ending == .exit(78) && outcome.errors.contains("not only yours"), "\(outcome.errors)")
            }
        }
    }

    @Test("work where they are told to: by flag, then environment, then login; two at once are refused")
    func places() async throws {
        try await withLaptop { laptop, _, redis in
            try await logIn(laptop)
            let (atServer, besideRedis) = ("alice at \(laptop.server)\n", "beside Redis")
            var both = laptop
            both.environment = ["TODOMATE_REDIS": redis.address, "TODOMATE_SERVER": laptop.server]
            var redisOnly = laptop
            redisOnly.environment = ["TODOMATE_REDIS": redis.address]
            for (place, words, expected) in [
                (laptop, [], atServer), (laptop, ["--server", laptop.server], atServer),
                (laptop, ["--redis", redis.address], besideRedis), (redisOnly, [], besideRedis),
                (redisOnly, ["--server", laptop.server], atServer), (both, ["--server", laptop.server], nil),
                (both, [], nil), (laptop, ["--server", laptop.server, "--redis", redis.address], nil),
            ] as [(Laptop, [String], String?)] {
                let outcome =
                    switch words.count {
                    case 0: try await place.run("whoami")
                    case 2: try await place.run("whoami", words[0], words[1])
                    default: try await place.run("whoami", words[0], words[1], words[2], words[3])
                    }
                if let expected {
                    #expect(outcome.output.hasPrefix(expected), "\(words): \(outcome.output)\(outcome.errors)")
                } else {
                    #expect(outcome.ending != .exit(0) && outcome.output == "", "\(words): \(outcome.output)")
                }
            }
        }
    }
}
