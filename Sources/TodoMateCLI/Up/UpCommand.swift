import CommandArguments
import EventLoop
import Foundation
import RedisClient
import TerminalUI
import TodoMate

/// `todomate up`
struct UpCommand: Command {
    static let about = CommandDescription(
        name: "up",
        summary: "Run a private Redis, or a Redis Cluster, and workers here, until Ctrl-C.",
        discussion:
            "The Redis serves on a socket that only you may use, keeps every write in an append-only file, and is a "
            + "separate one: a Redis that is already running is left alone. Other commands find it by its folder, "
            + "\(DataDirectory.usualPath) or what \(DataDirectory.variable) names. What dies is started again.\n\n"
            + "With --cluster the todos are spread over so many redis-servers, each in a folder of its own there, which listen "
            + "on loopback ports and want the password in the file 'password'. They talk to each other on ports of their "
            + "own, for which Redis has no password: use it where you trust the other users of the machine.",
        examples: [
            .init("todomate up"), .init("todomate up --workers 4 --data /var/lib/todomate"),
            .init("todomate up --port 6379", "For programs that cannot use the socket."),
            .init("todomate up --cluster 3", "To see how TodoMate works on a Redis Cluster."),
        ]
    )

    /// The private Redis has its own password or none, whatever another one has.
    private static func workerEnvironment(_ password: RedisPassword?) -> [String: String] {
        ["TODOMATE_REDIS_PASSWORD_FILE": password?.path ?? ""]
    }

    @Option(
        "workers",
        short: "w",
        as: .integer(in: 1...64),
        default: 2,
        valueName: "number",
        environment: "TODOMATE_WORKERS",
        help: "The number of worker processes."
    )
    private var workers: Int
    @Option(
        "data",
        as: .text,
        default: DataDirectory.usualPath,
        valueName: "folder",
        environment: DataDirectory.variable,
        help: "The folder for the todos and the socket of Redis, which only its owner may enter."
    )
    private var data: String
    @Option(
        "cluster",
        as: .integer(in: 3...9),
        valueName: "nodes",
        environment: "TODOMATE_CLUSTER",
        help: "Run a Redis Cluster of so many primaries instead of one Redis, always as many in the same folder."
    )
    private var nodes: Int?
    @Option(
        "port",
        short: "p",
        as: .integer(in: 1...65_535),
        valueName: "port",
        environment: "TODOMATE_REDIS_PORT",
        help:
            "Let Redis listen on this loopback port, too, or the next free one when it is taken, with the password "
            + "in the file 'password' of its folder. With --cluster: the port of the first node, or else 7001."
    )
    private var firstPort: Int?
    @Option(
        "http-port",
        as: .integer(in: 1...65_535),
        default: 8080,
        valueName: "port",
        environment: "TODOMATE_HTTP_PORT",
        help: "The loopback port for HTTP, shared by the workers; the next free one when it is taken."
    )
    private var firstHTTPPort: Int
    @Option(
        "observe",
        as: .list(of: .user),
        default: ["alice", "bob"],
        valueName: "users",
        environment: "TODOMATE_OBSERVE",
        help: "The users whose changes the workers print."
    )
    private var observe: [String]
    private let logging = LogOptions()
    @Environment private var environment: [String: String]

    private var logger: Logger { logging.logger(label: "up") }

    private var hasSecret: Bool {
        ["TODOMATE_SECRET", "TODOMATE_SECRET_FILE"].contains { environment[$0]?.isEmpty == false }
    }

    @LoopActor
    func run() async throws -> ExitCode {
        // The workers inherit the environment: with one that they refuse, none of them would ever start.
        let inherited = environment.merging(Self.workerEnvironment(nil)) { $1 }
        let words = ["--redis", "redis://127.0.0.1", "--listen", "127.0.0.1:0"]
        _ = try WorkerCommand.parse(words, environment: inherited).settings()
        let stop = StopSignal()
        // For Redis and the workers, too, which inherit it: what they write is its owner's alone from the beginning.
        umask(0o077)
        let folder = try DataDirectory(data, nodes: nodes)
        if !folder.tightened.isEmpty {
            logger.warning(
                "others could read or enter what was kept; now its owner alone can",
                ["data": folder.path, "changed": String(folder.tightened.count)]
            )
        }
        let httpPort = try FreePort.find(from: firstHTTPPort, option: "--http-port")
        let store = try PrivateStore(in: folder, nodes: nodes, firstPort: firstPort)
        if let served = store.servers.first(where: \.isServed) {
            throw CommandError(
                "a redis-server of an earlier start still runs in \(served.folder): "
                    + "end it with \(UpBanner.endingLine(served))",
                exitCode: .unavailable
            )
        }
        // Not before: commands send the password to where a server of this folder runs.
        try store.writeAddresses(in: folder)
        let servers = store.servers.enumerated().map { supervisor(of: $1, store.isCluster ? $0 + 1 : nil) }
        stop.onRepeat = { for server in servers { server.kill() } }
        do {
            for server in servers { try await server.run() }
            try await StoreStart(store, servers, stop).waitUntilReady()
            if !stop.isStopped { try await runWorkers(store, httpPort: httpPort, stop) }
        } catch {
            await Self.end(servers, grace: .seconds(10))
            throw error
        }
        await Self.end(servers, grace: .seconds(10))
        logger.info("stopped", ["data": folder.path])
        return .ok
    }

    /// Runs one redis-server.
    ///
    /// - Parameter number: which node it is; nil for one Redis.
    @LoopActor
    private func supervisor(of redis: PrivateRedis, _ number: Int?) -> Supervisor {
        let file = AppendOnlyFile(in: redis.folder)
        return Supervisor("redis-server" + (number.map { "-\($0)" } ?? ""), logger: logger) {
            if let repair = try await file.repaired() {
                logger.warning(
                    "cut off what a crash left half-written at the end of Redis's file",
                    ["bytes": String(repair.bytes), "kept": repair.keptAs]
                )
            }
            return try redis.start()
        }
    }

    /// Ends them all at once.
    @LoopActor
    private static func end(_ supervisors: [Supervisor], grace: Duration) async {
        let endings = supervisors.map { supervisor in Task { await supervisor.stop(grace: grace) } }
        for ending in endings { await ending.value }
    }

    /// Runs the workers until the stop signal comes.
    @LoopActor
    private func runWorkers(_ redis: PrivateStore, httpPort: Int, _ stop: StopSignal) async throws {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let supervisors = (1...workers).map { number in
            Supervisor("worker-\(number)", logger: logger) {
                try ChildProcess(
                    program,
                    ["worker", "--redis", redis.url, "--name", "worker-\(number)", "--listen", "127.0.0.1:\(httpPort)"]
                        + observeArguments + logging.words,
                    environment: Self.workerEnvironment(redis.password)
                )
            }
        }
        for supervisor in supervisors { try await supervisor.run() }
        let banner = UpBanner(
            redis: redis,
            httpPort: httpPort,
            workers: workers,
            data: data,
            users: observe,
            hasSecret: hasSecret,
            folder: UpBanner.folder(of: program, outside: environment["PATH"])
        )
        Terminal(environment: [:]).write(banner.text)
        let onRepeat = stop.onRepeat
        stop.onRepeat = {
            for supervisor in supervisors { supervisor.kill() }
            onRepeat()
        }
        await stop.wait()
        await Self.end(supervisors, grace: .seconds(5))
    }

    private var observeArguments: [String] { observe.isEmpty ? [] : ["--observe", observe.joined(separator: ",")] }
}
