public import EventLoop
public import Foundation
public import RedisClient
import Testing

/// A redis-server of the test's own, on a Unix socket in a temporary folder; ended by pid.
@LoopActor
public final class RedisServer: TestRedis {
    /// Where its files are.
    public nonisolated let folder: URL
    /// Where it listens.
    public nonisolated let url: RedisURL
    private let options: [String]
    private var process: ChildProcess?

    /// - Parameters:
    ///   - options: as `redis-server` takes them, such as `--appendonly yes`.
    ///   - port: a TCP port to listen on besides; nil for none.
    public init(_ options: [String] = [], port: Int? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "todomate-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = RedisURL(.unix(path: folder.path + "/redis.sock"))
        let fixed = ["--unixsocket", folder.path + "/redis.sock", "--dir", folder.path, "--bind", "127.0.0.1"]
        let changeable = ["--port", String(port ?? 0), "--save", "", "--logfile", "redis.log"]
        self.options = fixed + changeable + options
    }

    /// Starts it and waits until it answers.
    ///
    /// - Parameter more: options for this time alone.
    public func start(_ more: [String] = []) async throws {
        process = try ChildProcess("redis-server", options + more)
        isRunning = true
        // Sooner than a client's backoff would find out.
        try await eventually("redis-server listens") { isListening }
        let client = RedisClient(url, timeout: .seconds(20))
        defer { client.close() }
        do throws(RedisError) {
            // A server that is still loading is waited for.
            try await client.send(RedisCommand("PING"))
        } catch .refused {
            // It is up, and wants a password.
        }
    }

    /// Whether somebody could connect.
    private var isListening: Bool {
        guard let descriptor = UnixSocket.connect(to: folder.path + "/redis.sock") else { return false }
        close(descriptor)
        return true
    }

    /// Whether it was started and not ended.
    public private(set) var isRunning = false

    /// Cuts off what a crash left half-written, by the script that the container runs before Redis; returns what it says.
    @discardableResult
    public func repairLog() async throws -> String {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL
        let outcome = try await Program.run(root.path + "/deploy/redis/repair-log", [folder.path])
        guard outcome.ending == .exit(0) else { throw LogNotMended(words: outcome.errors) }
        return outcome.errors
    }

    private struct LogNotMended: Error { var words: String }

    /// Ends it at once, as a crash would.
    public func crash() async {
        isRunning = false
        process?.signal(SIGKILL)
        _ = await process?.waitUntilEnded()
    }

    /// Sends it a signal, such as SIGSTOP.
    public func signal(_ signal: Int32) { process?.signal(signal) }

    /// Ends it and removes its files, for which it need not be asked.
    public func stop() async {
        await crash()
        try? FileManager.default.removeItem(at: folder)
    }

    public nonisolated var address: String { "unix://\(url)" }

    public func crash(_ uid: String) async throws { await crash() }

    public func restart(_ uid: String, isEmpty: Bool) async throws {
        if isEmpty { try FileManager.default.removeItem(at: folder.appending(path: "appendonlydir")) }
        try await start()
    }

    /// What it says to something that a test asks again and again, for which redis-cli would be a process each time; empty for an error.
    public nonisolated func ask(_ words: String...) async -> String {
        UnixSocket.answer(of: folder.path + "/redis.sock", to: words) ?? ""
    }

    public nonisolated func cli(_ arguments: [String]) async throws -> String {
        try await Program.run("redis-cli", ["-s", folder.path + "/redis.sock"] + arguments).output
            .trimmingCharacters(in: .newlines)
    }
}

/// Runs `body` with a fresh redis-server and ends it afterwards.
public func withRedis<Result: Sendable>(
    _ options: String...,
    body: @LoopActor (RedisServer) async throws -> Result
) async throws -> Result {
    let server = try await RedisServer(options)
    do {
        try await server.start()
        let result = try await TestSession.$folder.withValue(server.folder.path) { try await body(server) }
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}
