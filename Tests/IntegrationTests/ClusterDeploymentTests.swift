import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The cluster of the deployment", .serialized)
@LoopActor
struct ClusterDeploymentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Nodes as deploy/cluster.yml runs them, without an engine.
    @LoopActor
    private final class Nodes {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-nodes-\(UUID().uuidString.prefix(8))"
        )
        private(set) var ports: [Int] = []
        private var programs: [RunningProgram] = []

        var addresses: [String] { ports.map { "127.0.0.1:\($0)" } }
        private var secrets: String { folder.path + "/deploy/secrets" }
        private var environment: [String: String] {
            ["TODOMATE_SECRETS": secrets, "TODOMATE_REDIS_CONF": "\(root)/deploy/redis/redis.conf"]
        }

        func start(_ count: Int) async throws {
            for part in ["scripts", "deploy/redis"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: part),
                    withIntermediateDirectories: true
                )
            }
            for file in ["scripts/secrets", "deploy/redis/users.acl", "deploy/redis/sentinel-users.acl"] {
                try FileManager.default.copyItem(atPath: "\(root)/\(file)", toPath: "\(folder.path)/\(file)")
            }
            let outcome = try await Program.run("bash", ["\(folder.path)/scripts/secrets"])
            try #require(outcome.ending == .exit(0), "\(outcome.errors)")
            for number in 1...count {
                let (port, busPort) = (try freePort(), try freePort())
                let place = "\(folder.path)/\(number)"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                let here = [
                    "--port", "\(port)", "--cluster-port", "\(busPort)", "--bind", "127.0.0.1", "--dir", place,
                    "--aclfile", "\(secrets)/redis_acl", "--repl-diskless-sync-delay", "0",
                ]
                let words = ["\(root)/deploy/redis/cluster-node", "127.0.0.1"] + here
                programs.append(try RunningProgram("sh", words, environment: environment))
                ports.append(port)
            }
            for port in ports {
                try await eventually("it answers") {
                    try await cli(as: "node", port, "PING") == "PONG"
                }
            }
        }

        func cli(as user: String, _ port: Int, _ words: String...) async throws -> String {
            try await cli(as: user, port, words)
        }

        func cli(as user: String, _ port: Int, _ words: [String]) async throws -> String {
            let password = try String(contentsOfFile: "\(secrets)/redis_\(user)_password", encoding: .utf8)
            let name = user == "operator" ? user : "todomate-\(user)"
            return try await Program.run(
                "redis-cli",
                ["-c", "-p", "\(port)", "--user", name] + words,
                environment: ["REDISCLI_AUTH": password]
            ).output.trimmingCharacters(in: .newlines)
        }

        func form(within seconds: Int = 60) async throws -> Program.Outcome {
            try await Program.run(
                "sh",
                ["\(root)/deploy/redis/form-cluster", "1"] + addresses,
                environment: environment.merging(["FORM_CLUSTER_SECONDS": "\(seconds)"]) { $1 }
            )
        }

        /// Ends a node, which does not come back.
        func lose(_ number: Int) async {
            await programs[number].signal(SIGKILL)
            await programs[number].waitUntilEnded()
        }

        func complete(from source: Int, to target: Int) async throws -> Program.Outcome {
            let password = try String(contentsOfFile: "\(secrets)/redis_node_password", encoding: .utf8)
            let words = ["127.0.0.1:\(source)", "127.0.0.1:\(target)", "--user", "todomate-node"]
            return try await Program.run(
                "sh",
                ["\(root)/deploy/redis/complete-move"] + words,
                environment: ["REDISCLI_AUTH": password.trimmingCharacters(in: .newlines)]
            )
        }

        func todomate(_ words: String...) async throws -> Program.Outcome {
            try await Program.run(
                "todomate",
                words,
                environment: [
                    "TODOMATE_REDIS": "redis+cluster://todomate-worker@" + addresses.prefix(3).joined(separator: ","),
                    "TODOMATE_REDIS_PASSWORD_FILE": "\(secrets)/redis_worker_password",
                ]
            )
        }

        func stop() async {
            for program in programs {
                await program.signal(SIGKILL)
                await program.waitUntilEnded()
            }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    private func withNodes(_ body: @LoopActor (Nodes) async throws -> Void) async throws {
        let nodes = Nodes()
        do {
            try await nodes.start(6)
            try await body(nodes)
        } catch {
            await nodes.stop()
            throw error
        }
        await nodes.stop()
    }

    @Test("is made once of three primaries and three replicas, and serves workers and operators")
    func formed() async throws {
        try await withNodes { nodes in
            let first = try await nodes.form()
            #expect(first.ending == .exit(0) && first.errors.contains("all slots are served"), "\(first)")
            let before = try await nodes.cli(as: "node", nodes.ports[0], "CLUSTER", "SLOTS")
            let second = try await nodes.form()
            #expect(second.ending == .exit(0) && second.output == "", "\(second)")
            for port in nodes.ports {
                try await eventually("it is in step") {
                    let facts = try await nodes.cli(as: "node", port, "INFO", "replication")
                    return facts.contains("connected_slaves:1") || facts.contains("master_link_status:up")
                }
            }
            #expect(try await nodes.cli(as: "node", nodes.ports[0], "CLUSTER", "SLOTS").count == before.count)
            for uid in ["alice", "bob", "carol"] {
                let added = try await nodes.todomate("add", uid, "milk")
                #expect(added.ending == .exit(0), "\(added)")
            }
            let doctor = try await nodes.todomate("doctor")
            #expect(doctor.ending == .exit(0) && doctor.output.contains("3 primaries serve all slots"), "\(doctor)")
            let list = try await nodes.cli(
                as: "operator",
                nodes.ports[0],
                "FCALL_RO",
                "todomate_list",
                "2",
                "todomate:{alice}",
                "todomate:{alice}:log"
            )
            #expect(list.contains("\"milk\""), "\(list)")
            try await completeMove(among: nodes)
            #expect(try await nodes.todomate("list", "alice").output.contains("milk"))
            // Started again while one of its nodes is away, its workers are not kept from the others.
            await nodes.lose(0)
            let third = try await nodes.form()
            #expect(third.ending == .exit(0) && third.output == "", "\(third)")
            #expect(third.errors.contains("\(nodes.addresses[0]) does not answer as a node"), "\(third)")
        }
    }

    /// A move of alice's slot that was begun and goes on by the script, as the user of the nodes.
    private func completeMove(among nodes: Nodes) async throws {
        let slot = 749
        let lines = try await nodes.cli(as: "node", nodes.ports[0], "CLUSTER", "NODES").split(separator: "\n")
        let primaries = lines.compactMap { line in
            line.firstMatch(of: /^(\w+) 127\.0\.0\.1:(\d+)@\S+ \S*master .* (\d+)-(\d+)$/).map { match in
                (id: String(match.1), port: Int(match.2) ?? 0, slots: (Int(match.3) ?? 0)...(Int(match.4) ?? 0))
            }
        }
        let source = try #require(primaries.first { $0.slots.contains(slot) })
        let target = try #require(primaries.first { $0.id != source.id })
        for (node, word, other) in [(target, "IMPORTING", source), (source, "MIGRATING", target)] {
            let answer = try await nodes.cli(as: "node", node.port, "CLUSTER", "SETSLOT", "\(slot)", word, other.id)
            #expect(answer == "OK")
        }
        let outcome = try await nodes.complete(from: source.port, to: target.port)
        #expect(outcome.output.hasPrefix("complete-move: slot \(slot) is at"), "\(outcome)")
    }

    @Test("has a user of its own for the nodes, who can read no todo by a command, and is not there by half")
    func narrow() async throws {
        try await withNodes { nodes in
            let port = nodes.ports[0]
            for words in ["HGETALL todomate:{alice}:todos", "SET todomate:{alice}:todos x", "KEYS *", "SHUTDOWN"] {
                let answer = try await nodes.cli(as: "node", port, words.split(separator: " ").map(String.init))
                #expect(answer.contains("NOPERM"), "\(words): \(answer)")
            }
            let stranger = try await Program.run("redis-cli", ["-p", "\(port)", "CLUSTER", "NODES"])
            #expect(stranger.output.contains("NOAUTH"))
            // As where its making was broken off: there is no cluster whose workers could serve anybody.
            #expect(try await nodes.cli(as: "node", port, "CLUSTER", "ADDSLOTS", "0") == "OK")
            let outcome = try await nodes.form(within: 1)
            #expect(outcome.ending == .exit(1) && outcome.errors.contains("\(nodes.addresses[0]) has slots, and knows"))
        }
    }

    @Test("is not made while a node does not answer, which is named")
    func absent() async throws {
        let folder = DataFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.url.appending(path: "redis_node_password"))
        let address = "127.0.0.1:\(try freePort())"
        let outcome = try await Program.run(
            "sh",
            ["\(Self.root)/deploy/redis/form-cluster", "1", address],
            environment: ["TODOMATE_SECRETS": folder.url.path, "FORM_CLUSTER_SECONDS": "1"]
        )
        #expect(outcome.ending == .exit(1) && outcome.errors.contains("\(address) does not answer"), "\(outcome)")
    }
}
