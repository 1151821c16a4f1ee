public import EventLoop
import Foundation
public import RedisClient
import Testing

/// A primary, its replicas and their sentinels, all of the test's own: in temporary folders, on ports of the loopback address; ended
/// by pid.
@LoopActor
public final class RedisSentinels {
    /// One of the servers.
    public struct Server: Sendable {
        public let redis: RedisServer
        public let endpoint: RedisEndpoint

        /// What redis-cli prints of a command to this server.
        @discardableResult
        public func cli(_ words: String...) async throws -> String { try await redis.cli(words) }
    }

    /// One of the sentinels.
    public struct Sentinel: Sendable {
        public let program: RunningProgram
        public let endpoint: RedisEndpoint
        fileprivate let password: String?
        fileprivate let tls: ServerTLS?

        /// What redis-cli prints of a command to this sentinel.
        @discardableResult
        public func cli(_ words: String...) async throws -> String { try await ask(words) }

        fileprivate func ask(_ words: [String]) async throws -> String {
            let environment = password.map { ["REDISCLI_AUTH": $0] } ?? [:]
            let place = ["-p", String(endpoint.port)] + (tls?.clientOptions ?? [])
            return try await Program.run("redis-cli", place + words, environment: environment)
                .output.trimmingCharacters(in: .newlines)
        }
    }

    /// What the sentinels call the primary.
    public nonisolated static let name = "todos"
    /// How long a server is silent before a sentinel takes it for dead, in milliseconds: with less, a busy machine replaces one that
    /// lives, and writes that no replica has yet are gone with it.
    public nonisolated static let downAfter = 2000

    /// The first begins as the primary.
    public private(set) var servers: [Server] = []
    public private(set) var sentinels: [Sentinel] = []
    private let folder: URL
    private let password: String?
    /// Set where servers and sentinels speak nothing but TLS.
    private let tls: ServerTLS?

    fileprivate init(password: String?, tls: ServerTLS?) throws {
        (self.password, self.tls) = (password, tls)
        folder = FileManager.default.temporaryDirectory.appending(path: "todomate-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Where the primary is to be asked for.
    public var url: RedisURL {
        var url = RedisURL(.sentinel(sentinels.map(\.endpoint), primary: Self.name))
        url.sentinelPassword = password
        return tls?.url(url) ?? url
    }

    /// The same, as programs are told, without the password.
    public var address: String {
        "redis+sentinel://\(sentinels.map(\.endpoint.description).joined(separator: ","))/\(Self.name)"
    }

    fileprivate func start(replicas: Int, sentinels count: Int) async throws {
        for number in 0...replicas {
            let port = try freePort()
            let place = servers.first.map { ["--replicaof", "127.0.0.1", String($0.endpoint.port)] } ?? []
            let options = ["--repl-diskless-sync-delay", "0"] + place + (tls?.options(port: port) ?? [])
            let redis = try RedisServer(options, port: port)
            servers.append(Server(redis: redis, endpoint: RedisEndpoint(host: "127.0.0.1", port: port)))
            try await servers[number].redis.start()
        }
        for _ in 0..<count { try await addSentinel(quorum: count / 2 + 1) }
        try await waitUntilReady()
    }

    private func addSentinel(quorum: Int) async throws {
        let port = try freePort()
        let place = folder.appending(path: "\(port)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let lines =
            (tls?.settings(port: port).map { "\($0.name) \($0.value)" } ?? ["port \(port)"]) + [
                "bind 127.0.0.1", "dir \(place.path)",
                "sentinel monitor \(Self.name) 127.0.0.1 \(servers[0].endpoint.port) \(quorum)",
                "sentinel down-after-milliseconds \(Self.name) \(Self.downAfter)",
                "sentinel failover-timeout \(Self.name) 5000",
            ] + (password.map { ["requirepass \($0)"] } ?? [])
        let configuration = place.appending(path: "sentinel.conf")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: configuration)
        let program = try RunningProgram("redis-server", [configuration.path, "--sentinel"])
        let endpoint = RedisEndpoint(host: "127.0.0.1", port: port)
        let sentinel = Sentinel(program: program, endpoint: endpoint, password: password, tls: tls)
        sentinels.append(sentinel)
        try await eventually("the sentinel answers") { try await sentinel.cli("PING") == "PONG" }
        // It looks at servers more often, and does without the half minute of caution after a busy moment of this machine.
        let settings = ["INFO-PERIOD", "1000", "TILT-PERIOD", "1000", "TILT-TRIGGER", "20000"]
        try await eventually("the sentinel takes its periods") {
            try await sentinel.ask(["SENTINEL", "DEBUG"] + settings) == "OK"
        }
    }

    /// Those that run.
    public var runningServers: [Server] { servers.filter(\.redis.isRunning) }

    /// Returns once every replica that runs is in step, and every sentinel knows all of them and the other sentinels.
    public func waitUntilReady() async throws {
        let running = runningServers
        for server in running {
            try await eventually("\(server.endpoint) is in step", within: .seconds(60)) {
                let facts = try await server.cli("INFO", "replication")
                return facts.contains("role:master") || facts.contains("master_link_status:up")
            }
        }
        for sentinel in sentinels {
            try await eventually("\(sentinel.endpoint) knows all others", within: .seconds(60)) {
                let facts = try await sentinel.cli("SENTINEL", "MASTER", Self.name)
                let words = facts.split(separator: "\n").map(String.init)
                func value(_ name: String) -> String? {
                    words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
                }
                let others = String(self.sentinels.count - 1)
                guard value("flags") == "master", value("num-other-sentinels") == others else { return false }
                let replicas = try await sentinel.cli("SENTINEL", "REPLICAS", Self.name)
                return replicas.components(separatedBy: "master-link-status\nok").count >= running.count
            }
        }
    }

    /// The server that a sentinel that runs calls the primary.
    public func primary(by index: Int = 0) async throws -> Server {
        let words = try await sentinels[index].cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", Self.name)
        let port = words.split(separator: "\n").last.flatMap { Int($0) }
        return try #require(servers.first { $0.endpoint.port == port }, "\(words)")
    }

    /// Returns the primary once sentinels have made it another one than this.
    public func successor(of server: Server) async throws -> Server {
        var successor = server
        try await eventually("another server is the primary", within: .seconds(90)) {
            successor = try await primary()
            guard successor.endpoint != server.endpoint else { return false }
            return try await successor.cli("ROLE").hasPrefix("master")
        }
        return successor
    }

    /// Has a sentinel put a replica in the primary's place, which lives on.
    public func failOver() async throws {
        try await eventually("a sentinel begins the failover") {
            try await sentinels[0].cli("SENTINEL", "FAILOVER", Self.name) == "OK"
        }
    }

    /// Ends the first sentinel that runs, for good.
    public func endSentinel() async {
        guard !sentinels.isEmpty else { return }
        await sentinels.removeFirst().program.stop()
    }

    fileprivate func stop() async {
        for sentinel in sentinels {
            await sentinel.program.signal(SIGCONT)
            await sentinel.program.stop()
        }
        for server in servers { await server.redis.stop() }
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Runs `body` with a fresh primary, its replicas and their sentinels, once all are in step, and ends them afterwards.
public func withRedisSentinels<Result: Sendable>(
    replicas: Int = 2,
    sentinels: Int = 3,
    password: String? = nil,
    tls: ServerTLS? = nil,
    body: @LoopActor (RedisSentinels) async throws -> Result
) async throws -> Result {
    let site = try await RedisSentinels(password: password, tls: tls)
    do {
        try await site.start(replicas: replicas, sentinels: sentinels)
        let result = try await body(site)
        await site.stop()
        return result
    } catch {
        await site.stop()
        throw error
    }
}
