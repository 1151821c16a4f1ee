import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

extension TestRedis {
    /// Runs `todomate` with these words and this Redis, to its end.
    nonisolated func todomate(_ arguments: String...) async throws -> Program.Outcome {
        try await todomate(arguments)
    }

    /// Runs `todomate` with these words and this Redis, to its end.
    nonisolated func todomate(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run("todomate", arguments, environment: ["TODOMATE_REDIS": address])
    }

    /// Calls a function for a user with the real redis-cli and returns what that printed.
    @discardableResult
    nonisolated func call(_ function: String, _ uid: String, _ arguments: String...) async throws -> String {
        try await call(function, uid, arguments)
    }

    /// Calls a function for a user so many times with the real redis-cli and returns what that printed.
    @discardableResult
    nonisolated func call(_ function: String, _ uid: String, _ arguments: [String], times: Int = 1) async throws
        -> String
    {
        let keys = isCluster ? ["2", "todomate:{\(uid)}", "todomate:{\(uid)}:log"] : ["1", "todomate:{\(uid)}"]
        let repeated = times == 1 ? [] : ["-r", String(times)]
        return try await cli(repeated + ["FCALL", function] + keys + arguments)
    }

    /// The keys that hold anything but accounts and their sessions, which tests make by asking with a token.
    nonisolated func dataKeys() async throws -> [String] {
        var keys: [String] = []
        for key in try await cli("KEYS", "todomate:*").split(separator: "\n").map(String.init) {
            if key.hasSuffix(":sessions") { continue }
            if key.hasSuffix(":profile"), try await cli("HEXISTS", key, "audience") == "0" { continue }
            keys.append(key)
        }
        return keys
    }

    /// Deletes everything but a user's account and session, in one step.
    nonisolated func flush(but uid: String) async throws {
        let script = """
            redis.call('FLUSHALL')
            redis.call('HSET', KEYS[1], 'password', '$nobody-knows-it', 'generation', '1')
            return redis.call('HSET', KEYS[2], ARGV[1], '{}')
            """
        let keys = ["profile", "sessions"].map { "todomate:{\(uid)}:\($0)" }
        let answer = try await cli("EVAL", script, "2", keys[0], keys[1], TestSession.id(of: uid))
        #expect(answer == "1")
    }

    /// Adds a todo with `redis-cli FCALL`.
    nonisolated func add(_ uid: String, _ content: String, id: String? = nil) async throws {
        let id = id.map { "\"id\":\"\($0)\"," } ?? ""
        let answer = try await call("todomate_add", uid, "{\(id)\"content\":\"\(content)\",\"date\":\"2026-11-20\"}")
        #expect(answer.hasPrefix("{"), "adding '\(content)' for \(uid)")
    }

    /// Publishes any bytes on a user's channel; returns how many heard them.
    @discardableResult
    func publish(_ message: [UInt8], to uid: String) async throws -> Int? {
        var command = RedisCommand(isCluster ? "SPUBLISH" : "PUBLISH", "todomate:{\(uid)}:changes")
        command.append(message)
        let client = RedisClient(url, timeout: .seconds(30))
        defer { client.close() }
        return try await client.send(command).integer
    }

    /// Publishes on any channel, as somebody would by hand; returns how many heard it.
    @discardableResult
    nonisolated func publish(_ message: String, on channel: String) async throws -> Int? {
        Int(try await cli(isCluster ? "SPUBLISH" : "PUBLISH", channel, message))
    }

    /// How many have subscribed to a channel.
    nonisolated func subscribers(of channel: String) async throws -> Int {
        let answer = try await cli("PUBSUB", isCluster ? "SHARDNUMSUB" : "NUMSUB", channel)
        return answer.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
    }

    /// The channels that somebody has subscribed to, in order, but for those by which subscribers of a cluster test themselves.
    nonisolated func channels() async throws -> [String] {
        let answer = try await cli("PUBSUB", isCluster ? "SHARDCHANNELS" : "CHANNELS")
        return answer.split(separator: "\n").map(String.init).filter { !$0.contains(":probe:") }.sorted()
    }

    /// The messages in a user's log, oldest first, as `redis-cli XRANGE` has them.
    nonisolated func log(of uid: String) async throws -> [String] {
        let text = try await cli("--json", "XRANGE", "todomate:{\(uid)}:log", "-", "+")
        return try JSONDecoder().decode([LogEntry].self, from: Data(text.utf8)).map(\.message)
    }
}

/// `["57-1763677123456789", ["change", "{…}", "bytes", "300"]]`
private struct LogEntry: Decodable {
    var message: String

    init(from decoder: any Decoder) throws {
        var entry = try decoder.unkeyedContainer()
        let id = try entry.decode(String.self)
        message = try #require(entry.decode([String].self).dropFirst().first)
        #expect(message.hasPrefix("{\"id\":\"\(id)\","), "the entry's id is the change's")
    }
}

/// Runs `body` with workers on a Redis, each with its own options, once all follow their users; ends them afterwards.
@LoopActor
func withWorkers(
    on server: any TestRedis,
    _ options: [String]...,
    body: @LoopActor ([RunningProgram]) async throws -> Void
) async throws {
    let workers = try options.map { try RunningProgram("todomate", ["worker", "--redis", server.address] + $0) }
    do {
        for worker in workers {
            try await eventually("the worker observes") { worker.errors.contains("message=observing") }
        }
        try await body(workers)
    } catch {
        for worker in workers { await worker.stop() }
        throw error
    }
    for worker in workers {
        let ending = await worker.stop()
        #expect(ending == .exit(0))
    }
}

/// Runs `body` with one worker that prints the changes of `alice` as JSON.
@LoopActor
func withWorker(on server: any TestRedis, body: @LoopActor (RunningProgram) async throws -> Void) async throws {
    try await withWorkers(on: server, ["--observe", "alice", "--json"]) { try await body($0[0]) }
}

/// What a worker that is told to observe `uid` prints for machines when changes were lost.
func resetLine(_ uid: String) -> String { "{\"type\":\"reset\",\"uid\":\"\(uid)\"}" }

extension RunningProgram {
    /// The versions of the changes that a worker printed as JSON; 0 stands for a reset.
    var versions: [Int] {
        lines.compactMap { line in
            if line.hasPrefix("{\"type\":\"reset\"") { return 0 }
            return line.firstMatch(of: /^\{"id":"(\d+)-/).flatMap { Int($0.1) }
        }
    }
}

extension RedisServer {
    /// Has it listen on a free TCP port as well, and returns that.
    nonisolated func openPort() async throws -> Int {
        let port = try freePort()
        let answer = try await cli("CONFIG", "SET", "port", String(port))
        #expect(answer == "OK")
        return port
    }
}
