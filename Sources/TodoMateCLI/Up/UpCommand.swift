import CommandArguments
import EventLoop
import Foundation
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate up`
struct UpCommand: Command {
    static let about = CommandDescription(
        name: "up",
        summary: "Run a private Redis and workers here, until Ctrl-C.",
        discussion:
            "The Redis serves on a socket that only you may use, keeps every write in an append-only file, and is a "
            + "separate one: a Redis that is already running is left alone. Other commands find it by its folder, "
            + "\(DataDirectory.usualPath) or what \(DataDirectory.variable) names. What dies is started again.",
        examples: [
            .init("todomate up"), .init("todomate up --workers 4 --data /var/lib/todomate"),
            .init("todomate up --port 6379", "For programs that cannot use the socket."),
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
        "port",
        short: "p",
        as: .integer(in: 1...65_535),
        valueName: "port",
        environment: "TODOMATE_REDIS_PORT",
        help:
            "Let Redis listen on this loopback port, too, or the next free one when it is taken, with the password "
            + "in the file 'password' of its folder."
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
        let folder = try DataDirectory(data)
        if !folder.tightened.isEmpty {
            logger.warning(
                "others could read or enter what was kept; now its owner alone can",
                ["data": folder.path, "changed": String(folder.tightened.count)]
            )
        }
        let port = try firstPort.map { try FreePort.find(from: $0, option: "--port") }
        let httpPort = try FreePort.find(from: firstHTTPPort, option: "--http-port")
        let password = try RedisPassword(in: folder, isNeeded: port != nil)
        let redis = PrivateRedis(in: folder, port: port, password: password)
        guard !redis.isServed else {
            throw CommandError(
                "a redis-server of an earlier start still runs in \(folder.path): "
                    + "end it with \(UpBanner.endingLine(redis))",
                exitCode: .unavailable
            )
        }
        let file = AppendOnlyFile(in: folder)
        let redisServer = Supervisor("redis-server", logger: logger) {
            if let repair = try await repaired(file, in: folder) {
                logger.warning(
                    "cut off what a crash left half-written at the end of Redis's file",
                    ["bytes": String(repair.bytes), "kept": repair.keptAs]
                )
            }
            return try redis.start()
        }
        stop.onRepeat = { redisServer.kill() }
        try await redisServer.run()
        do {
            try await waitUntilReady(redis, redisServer, stop)
            if !stop.isStopped { try await runWorkers(redis, httpPort: httpPort, stop) }
        } catch {
            await redisServer.stop(grace: .seconds(10))
            throw error
        }
        await redisServer.stop(grace: .seconds(10))
        logger.info("stopped", ["data": folder.path])
        return .ok
    }

    @LoopActor
    private func repaired(_ file: AppendOnlyFile, in folder: DataDirectory) async throws -> AppendOnlyFile.Repair? {
        do {
            return try await file.repair()
        } catch {
            throw CommandError(
                "Redis's file in \(folder.file(DataDirectory.appendOnlyName)) cannot be repaired: \(error.localizedDescription)",
                exitCode: .ioError
            )
        }
    }

    /// Returns when Redis answers and has the function library.
    @LoopActor
    private func waitUntilReady(_ redis: PrivateRedis, _ server: Supervisor, _ stop: StopSignal) async throws {
        let repository = RedisTodoRepository(redis.redisURL, timeout: .seconds(1))
        defer { repository.close() }
        let preparation = Task { try await repository.prepare() }
        let watch = LoopTimer(every: .milliseconds(50)) {
            // Closing the repository ends the wait.
            if stop.isStopped || server.failures >= 3 { repository.close() }
        }
        defer { watch.cancel() }
        do {
            try await preparation.value
        } catch {
            if stop.isStopped { return }
            throw CommandError(
                "redis-server does not start; its last words:\n\(redis.lastWords)",
                exitCode: .unavailable
            )
        }
    }

    /// Runs the workers until the stop signal comes.
    @LoopActor
    private func runWorkers(_ redis: PrivateRedis, httpPort: Int, _ stop: StopSignal) async throws {
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
            hasSecret: hasSecret
        )
        Terminal(environment: [:]).write(banner.text)
        let onRepeat = stop.onRepeat
        stop.onRepeat = {
            for supervisor in supervisors { supervisor.kill() }
            onRepeat()
        }
        await stop.wait()
        let endings = supervisors.map { supervisor in Task { await supervisor.stop(grace: .seconds(5)) } }
        for ending in endings { await ending.value }
    }

    private var observeArguments: [String] { observe.isEmpty ? [] : ["--observe", observe.joined(separator: ",")] }
}
