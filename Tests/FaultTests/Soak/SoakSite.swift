import EventLoop
import RedisClient
import TestServers
import Testing

/// One Redis and the workers on it, each on a port of its own so that it can be asked about itself.
@LoopActor
final class SoakSite {
    let redis: RedisServer
    let client: RedisClient
    private(set) var ports: [Int] = []
    private var workers: [RunningProgram] = []

    init() throws {
        redis = try RedisServer()
        client = RedisClient(redis.url)
    }

    func start(workers count: Int) async throws {
        try await redis.start()
        for number in 1...count {
            let port = try freePort()
            let words = ["worker", "--redis", "unix://\(redis.url)", "--listen", "127.0.0.1:\(port)"]
            workers.append(
                try RunningProgram("todomate", words + ["--name", "worker-\(number)", "--log-level", "warning"])
            )
            ports.append(port)
        }
        for port in ports {
            try await eventually("a worker is ready") {
                await HTTPCaller.call("GET", "/readyz", port: port)?.status == 200
            }
        }
    }

    func stop() async {
        client.close()
        for worker in workers { await worker.stop() }
        await redis.stop()
    }

    /// What the workers wrote to their logs, which is nothing as long as nothing is out of the ordinary.
    var warnings: [String] {
        workers.flatMap { $0.errors.split(separator: "\n").map(String.init) }.filter {
            !$0.contains("no secret is set")
        }
    }

    func figures() async -> [WorkerFigures]? {
        var all: [WorkerFigures] = []
        for port in ports {
            guard let figures = await WorkerFigures(port: port) else { return nil }
            all.append(figures)
        }
        return all
    }

    /// How many connections are subscribed to each user's channel, by user: `PUBSUB CHANNELS` and `PUBSUB NUMSUB`.
    func subscriptions() async throws -> [String: Int] {
        let channels = try await client.send(RedisCommand("PUBSUB", "CHANNELS", "todomate:{*}:changes")).array ?? []
        guard !channels.isEmpty else { return [:] }
        var command = RedisCommand("PUBSUB", "NUMSUB")
        for channel in channels { command.append(channel.bytes ?? []) }
        let answer = try await client.send(command).array ?? []
        var counts: [String: Int] = [:]
        for index in stride(from: 0, to: answer.count - 1, by: 2) {
            let uid = (answer[index].string ?? "").dropFirst("todomate:{".count).dropLast("}:changes".count)
            counts[String(uid)] = answer[index + 1].integer
        }
        return counts
    }

    /// The last change of each user.
    func latest(of users: [String]) async throws -> [String] {
        let calls = users.map { uid in
            Task {
                try await client.send(RedisCommand("FCALL_RO", "todomate_latest", "1", "todomate:{\(uid)}")).string
                    ?? ""
            }
        }
        var ids: [String] = []
        for call in calls { ids.append(try await call.value) }
        return ids
    }
}
