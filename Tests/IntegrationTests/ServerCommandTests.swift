import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("Commands at a server")
@LoopActor
struct ServerCommandTests {
    @Test("sign in once, work as beside Redis, and sign out for good")
    func session() async throws {
        try await withLaptop { laptop, _, redis in
            try await laptop.logIn()
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

    @Test("end no token that was there before, at logout or at another login")
    func givenToken() async throws {
        try await withLaptop { laptop, _, redis in
            try await laptop.logIn()
            let kept = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: laptop.loginFile))
            let token = try #require(kept["token"])
            try FileManager.default.removeItem(at: laptop.loginFile)
            func logIn() async throws -> Program.Outcome {
                try await Program.run(
                    "sh",
                    ["-c", "echo '\(token)' | \(Program.builtPrograms.path)/todomate login \(laptop.server) --token"],
                    environment: ["HOME": laptop.home.path, "XDG_CONFIG_HOME": ""]
                )
            }
            #expect(try await logIn().output.hasSuffix("'todomate logout' forgets it.\n"))
            let out = try await laptop.run("logout")
            #expect(out.output.contains("still good elsewhere"), "\(out.errors)")
            #expect(!FileManager.default.fileExists(atPath: laptop.loginFile.path))
            // Neither does a login by password in its place.
            #expect(try await logIn().ending == .exit(0), "it is still good")
            try await laptop.logIn()
            #expect(try await laptop.run("logout").output == "alice is signed out of \(laptop.server).\n")
            #expect(try await logIn().ending == .exit(0), "it is still good")
            #expect(try await redis.todomate("session", "list", "alice").output.split(separator: "\n").count == 1)
        }
    }

    @Test("are about who has signed in where nobody is named, at that server alone")
    func ownName() async throws {
        try await withLaptop { laptop, _, redis in
            try await laptop.logIn()
            for words in [
                ["add", "Buy milk"], ["follow", "bob"], ["badges"], ["feed"], ["following"], ["done", "milk"],
            ] {
                let outcome = try await laptop.run(words)
                #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
            }
            let list = try await laptop.run("list", "--json")
            #expect(list.output.contains(#""uid":"alice""#) && list.output.contains("Buy milk"), "\(list.errors)")
            // Named by the line, the environment, or not at all.
            #expect(try await laptop.run("list", "bob").output == "")
            var bob = laptop
            bob.environment = ["TODOMATE_USER": "bob"]
            #expect(try await bob.run("list").output == "")
            let token = laptop.home.appending(path: "token").path
            try "a-token".write(toFile: token, atomically: true, encoding: .utf8)
            for words in [
                ["--redis", redis.address], ["--server", "http://127.0.0.1:1"], ["--server=http://127.0.0.1:1"],
                ["--token-file", token],
            ] {
                let outcome = try await laptop.run(["list"] + words)
                #expect(
                    outcome.ending == .exit(64) && outcome.errors.contains("missing <user>"),
                    "\(words): \(outcome.errors)"
                )
            }
            #expect(try await laptop.run("list", "--server", laptop.server).output == list.output)
            #expect(try await laptop.run("logout").ending == .exit(0))
            #expect(try await laptop.run("list").errors.contains("missing <user>"))
        }
    }

    /// What works beside Redis only.
    private static let besideRedis = [
        ["doctor"], ["worker"], ["token", "alice"], ["announce", "hello"], ["session", "list", "alice"],
        ["session", "end", "alice", "abcd"], ["invite", "alice"], ["invite", "list", "alice"], ["library", "show"],
        ["library", "load"], ["user", "list"], ["user", "events", "alice"],
        ["user", "reset", "alice"], ["user", "suspend", "alice", "--reason", "x"], ["user", "resume", "alice"],
        ["user", "limit", "alice"], ["user", "role", "alice", "operator"], ["user", "leave", "alice"],
        ["user", "stay", "alice"],
        ["user", "factor", "alice"], ["user", "mail", "alice"], ["user", "remove", "alice"],
    ]

    @Test("say so where they work beside Redis only, and touch none that nobody named")
    func operators() async throws {
        try await withLaptop { laptop, _, redis in
            try await laptop.logIn()
            var named = laptop
            named.environment = ["TODOMATE_SERVER": "http://127.0.0.1:1"]
            for words in Self.besideRedis {
                for (place, server) in [(laptop, laptop.server), (named, "http://127.0.0.1:1")] {
                    let outcome = try await place.run(words)
                    let says = "this works beside Redis only, not at \(server)"
                    #expect(outcome.ending == .exit(78) && outcome.errors.contains(says), "\(words): \(outcome.errors)")
                }
            }
            #expect(try await laptop.run("user", "list", "--redis", redis.address).output.contains("alice"))
        }
    }

    @Test("change one's own password there, after which this machine alone is signed in")
    func password() async throws {
        try await withLaptop { laptop, _, redis in
            let refused = try await laptop.run("password", lines: "x")
            #expect(refused.ending == .exit(78) && refused.errors.contains("todomate login"), "\(refused.errors)")
            try await laptop.logIn()
            let (old, new) = (GatewayProcess.password, "another one altogether")
            for (lines, reason) in [
                ("wrong\n\(new)", "the user or the password is wrong"), ("\(old)\nshort", "at least 8"),
                (old, "nothing was given"),
            ] {
                let outcome = try await laptop.run("password", lines: lines)
                #expect(outcome.ending != .exit(0) && outcome.errors.contains(reason), "\(lines): \(outcome.errors)")
            }
            #expect(try await laptop.run("whoami").output.hasPrefix("alice"), "nothing has changed")
            let changed = try await laptop.run("password", lines: "\(old)\n\(new)")
            #expect(changed.ending == .exit(0) && changed.output.contains("has a new password"), "\(changed.errors)")
            #expect(try await laptop.run("whoami").output.hasPrefix("alice"))
            #expect(try await laptop.run("add", "Buy milk").ending == .exit(0))
            // Its own token is all that there is.
            let sessions = try await redis.todomate("session", "list", "alice").output
            #expect(sessions.split(separator: "\n").count == 1, "\(sessions)")
            let again = try await laptop.run("login", laptop.server, "--user", "alice", lines: old)
            #expect(again.errors.contains("the user or the password is wrong"), "\(again.errors)")
            // A token that cannot be kept does not stay good in nobody's hands: here is no room for the name of the draft.
            var deep = laptop
            let folder = Self.path(under: laptop.home.path, bytes: Int(PATH_MAX) - 1 - "/todomate/login.json".count)
            deep.environment = ["XDG_CONFIG_HOME": folder]
            try FileManager.default.createDirectory(atPath: folder + "/todomate", withIntermediateDirectories: true)
            // Foundation copies nothing to so long a path, and says nothing.
            _ = try await Program.run("cp", ["-p", laptop.loginFile.path, folder + "/todomate/login.json"])
            let unkept = try await deep.run("password", lines: "\(new)\n\(old)")
            #expect(unkept.ending == .exit(69) && unkept.errors.contains("has no token any more"), "\(unkept.errors)")
            #expect(try await redis.todomate("session", "list", "alice").output == "")
        }
    }

    /// A path of so many bytes.
    private static func path(under folder: String, bytes: Int) -> String {
        var path = folder
        while bytes - path.utf8.count > 202 { path += "/" + String(repeating: "d", count: 200) }
        return path + "/" + String(repeating: "d", count: bytes - path.utf8.count - 1)
    }

    @Test("see and change of others what anybody may at the server")
    func others() async throws {
        try await withLaptop { laptop, _, redis in
            _ = try await redis.todomate("add", "bob", "Shown", "--visibility", "public")
            _ = try await redis.todomate("add", "bob", "Hidden", "--visibility", "private")
            _ = try await redis.todomate("profile", "bob", "--audience", "public")
            try await laptop.logIn()
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
            try await laptop.logIn()
            _ = try await redis.todomate("profile", "bob", "--audience", "public")
            _ = try await redis.todomate("follow", "alice", "bob")
            let watching = try RunningProgram(
                "todomate",
                ["watch"],
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
            _ = try await redis.todomate("add", "bob", "his", "--visibility", "public")
            try await eventually("it shows whom she follows", within: .seconds(30)) { watching.output.contains("his") }
            await watching.stop()
        }
    }

    @Test("are refused a login that is wrong, exposed or not only one's own, and keep nothing then")
    func refusals() async throws {
        try await withLaptop { laptop, _, redis in
            let server = laptop.server
            let (stranger, port) = try await serverNobodyVouchesFor(in: laptop.home)
            for (words, line, code, reason) in [
                (["login", server, "--user", "alice"], "wrong wrong wrong", 65, "the user or the password is wrong"),
                (["login", "http://todo.example.org", "--user", "alice"], "x", 64, "write https://"),
                (["login", "ftp://todo.example.org", "--user", "alice"], "x", 64, "an address such as"),
                (["login", server, "--token"], "no-token", 65, "does not take this token"),
                (["login", server, "--user", "a b"], "x", 65, "uid must be"),
                (["login", "http://127.0.0.1:1", "--user", "alice"], "x", 69, "did not answer"),
                (["login", "https://127.0.0.1:\(port)", "--user", "alice"], "x", 69, "let this machine trust"),
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
            let token = laptop.home.path + "/token"
            try "a token".write(toFile: token, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
            for (isMeant, code, reason) in [(false, 64, "write https://"), (true, 69, "todo.invalid")] {
                let words = ["whoami", "--server", "http://todo.invalid", "--token-file", token]
                let outcome = try await laptop.run(words + (isMeant ? ["--insecure"] : []))
                #expect(outcome.ending == .exit(Int32(code)) && outcome.errors.contains(reason), "\(outcome.errors)")
            }
            // What cannot be kept does not stay good in nobody's hands.
            var full = laptop
            full.environment = ["XDG_CONFIG_HOME": token]
            let kept = try await full.run("login", server, "--user", "alice", lines: GatewayProcess.password)
            #expect(kept.ending == .exit(78) && kept.errors.contains("cannot be made"), "\(kept.errors)")
            #expect(try await redis.todomate("session", "list", "alice").output == "")
            try await laptop.logIn()
            let login = try String(contentsOf: laptop.loginFile, encoding: .utf8)
            try login.replacing(#""user":"alice""#, with: #""user":"../alice""#)
                .write(to: laptop.loginFile, atomically: false, encoding: .utf8)
            let strange = try await laptop.run("logout")
            #expect(strange.ending == .exit(78) && strange.errors.contains("cannot be read"), "\(strange.errors)")
            for mode in [0o644, 0o660, 0o604] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: laptop.loginFile.path)
                let outcome = try await laptop.run("whoami")
                #expect(outcome.ending == .exit(78) && outcome.errors.contains("not only yours"), "\(outcome.errors)")
            }
            await stranger.stop()
        }
    }

    /// A server with TLS, whose certificate it has signed itself.
    private func serverNobodyVouchesFor(in folder: URL) async throws -> (RunningProgram, port: Int) {
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        _ = try await Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=127.0.0.1",
            ]
                + ["-keyout", key, "-out", certificate, "-days", "2", "-addext", "subjectAltName=IP:127.0.0.1"]
        )
        let port = try freePort()
        let server = try RunningProgram(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-quiet"]
        )
        try await eventually("it listens") { (try? RawConnection(port: port)) != nil }
        return (server, port)
    }

    @Test("work where they are told to: by flag, then environment, then login; two at once are refused")
    func places() async throws {
        try await withLaptop { laptop, _, redis in
            try await laptop.logIn()
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

    @Test("take one's own along from a server and bring it back, line by line and with the same checks")
    func archives() async throws {
        try await withLaptop { laptop, _, redis in
            for words in [
                ["profile", "alice", "--name", "Alice", "--audience", "public"], ["goal", "set", "alice", "Work"],
                ["add", "alice", "Buy milk", "--id", "milk", "--goal", "Work"], ["follow", "alice", "bob"],
                ["add", "bob", "his", "--id", "his"],
            ] { #expect(try await redis.todomate(words).ending == .exit(0), "\(words)") }
            let detail = String(repeating: "긴 메모 ", count: 500)
            let many = (0..<150).map { number in
                let day = "2026-11-1\(number % 9)"
                return
                    #"{"id":"t\#(number)","uid":"alice","date":"\#(day)","content":"할 일 \#(number)","detail":"\#(detail)"}"#
            }
            let file = laptop.home.appending(path: "many.jsonl")
            try many.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
            try await laptop.logIn()

            // Read in: more than one request holds, in one of its own where one line is long.
            let dry = try await laptop.run("import", file.path, "--dry-run")
            #expect(dry.ending == .exit(0) && dry.errors == "150 lines are good, 0 refused\n", "\(dry.errors)")
            #expect(try await !redis.todomate("list", "alice", "--all").output.contains("할 일"))
            let imported = try await laptop.run("import", file.path)
            #expect(imported.ending == .exit(0) && imported.errors.hasPrefix("150 added in "), "\(imported.errors)")
            let again = try await laptop.run("import", file.path)
            #expect(again.ending == .exit(0) && again.errors.hasPrefix("150 unchanged in "), "\(again.errors)")

            // Written out: as beside Redis, but for the password.
            let whole = laptop.home.appending(path: "whole.jsonl")
            let exported = try await laptop.run("export", "--with-profiles", "--output", whole.path)
            #expect(exported.ending == .exit(0), "\(exported.errors)")
            let text = try String(contentsOf: whole, encoding: .utf8)
            let beside = try await redis.todomate("export", "alice", "--with-profiles").output
            #expect(text == beside.replacing(/,?"password":"[^"]*"/, with: ""), "the same lines")
            let facts = try FileManager.default.attributesOfItem(atPath: whole.path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
            let todos = try await laptop.run("export", "alice")
            let todosBeside = try await redis.todomate("export", "alice")
            #expect(todos.output == todosBeside.output)

            // Brought back after a loss, with what others decide left to them.
            for words in [["remove", "alice", "milk"], ["unfollow", "alice", "bob"]] {
                _ = try await redis.todomate(words)
            }
            let back = try await laptop.run("import", whole.path)
            #expect(back.ending == .exit(0), "\(back.errors)")
            #expect(try await redis.todomate("list", "alice", "--all").output.contains("Buy milk"))
            #expect(try await redis.todomate("following", "alice").output.contains("bob"))

            // What is refused is named, and nothing is written.
            let before = try await redis.todomate("export").output
            for (lines, words, reason) in [
                (#"{"id":"x","uid":"bob","date":"2026-11-20","content":"x"}"#, [], "line 1: it is bob's"),
                (many[0] + "\n{", [], "line 2: the line is not JSON"),
                (many[0].replacing("2026-11-10", with: "2026-11-31"), [], "line 1"),
                (many[0], ["--user", "bob"], "you import your own"),
            ] as [(String, [String], String)] {
                try lines.write(to: file, atomically: true, encoding: .utf8)
                let outcome =
                    words.isEmpty
                    ? try await laptop.run("import", file.path)
                    : try await laptop.run("import", file.path, words[0], words[1])
                #expect(outcome.ending != .exit(0) && outcome.errors.contains(reason), "\(lines): \(outcome.errors)")
            }
            let others = try await laptop.run("export", "bob")
            #expect(others.ending == .exit(64) && others.output == "" && others.errors.contains("export your own"))
            let taken = many[0].replacing("할 일 0", with: "other")
            try taken.write(to: file, atomically: true, encoding: .utf8)
            let refused = try await laptop.run("import", file.path)
            #expect(refused.ending == .exit(65) && refused.errors.contains("another todo has the id t0 already"))
            #expect(try await redis.todomate("export").output == before)
            #expect(try await laptop.run("import", file.path, "--replace").errors.hasPrefix("1 replaced in "))
        }
    }

    @Test("say that the server does not answer, and do nothing then")
    func noServer() async throws {
        try await withFickleServer { laptop, server, redis in
            try await laptop.logIn()
            await server.go()
            for words in [
                ["add", "alice", "x"], ["list", "alice", "--all"], ["export", "alice"], ["badges", "alice"],
            ] {
                let outcome =
                    words.count > 2
                    ? try await laptop.run(words[0], words[1], words[2]) : try await laptop.run(words[0], words[1])
                #expect(outcome.ending == .exit(69) && outcome.output == "", "\(words): \(outcome.errors)")
            }
            let outcome = try await laptop.run("add", "alice", "x")
            #expect(
                outcome.errors.contains("did not answer") && outcome.errors.contains(laptop.server),
                "\(outcome.errors)"
            )
            #expect(try await redis.todomate("list", "alice", "--all").output == "")
            #expect(laptop.keptFiles.isEmpty, "only a board keeps anything")
        }
    }
}
