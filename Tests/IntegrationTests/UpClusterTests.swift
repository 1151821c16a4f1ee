import EventLoop
import Foundation
import TestServers
import Testing

extension Up {
    /// The ports of its cluster's nodes, as it keeps them.
    var ports: [Int] {
        let text = (try? String(contentsOf: folder.appending(path: "cluster"), encoding: .utf8)) ?? ""
        return text.matches(of: /127\.0\.0\.1:(\d+)/).compactMap { Int($0.1) }
    }

    /// Runs redis-cli, which follows a user's data to their node.
    func clusterCLI(_ arguments: String...) async throws -> String {
        let login = ["REDISCLI_AUTH": password]
        let first = try #require(ports.first)
        let outcome = try await Program.run("redis-cli", ["-c", "-p", "\(first)"] + arguments, environment: login)
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    func add(_ content: String, for uid: String) async throws {
        let todo = "{\"content\":\"\(content)\",\"date\":\"2026-11-20\"}"
        let answer = try await clusterCLI(
            "FCALL",
            "todomate_add",
            "2",
            "todomate:{\(uid)}",
            "todomate:{\(uid)}:log",
            todo
        )
        #expect(answer.hasPrefix("{"), "\(answer)")
    }
}

@Suite("todomate up --cluster", .serialized)
@LoopActor
struct UpClusterTests {
    /// Ports that are far from those of other tests.
    private func first() throws -> String { String(try freePort()) }

    private func run(_ words: String...) async throws -> Program.Outcome { try await Program.run("todomate", words) }

    @Test("prints lines that work when pasted, and its workers follow them")
    func banner() async throws {
        try await withUp(in: DataFolder(), "--cluster", "3", "--port", try first()) { up in
            #expect(up.program.output.contains("2 workers on a Redis Cluster of 3 nodes"))
            let login = ["REDISCLI_AUTH": up.password]
            let lines = up.program.lines.filter { $0.contains("redis-cli -c -p ") }
            #expect(lines.count == 4)
            let listener = try #require(lines.first { $0.contains(" SSUBSCRIBE ") })
            let shell = try RunningProgram("sh", ["-c", "exec \(listener)"], environment: login)
            try await eventually("it listens") { !shell.output.isEmpty }
            for line in lines where line != listener {
                let outcome = try await Program.run("sh", ["-c", line], environment: login)
                #expect(outcome.ending == .exit(0) && outcome.errors == "")
                #expect(!outcome.output.contains("ERR") && !outcome.output.contains("TODOMATE_"), "\(outcome.output)")
            }
            let shown = ["worker-1 hi", "worker-1 milk", "worker-2 hi", "worker-2 milk"]
            try await eventually("the workers follow") { up.shown("Buy milk", "hi").count >= 4 }
            #expect(up.shown("Buy milk", "hi") == shown)
            try await eventually("it heard both") {
                shell.output.contains("Buy milk") && shell.output.contains("\"hi\"")
            }
            await shell.stop()
        }
    }

    @Test("starts again with the same nodes and todos, at other ports if they are taken, and ends them all")
    func again() async throws {
        let folder = DataFolder()
        let users = ["alice", "bob", "carol", "dave", "eve"]
        var ids: Set<String> = []
        var ports: [Int] = []
        for round in 1...3 {
            var options = ["--cluster", "3"]
            // First at ports of its own, then at the same without being told, then at others.
            if round != 2 { options += ["--port", try first()] }
            try await withUp(in: folder, options: options) { up in
                if round == 2 { #expect(up.ports == ports) }
                if round == 3 { #expect(up.ports != ports) }
                ports = up.ports
                #expect(Set(ports).count == 3)
                let nodes = try await up.clusterCLI("CLUSTER", "NODES").split(separator: "\n")
                let found = Set(nodes.map { String($0.prefix { $0 != " " }) })
                #expect(found.count == 3 && (ids.isEmpty || ids == found), "\(nodes)")
                ids = found
                for uid in users { try await up.add("round \(round)", for: uid) }
                for uid in users {
                    let count = try await up.clusterCLI("XLEN", "todomate:{\(uid)}:log")
                    #expect(count == "\(round)")
                }
                let children = try await up.children.values.flatMap { $0 }
                #expect(children.count == 5)
                await up.program.signal(SIGINT)
                let ending = await up.program.waitUntilEnded()
                #expect(ending == .exit(0))
                for child in children { #expect(kill(child, 0) == -1) }
            }
        }
    }

    @Test("starts a node again that is killed")
    func killed() async throws {
        try await withUp(in: DataFolder(), "--cluster", "3", "--port", try first()) { up in
            for uid in ["alice", "bob"] { try await up.add("before", for: uid) }
            try await eventually("both show both") { up.shown("before").count == 4 }
            try await eventually("the files have it all") {
                for port in up.ports {
                    let state = try await up.clusterCLI("-p", "\(port)", "INFO", "persistence")
                    guard state.contains("aof_buffer_length:0\r") else { return false }
                }
                return true
            }
            for number in try await up.children["redis-server"] ?? [] { kill(number, SIGKILL) }
            try await eventually("all are back") {
                guard up.log("starting it again") == 3 else { return false }
                for port in up.ports {
                    let state = try await up.clusterCLI("-p", "\(port)", "CLUSTER", "INFO")
                    guard state.contains("cluster_state:ok") else { return false }
                }
                return true
            }
            for uid in ["alice", "bob"] { try await up.add("after", for: uid) }
            try await eventually("both show both") { up.shown("after").count >= 4 }
            #expect(up.shown("before").count == 4, "none twice: \(up.program.output)")
        }
    }

    @Test("keeps the nodes from those who do not have the password")
    func password() async throws {
        let folder = DataFolder()
        try await withUp(in: folder, "--cluster", "3", "--port", try first()) { up in
            #expect(up.password.count == 64)
            for port in up.ports {
                let answer = try await Program.run("redis-cli", ["-p", "\(port)", "PING"])
                #expect(answer.output.hasPrefix("NOAUTH"), "\(answer)")
                let bind = try await Program.run(
                    "redis-cli",
                    ["-p", "\(port)", "CONFIG", "GET", "bind"],
                    environment: ["REDISCLI_AUTH": up.password]
                )
                #expect(bind.output == "bind\n127.0.0.1\n")
            }
            let parts = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
            #expect(parts.contains("node-3/nodes.conf") && parts.contains("node-3/redis.sock"))
            for part in [""] + parts {
                var facts = stat()
                try #require(lstat(folder.url.appending(path: part).path, &facts) == 0)
                #expect(facts.st_mode & 0o077 == 0, "\(part)")
            }
        }
    }

    @Test("is found by commands in its folder, and not when it has ended")
    func nearby() async throws {
        let folder = DataFolder(".todomate")
        let nothing = ["TODOMATE_REDIS": "", "TODOMATE_REDIS_PASSWORD_FILE": "", "TODOMATE_DATA": folder.url.path]
        var environment = nothing
        try await withUp(in: folder, "--cluster", "3", "--port", try first()) { up in
            let added = try await Program.run("todomate", ["add", "alice", "milk"], environment: environment)
            #expect(added.ending == .exit(0), "\(added)")
            try await eventually("both show it") { up.shown("milk").count == 2 }
            let doctor = try await Program.run("todomate", ["doctor"], environment: environment)
            #expect(
                doctor.output.contains("at the cluster of 127.0.0.1:") && doctor.output.contains("'todomate up' here")
            )
            #expect(doctor.output.contains("3 primaries serve all slots"), "\(doctor)")
        }
        environment["TODOMATE_TIMEOUT"] = "1s"
        // Somebody else may listen at its ports by now.
        let later = try await Program.run("todomate", ["doctor"], environment: environment)
        #expect(!later.output.contains("cluster of") && !later.errors.contains("cluster of"), "\(later)")
    }

    @Test("refuses a folder with something else in it, and says what to do")
    func otherContent() async throws {
        let (single, cluster) = (DataFolder(), DataFolder())
        try await withUp(in: single) { up in try await up.add("milk") }
        let refused = try await run("up", "--cluster", "3", "--data", single.url.path)
        #expect(refused.ending == .exit(78) && refused.output == "")
        #expect(refused.errors.contains("holds the todos of one Redis: leave --cluster out"), "\(refused)")
        try await withUp(in: cluster, "--cluster", "3", "--port", try first()) { _ in }
        for words in [[], ["--cluster", "4"]] {
            let outcome = try await Program.run("todomate", ["up", "--data", cluster.url.path] + words)
            #expect(outcome.ending == .exit(78) && outcome.output == "")
            #expect(outcome.errors.contains("a cluster of 3 nodes: start it with --cluster 3"), "\(outcome)")
            #expect(outcome.errors.contains("todomate export"))
        }
        #expect(!FileManager.default.fileExists(atPath: cluster.url.path + "/node-4"))
        let few = try await run("up", "--cluster", "2", "--data", DataFolder().url.path)
        #expect(few.ending == .exit(64))
    }

    @Test("gives up, with the node's own words, on a file that it cannot read")
    func brokenFile() async throws {
        let folder = DataFolder()
        try await withUp(in: folder, "--cluster", "3", "--port", try first()) { _ in }
        let manifest = folder.url.appending(path: "node-2/appendonlydir/appendonly.aof.manifest")
        try Data("nonsense\n".utf8).write(to: manifest)
        let words = ["up", "--cluster", "3", "--data", folder.url.path, "--http-port", String(try freePort())]
        let outcome = try await Program.run("todomate", words)
        #expect(outcome.ending == .exit(69) && outcome.output == "")
        #expect(outcome.errors.contains("the redis-server of \(folder.url.path)/node-2 does not start"), "\(outcome)")
    }
}
