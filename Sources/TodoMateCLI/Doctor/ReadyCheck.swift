import EventLoop
import HTTPServing
import RedisClient
import TodoMateRedis

/// Whether this installation serves at this moment: `todomate doctor --ready`, for health checks.
struct ReadyCheck: Sendable {
    /// Where the worker listens; nil checks Redis itself.
    let listen: ListenAddress?
    let redis: RedisPlace

    /// Why it does not serve; nil when it does. Nothing is changed by asking.
    @LoopActor
    func objection() async throws -> String? {
        if let listen { return await objection(ofWorkerAt: listen) }
        return try await redis.withClient { client in
            do throws(RedisError) {
                try await client.send(RedisCommand("FCALL_RO", "todomate_version", "0"))
                return nil
            } catch {
                return error.isMissingFunction
                    ? "Redis has no functions yet: a worker loads them when it starts" : "\(error)"
            }
        }
    }

    @LoopActor
    private func objection(ofWorkerAt address: ListenAddress) async -> String? {
        let (host, place) = (address.localHost, "http://\(address.localAuthority)/readyz")
        guard let answer = await HTTPProbe.get("/readyz", host: host, port: address.port, within: redis.timeout) else {
            return "no worker answers at \(place)"
        }
        let reason = answer.body.split(separator: "\n").first.map(String.init) ?? ""
        return answer.status == 200 ? nil : "\(place) answers \(answer.status): \(reason)"
    }
}

extension ListenAddress {
    /// Where this machine itself reaches a worker that listens here.
    var localHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// The same with the port, as URLs have it.
    var localAuthority: String { (localHost.contains(":") ? "[\(localHost)]" : localHost) + ":\(port)" }
}
