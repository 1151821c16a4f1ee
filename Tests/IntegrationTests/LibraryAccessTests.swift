import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@Suite("A Redis user who may not load the function library")
@LoopActor
struct LibraryAccessTests {
    private nonisolated static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs `body` with a Redis that has the deployment's users, the workers' without FUNCTION LOAD.
    private func withFixedLibrary(_ body: @LoopActor (RedisServer) async throws -> Void) async throws {
        let list = try String(contentsOf: Self.root.appending(path: "deploy/redis/users.acl"), encoding: .utf8)
        let fixed = list.replacing(" +function|load", with: "")
        try #require(fixed != list)
        try await withRedis { server in
            for line in fixed.split(separator: "\n") where line.hasPrefix("user ") && !line.contains("default") {
                let words = line.replacing(/@([A-Z]+)@/) { ">\($0.1.prefix(1).lowercased())" }
                let rules = words.split(separator: " ").dropFirst().map(String.init)
                let answer = try await Program.run("redis-cli", ["-s", "\(server.url)", "ACL", "SETUSER"] + rules)
                #expect(answer.output == "OK\n")
            }
            try await body(server)
        }
    }

    private func run(_ server: RedisServer, as user: String, _ words: String...) async throws -> Program.Outcome {
        let password = user == "operator" ? "o" : "w"
        let place = "\(server.address)?user=\(user)&password=\(password)"
        return try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": place])
    }

    private func source(version: Int) async throws -> String {
        let source = try await Program.run("todomate", ["library", "show", "--source"]).output
        let line = try #require(source.firstMatch(of: /local LIBRARY_VERSION = \d+/)).0
        return source.replacing(line, with: "local LIBRARY_VERSION = \(version)")
    }

    private static func advice(_ found: String) -> Regex<Substring> {
        let rest = "this program needs version \\d+, and this Redis user may not load it: run 'todomate library load'"
        return try! Regex("Redis \(found), \(rest)")
    }

    @Test("is told who has to load it with which command, and then can do everything but replace it")
    func served() async throws {
        try await withFixedLibrary { server in
            let list = try await run(server, as: "todomate-worker", "list", "alice")
            #expect(list.errors.contains(Self.advice("does not have the function library")), "\(list.errors)")
            let worker = try await run(server, as: "todomate-worker", "worker", "--observe", "alice")
            #expect(worker.ending == .exit(78))
            #expect(worker.errors.contains(Self.advice("does not have the function library")), "\(worker.errors)")
            let refused = try await run(server, as: "todomate-worker", "library", "load")
            #expect(refused.ending != .exit(0))
            #expect(try await server.cli("EXISTS", "todomate:library") == "0", "nobody is kept waiting")

            let loaded = try await run(server, as: "operator", "library", "load")
            #expect(loaded.output.contains(/^Redis has version \d+ of the function library\.\n$/), "\(loaded.errors)")
            let shown = try await run(server, as: "todomate-worker", "library", "show")
            let same = /^Redis has version (\d+) of the function library; this program's is version \1\.\n$/
            #expect(shown.output.contains(same))
            let place = "\(server.address)?user=todomate-worker&password=w"
            let port = try freePort()
            let words = ["worker", "--observe", "alice", "--redis", place, "--listen", "127.0.0.1:\(port)"]
            let serving = try RunningProgram("todomate", words)
            try await eventually("it serves") { serving.errors.contains("message=observing") }
            let added = try await run(server, as: "todomate-worker", "add", "alice", "milk")
            #expect(added.ending == .exit(0), "\(added.errors)")
            try await eventually("it hears") { serving.output.contains("milk") }
            let ready = try await Program.run("curl", ["-s", "http://127.0.0.1:\(port)/readyz"])
            #expect(ready.output == "ready\n")
            let ending = await serving.stop()
            #expect(ending == .exit(0))

            let file = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString).lua")
            defer { try? FileManager.default.removeItem(at: file) }
            try await source(version: 999).write(to: file, atomically: true, encoding: .utf8)
            let loads = ["FUNCTION LOAD REPLACE x", "-x FUNCTION LOAD REPLACE"]
            for words in loads + ["FUNCTION DELETE todomate", "FUNCTION FLUSH"] {
                let call = "redis-cli -s \(server.url) --user todomate-worker --pass w --no-auth-warning \(words)"
                let answer = try await Program.run("sh", ["-c", "\(call) <\(file.path)"])
                #expect(answer.output.hasPrefix("NOPERM"), "\(words): \(answer.output)")
            }
            let doctor = try await run(server, as: "todomate-worker", "doctor")
            let finding = "may do all that is needed but load the function library"
            #expect(doctor.output.contains(finding), "\(doctor.output)")
        }
    }

    @Test(
        "serves the other users while a node of a cluster lacks it, names that node, and serves nobody where all lack it"
    )
    func cluster() async throws {
        try await withRedisCluster { cluster in
            for node in cluster.nodes {
                let rules = try await node.cli("ACL", "SETUSER", "w", "on", ">w", "~*", "&*", "+@all", "-function|load")
                #expect(rules == "OK")
            }
            let place = cluster.address.replacing("://", with: "://w:w@")
            @LoopActor func todomate(_ words: String...) async throws -> Program.Outcome {
                try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": place])
            }
            @LoopActor func load() async throws {
                let loaded = try await Program.run("todomate", ["library", "load", "--redis", cluster.address])
                #expect(loaded.ending == .exit(0), "\(loaded.errors)")
            }
            try await load()
            let port = try freePort()
            let worker = try RunningProgram(
                "todomate",
                ["worker", "--listen", "127.0.0.1:\(port)", "--redis", place]
            )
            @LoopActor func answer() async throws -> String {
                try await Program.run("curl", ["-s", "-w", "%{http_code}", "http://127.0.0.1:\(port)/readyz"]).output
            }
            try await eventually("it is ready") { try await answer() == "ready\n200" }

            let node = cluster.nodes[1]
            try await node.cli("FUNCTION", "FLUSH")
            let part = "ready, but the function library is missing at \(node.endpoint): run 'todomate library load'\n"
            try await eventually("it names the node") { try await answer() == part + "200" }
            let ready = try await todomate("doctor", "--ready")
            #expect(ready.ending == .exit(0) && ready.output == part, "\(ready)")
            let some = try DoctorAnswer.read(try await todomate("doctor", "--json")).0
            let finding = try #require(some.finding("functions", "this Redis user may not load it"))
            #expect(finding.severity == "warning" && finding.message.hasPrefix("\(node.endpoint): "))

            for node in cluster.nodes { try await node.cli("FUNCTION", "FLUSH") }
            try await eventually("it is not ready") { try await answer().hasSuffix("503") }
            #expect(try await todomate("doctor", "--ready").ending == .exit(1))
            let all = try DoctorAnswer.read(try await todomate("doctor", "--json")).0
            #expect(all.finding("functions", "this Redis user may not load it")?.severity == "error")
            try await load()
            try await eventually("it is ready again") { try await answer() == "ready\n200" }
            let ending = await worker.stop()
            #expect(ending == .exit(0))
        }
    }

    @Test("goes on with a newer library, and not with an older one", arguments: [0, 999])
    func versions(_ version: Int) async throws {
        try await withFixedLibrary { server in
            // Too long for an argument of a program.
            let client = RedisClient(server.url)
            defer { client.close() }
            try await client.send(RedisCommand("FUNCTION", "LOAD", "REPLACE", try await source(version: version)))
            let outcome = try await run(server, as: "todomate-worker", "add", "alice", "milk")
            let isRight =
                version == 999
                ? outcome.ending == .exit(0)
                : outcome.errors.contains(Self.advice("has version 0 of the function library"))
            #expect(isRight, "\(outcome.errors)")
        }
    }
}
