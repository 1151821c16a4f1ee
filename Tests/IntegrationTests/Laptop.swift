import EventLoop
import Foundation
import TestServers
import Testing

/// A machine from which Redis cannot be reached.
struct Laptop: Sendable {
    let server: String
    let home: URL
    var environment: [String: String] = [:]

    /// Nothing that the tests themselves were started with counts.
    private var variables: [String: String] {
        let usual = [
            "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "TODOMATE_REDIS": "", "TODOMATE_DATA": "",
        ]
        return usual.merging(environment) { $1 }
    }

    /// A command line for a shell.
    func line(_ words: [String]) -> String {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return "cd '\(home.path)' && \(Program.builtPrograms.path)/todomate \(line)"
    }

    /// Runs `todomate` there; `lines` come on its standard input.
    func run(_ words: String..., lines: String? = nil) async throws -> Program.Outcome {
        try await run(words, lines: lines)
    }

    /// As ``run(_:lines:)``, of a list.
    func run(_ words: [String], lines: String? = nil) async throws -> Program.Outcome {
        let piped = lines.map { "printf '%s\\n' '\($0)' | " } ?? "</dev/null "
        let script = line(words).replacing("&& ", with: "&& \(piped)")
        return try await Program.run("sh", ["-c", script], environment: variables)
    }

    /// Starts `todomate` there.
    @LoopActor
    func start(_ words: [String]) throws -> RunningProgram {
        try RunningProgram("todomate", words, environment: variables)
    }

    /// Runs `body` with a terminal there in which `todomate` runs, and then a shell waits.
    @LoopActor
    func withTodoMate(_ words: String..., body: @LoopActor (TerminalPane) async throws -> Void) async throws {
        try await withTerminal(
            "\(line(words)); echo left: $?; sleep 60",
            columns: 120,
            environment: variables,
            body: body
        )
    }

    var loginFile: URL { home.appending(path: ".config/todomate/login.json") }

    /// What boards keep there.
    var keptFiles: [String] {
        let folder = home.appending(path: ".local/state/todomate").path
        return FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.filter {
            $0.contains(".sqlite")
        }
        .map { folder + "/" + $0 } ?? []
    }

    func logIn(_ uid: String = "alice") async throws {
        let outcome = try await run("login", server, "--user", uid, lines: GatewayProcess.password)
        #expect(outcome.ending == .exit(0), "\(outcome.errors)")
    }
}

/// Makes the accounts of two people beside a Redis.
@LoopActor
private func makeAccounts(_ redis: RedisServer) async throws {
    for uid in ["alice", "bob"] {
        let made = try await Program.run(
            "sh",
            ["-c", "echo '\(GatewayProcess.password)' | \(Program.builtPrograms.path)/todomate user add \(uid)"],
            environment: ["TODOMATE_REDIS": redis.address]
        )
        #expect(made.ending == .exit(0), "\(made.errors)")
    }
}

/// Runs `body` with a laptop and a server where alice and bob have accounts.
@LoopActor
func withLaptop(_ body: @LoopActor (Laptop, GatewayProcess, RedisServer) async throws -> Void) async throws {
    try await withGateway { redis, gateway in
        try await TestSession.$folder.withValue(redis.folder.path) {
            try await makeAccounts(redis)
            let laptop = Laptop(server: "http://127.0.0.1:\(gateway.port)", home: redis.folder)
            try await body(laptop, gateway, redis)
        }
    }
}

/// A server that comes and goes, as networks do.
@LoopActor
final class FickleServer {
    private let redis: RedisServer
    private let port: Int
    private var gateway: GatewayProcess?

    fileprivate init(_ redis: RedisServer) throws { (self.redis, port) = (redis, try freePort()) }

    fileprivate var address: String { "http://127.0.0.1:\(port)" }

    func come() async throws { gateway = try await GatewayProcess(on: redis, port: port) }

    /// Answers nothing from now on, as a network that has lost its way; `SIGCONT` mends that.
    func signal(_ number: Int32) async {
        if let pid = await gateway?.program.pid { kill(pid, number) }
    }

    func go() async {
        await gateway?.program.stop()
        gateway = nil
    }
}

/// Runs `body` with a laptop and a server that is there until it is told to go.
@LoopActor
func withFickleServer(_ body: @LoopActor (Laptop, FickleServer, RedisServer) async throws -> Void) async throws {
    try await withRedis { redis in
        try await TestSession.$folder.withValue(redis.folder.path) {
            let server = try FickleServer(redis)
            try await server.come()
            do {
                try await makeAccounts(redis)
                try await body(Laptop(server: server.address, home: redis.folder), server, redis)
            } catch {
                await server.go()
                throw error
            }
            await server.go()
        }
    }
}
