import EventLoop
import HTTPServing
import RedisClient
import TodoMateRedis

/// Whether this installation serves at this moment: `todomate doctor --ready`, for health checks.
struct ReadyCheck: Sendable {
    /// Where the worker listens; nil checks Redis itself.
    let listen: ListenAddress?
    let redis: RedisPlace

    /// Whether it serves.
    enum Answer: Sendable {
        /// It does, though perhaps not all of it.
        case ready(but: String?)
        case notReady(String)

        fileprivate init(_ objection: String?) { self = objection.map { .notReady($0) } ?? .ready(but: nil) }
    }

    /// Whether it serves. Nothing is changed by asking.
    @LoopActor
    func answer() async throws -> Answer {
        if let listen { return Answer(await objection(ofWorkerAt: listen)) }
        return try await redis.withClient { client in
            client.isCluster ? await answer(ofCluster: client) : Answer(await objection(of: client))
        }
    }

    @LoopActor
    private func objection(of client: RedisClient) async -> String? {
        do throws(RedisError) {
            try await client.send(RedisCommand("FCALL_RO", "todomate_version", "0"))
            return nil
        } catch {
            return error.isMissingFunction ? Self.withoutFunctions : "\(error)"
        }
    }

    private static let withoutFunctions = "Redis has no functions yet: a worker loads them when it starts"

    /// A cluster of which a part is gone serves: other users do not depend on it.
    @LoopActor
    private func answer(ofCluster client: RedisClient) async -> Answer {
        do throws(RedisError) {
            let condition = try await ClusterCondition.of(client, within: redis.timeout)
            if let objection = condition.objection { return .notReady(objection) }
            if condition.lacksFunctions { return .notReady(Self.withoutFunctions) }
            let silence = condition.silent.first.map { "a node does not answer: \($0)" }
            let remarks = [condition.partWithoutFunctions, condition.limitation ?? silence].compactMap { $0 }
            return .ready(but: remarks.isEmpty ? nil : remarks.joined(separator: "; and "))
        } catch {
            return .notReady("\(error)")
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
