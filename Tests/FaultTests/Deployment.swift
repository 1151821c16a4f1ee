import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

/// One Redis that keeps every write, or a cluster of three primaries and three replicas, and three workers on one port. Each
/// worker has a proxy before that Redis, or each node of the cluster one.
@LoopActor
final class Deployment {
    /// The only server there is, or the node of the cluster that something happens to.
    private(set) var redis: RedisServer
    /// Nil where there is one server.
    private(set) var cluster: RedisCluster?
    let httpPort: Int
    private(set) var proxies: [TCPProxy] = []
    /// What the others reach a node of the cluster through, by the address from which it speaks to them.
    private var gates: [String: [TCPProxy]] = [:]
    private var workers: [RunningProgram] = []
    private var ended: [RunningProgram] = []
    private var names: [PrivateName] = []
    /// The users whose changes the workers tell.
    let observed: [String]
    let others: [String]
    private var oddEndings: [String] = []

    /// Counts how often data of each user were lost on purpose.
    private var epochs: [String: Int] = [:]
    /// Whose data are just being lost on purpose.
    private var losers: Set<String> = []
    /// What the workers and the control connection have to say to get in; nil for nothing.
    var password: String?
    /// What Redis answered last to each command of ``control(_:)``, by its first two words.
    private(set) var answers: [String: String] = [:]

    /// How often the nodes of a cluster told afterwards that a fault had happened to them.
    private(set) var marks: [Fault: Int] = [:]

    static let workerCount = 3
    /// How the workers know Redis: each asks a resolver of its own for it.
    private static let hostName = "redis.todomate.test"

    /// - Parameters:
    ///   - users: whose changes the workers tell.
    ///   - others: of whom there are data as well.
    init(observing users: [String], others: [String], on kind: RedisKind = .one) throws {
        observed = users
        self.others = others
        httpPort = try freePort()
        redis = try RedisServer(Self.options)
        guard kind == .cluster else { return }
        // Replicas are to find out soon, too, that a connection is dead.
        let more = ["--repl-timeout", "5", "--repl-ping-replica-period", "1"]
        cluster = RedisCluster(Self.options + more) { [weak self] node in
            let proxy = try TCPProxy(port: freePort(), to: .path(node.socket))
            let bus = try TCPProxy(port: freePort(), to: .port(node.busPort))
            self?.proxies.append(proxy)
            self?.gates[node.source] = [proxy, bus]
            return (proxy.port, bus.port)
        }
    }

    private static let options = [
        "--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "no", "--enable-debug-command", "yes",
        "--loading-process-events-interval-bytes", "1024",
    ]

    /// Where Redis is, for clients that nothing comes between.
    var url: RedisURL { cluster?.url ?? redis.url }

    /// The same, as programs take it.
    var address: String { cluster?.address ?? redis.address }

    /// Where it is for the workers and those who are treated like them.
    func address(for index: Int) -> String {
        cluster?.address ?? "redis://\(Self.hostName):\(proxies[index].port)"
    }

    func start() async throws {
        if let cluster {
            try await cluster.start(primaries: 3, replicas: 1)
            redis = cluster.nodes[0].server
        } else {
            try await redis.start()
            for _ in 0..<Self.workerCount {
                proxies.append(try TCPProxy(port: freePort(), to: .path(redis.folder.path + "/redis.sock")))
            }
        }
        for index in 0..<Self.workerCount {
            names.append(try PrivateName(Self.hostName, in: redis.folder, number: index))
            workers.append(try launch(index))
        }
        for worker in workers {
            try await eventually("a worker is ready") { worker.errors.contains("message=ready") }
        }
    }

    func stop() async {
        for index in workers.indices { await resume(index) }
        for worker in workers { note(await worker.stop(), after: SIGTERM) }
        for proxy in proxies + gates.values.joined() { proxy.close() }
        await cluster?.stop()
        await redis.stop()
    }

    /// All that each worker process printed about what its observers were told, from its start to its end.
    var workerOutputs: [[String]] { (ended + workers).map(\.lines) }

    /// A worker ends by what was sent to it, not by itself.
    private func note(_ ending: ChildProcess.Ending, after signal: Int32) {
        let isExpected = ending == (signal == SIGTERM ? .exit(0) : .signal(signal))
        if !isExpected { oddEndings.append("a worker ended with \(ending) after signal \(signal)") }
    }

    /// What no worker should ever do: crash, end by itself, or say what a sanitizer found.
    var crashes: [String] {
        oddEndings
            + (ended + workers).flatMap { $0.errors.split(separator: "\n") }
            .filter { $0.contains("Fatal error") || $0.contains("Sanitizer: ") }.map { "a worker: \($0)" }
    }

    /// The log lines of all worker processes.
    var workerLogs: [WorkerLogLine] {
        (ended + workers).flatMap { $0.errors.split(separator: "\n").compactMap { WorkerLogLine($0) } }
    }

    private func launch(_ index: Int) throws -> RunningProgram {
        try RunningProgram(
            "todomate",
            [
                "worker", "--redis", address(for: index), "--name", "worker-\(index + 1)",
                "--listen", "127.0.0.1:\(httpPort)", "--observe", observed.joined(separator: ","), "--json",
                "--timeout", "3s",
            ],
            environment: names[index].environment
        )
    }

    // MARK: What happens to it

    /// Sends a worker a signal.
    func signal(_ number: Int32, worker index: Int) async { await workers[index].signal(number) }

    func resume(_ index: Int) async { await signal(SIGCONT, worker: index) }

    /// Whether a worker has logged this since it was started.
    func hasLogged(_ text: String, worker index: Int) -> Bool { workers[index].errors.contains(text) }

    /// Whether the name of a worker's Redis resolves.
    func setResolves(_ resolves: Bool, worker index: Int) throws { try names[index].setResolves(resolves) }

    /// Ends a worker with a signal and starts another in its place.
    func replace(worker index: Int, with signal: Int32) async throws {
        let worker = workers[index]
        await worker.signal(signal)
        note(await worker.waitUntilEnded(), after: signal)
        ended.append(worker)
        workers[index] = try launch(index)
    }

    /// Starts Redis again after a crash, as the container does.
    func restartRedis(_ more: [String] = []) async throws {
        try await redis.repairLog()
        try await redis.start(more)
    }

    /// Runs a command of redis-cli; in the mix Redis may be away still, and what it answers does not matter.
    @discardableResult
    func control(_ words: String...) async -> String { await control(words) }

    /// In a cluster, a command about a key goes to who has it, and one without to all, or to the node that something happens to.
    @discardableResult
    func control(_ words: [String]) async -> String {
        guard let cluster else { return await control(words, at: redis) }
        if words.first == "DEL" {
            for key in words.dropFirst() { await control(["UNLINK", key]) }
            return ""
        }
        var command = RedisCommand()
        for word in words { command.append(word) }
        if let slot = command.slot {
            let owner = try? await cluster.ownerIfAny(of: slot)
            return await control(words, at: owner?.server ?? redis)
        }
        if Self.forOneNode.contains(words[0]) || Self.forOneNode.contains(words.prefix(2).joined(separator: " ")) {
            return await control(words, at: redis)
        }
        var answers: [String] = []
        for node in cluster.nodes where node.server.isRunning { answers.append(await control(words, at: node.server)) }
        return answers.joined(separator: "\n")
    }

    private static let forOneNode: Set = [
        "DEBUG", "EVAL", "SCRIPT", "BGREWRITEAOF", "INFO", "CLIENT PAUSE", "FUNCTION LIST", "FUNCTION LOAD",
    ]

    /// All servers that run.
    var servers: [RedisServer] { cluster?.nodes.map(\.server).filter(\.isRunning) ?? [redis] }

    /// Runs a command of redis-cli at one server, whatever it answers.
    @discardableResult
    func control(_ words: [String], at server: RedisServer?) async -> String {
        guard let server else { return "" }
        let login = password.map { ["-a", $0, "--no-auth-warning"] } ?? []
        do {
            let outcome = try await Program.run(
                "redis-cli",
                ["-s", server.folder.path + "/redis.sock"] + login + words
            )
            let answer = outcome.output.trimmingCharacters(in: .newlines)
            answers[words.prefix(2).joined(separator: " ")] = answer
            return answer
        } catch {
            Issue.record("redis-cli: \(error)")
            return ""
        }
    }

    /// The words that add a todo for a user.
    func adding(_ todo: String, for uid: String) -> [String] {
        let key = "todomate:{\(uid)}"
        return ["FCALL", "todomate_add"] + (cluster == nil ? ["1", key] : ["2", key, key + ":log"]) + [todo]
    }

    /// Lets nothing pass between these nodes of the cluster and all others; clients reach each.
    func part(_ nodes: [RedisCluster.Node]) {
        let inside = Set(nodes.map(\.source))
        for (source, gates) in gates {
            let parted = inside.contains(source) ? Set(self.gates.keys).subtracting(inside) : inside
            for gate in gates { gate.parted = parted }
        }
    }

    func noteMark(of fault: Fault) { marks[fault, default: 0] += 1 }

    /// Chooses the node of the cluster that something happens to.
    func choose(_ node: RedisCluster.Node) { redis = node.server }

    /// Carries out commands in one step, so that nothing comes between them; in a cluster where a user's data are.
    func atOnce(_ commands: [[String]], for uid: String = "alice") async {
        let client = RedisClient(cluster?.url ?? redis.url, timeout: .seconds(3))
        defer { client.close() }
        let node = cluster == nil ? nil : try? await client.node(of: "todomate:{\(uid)}")
        for words in [["MULTI"]] + commands + [["EXEC"]] {
            var command = RedisCommand()
            for word in words { command.append(word) }
            if let node { _ = try? await node.send(command) } else { _ = try? await client.send(command) }
        }
    }

    /// Counts how often data of a user were lost on purpose, and were about to be.
    func epoch(of uid: String) -> Int { epochs[uid, default: 0] }

    /// Whether data of a user are just being lost on purpose.
    func isLosingData(of uid: String) -> Bool { losers.contains(uid) }

    /// Loses data on purpose: what was acknowledged to these users before, or to all, does not count any more.
    func loseData(of users: [String]? = nil, _ body: () async throws -> Void) async rethrows {
        let users = users ?? observed
        losers.formUnion(users)
        for uid in users { epochs[uid, default: 0] += 1 }
        try await body()
        for uid in users { epochs[uid, default: 0] += 1 }
        losers.subtract(users)
    }
}
