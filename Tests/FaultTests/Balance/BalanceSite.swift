import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate

/// Workers on one port and one Redis, readers that come back as browsers do, and a writer that never rests.
@LoopActor
final class BalanceSite {
    private let redis: RedisServer
    let listener: LoadListener
    private(set) var workers: [RunningProgram] = []
    private(set) var readers: [StreamClient] = []
    private let client: RedisClient
    private let port: Int
    private let options: [String]
    private let users: [String]
    private var random = SeededRandom(seed: 20_261_120)
    private var writes = 0
    private var underWay = 0
    private var writer: LoopTimer?

    /// - Parameters:
    ///   - users: how many users there are to read of.
    ///   - pace: the workers' `--announce-every`; nil for what it is by itself.
    init(_ redis: RedisServer, users: Int, pace: String?) async throws {
        self.redis = redis
        port = try freePort()
        options = pace.map { ["--announce-every", $0] } ?? []
        self.users = (1...users).map { "user\($0)" }
        client = RedisClient(redis.url, timeout: .seconds(20))
        listener = await LoadListener(redis.url)
    }

    /// Says something to Redis.
    func command(_ command: RedisCommand) async throws { try await client.send(command) }

    /// Starts a worker and waits until it serves and has announced itself.
    func startWorker() async throws {
        let words = ["worker", "--redis", "unix://\(redis.url)", "--listen", "127.0.0.1:\(port)"] + options
        let worker = try RunningProgram("todomate", words)
        workers.append(worker)
        try await eventually("a worker is ready") {
            worker.errors.contains("message=ready") && listener.streams.count == workers.count
        }
    }

    /// Ends the oldest worker as an operator does, and starts another, once all readers are back at those that are left.
    func replaceOldest() async throws {
        let worker = workers.removeFirst()
        let ending = await worker.stop()
        #expect(ending == .exit(0))
        try await eventually("its readers are elsewhere") { listener.streams.values.reduce(0, +) == readers.count }
        try await startWorker()
    }

    /// Opens so many more streams, and waits until all have begun.
    func open(_ count: Int) async throws {
        // Who has seen nothing yet begins again when it comes back to something.
        for uid in users where readers.isEmpty {
            let todo = #"{"id":"first","content":"x","date":"2026-11-20"}"#
            try await client.send(RedisCommand("FCALL", "todomate_add", "1", "todomate:{\(uid)}", todo))
        }
        for number in 1...count {
            let uid = users[readers.count % users.count]
            readers.append(StreamClient(uid: uid, day: nil, port: port, random: random.split()))
            readers.last?.start()
            // A worker that is flooded with connections is another test's matter.
            if number % 50 == 0 { await LoopTimer.sleep(for: .milliseconds(20)) }
        }
        try await eventually("all have begun") { readers.allSatisfy { $0.record.snapshots > 0 } }
    }

    /// Writes a todo of somebody every so often, until ``settle()``.
    func write(every pause: Duration) {
        writer = LoopTimer.every(pause, of: self) { site in
            site.writes += 1
            let (number, uid) = (site.writes, site.users[site.writes % site.users.count])
            let todo = "{\"id\":\"t\(number)\",\"content\":\"todo \(number)\",\"date\":\"2026-11-20\"}"
            site.underWay += 1
            Task {
                let command = RedisCommand("FCALL", "todomate_add", "1", "todomate:{\(uid)}", todo)
                await #expect(throws: Never.self) { try await site.client.send(command) }
                site.underWay -= 1
            }
        }
    }

    /// Ends the writing, and waits until every reader has been told of all.
    func settle() async throws {
        writer?.cancel()
        try await eventually("all is written") { underWay == 0 }
        var latest: [String: String] = [:]
        for uid in users {
            let command = RedisCommand("FCALL_RO", "todomate_latest", "1", "todomate:{\(uid)}")
            latest[uid] = try await client.send(command).string
        }
        try await eventually("all are told") {
            readers.allSatisfy { ($0.record.events.last?.id ?? "") == latest[$0.record.uid] }
        }
    }

    /// What a reader was told that is not each version once, in order, after one snapshot.
    var objections: [String] {
        readers.flatMap { reader in
            let versions = reader.record.events.compactMap { $0.id.flatMap { ChangeID($0)?.version } }
            let first = versions.first ?? 0
            return (versions == Array(first..<first + versions.count) ? [] : ["\(reader.record.uid): \(versions)"])
                + (reader.record.snapshots == 1 ? [] : ["\(reader.record.uid) began \(reader.record.snapshots) times"])
        }
    }

    /// How many changes were told, all readers together.
    var told: Int { readers.reduce(0) { $0 + $1.record.events.count - $1.record.snapshots } }

    /// How many were let go for the others' sake, as the workers that still run have logged.
    var letGo: Int {
        workers.reduce(0) { $0 + $1.errors.matches(of: #/let_go=(\d+)/#).reduce(0) { $0 + (Int($1.1) ?? 0) } }
    }

    /// Whether a worker that still runs has logged this.
    func hasLogged(_ text: String) -> Bool { workers.contains { $0.errors.contains(text) } }

    /// How many episodes of letting go are under way.
    var episodes: Int {
        workers.reduce(0) {
            $0 + $1.errors.components(separatedBy: "letting streams go").count
                - $1.errors.components(separatedBy: "streams stay again").count
        }
    }

    func stop() async {
        writer?.cancel()
        for reader in readers { reader.stop() }
        for worker in workers { await worker.stop() }
        client.close()
        listener.close()
    }
}

/// Runs `body` with a Redis and no worker yet.
@LoopActor
func withBalanceSite(
    users: Int,
    pace: String?,
    _ body: @LoopActor (BalanceSite) async throws -> Void
) async throws {
    try await withRedis { redis in
        let site = try await BalanceSite(redis, users: users, pace: pace)
        do {
            try await body(site)
        } catch {
            await site.stop()
            throw error
        }
        await site.stop()
    }
}
