import EventLoop

/// Asks sentinels who the primary is, one after the other: any may be down, or not know yet.
///
/// See [the guidelines for clients of Sentinel](https://redis.io/docs/latest/develop/reference/sentinel-clients/).
@LoopActor
struct SentinelQuery {
    private let url: RedisURL
    private let sentinels: [RedisEndpoint]
    private let primary: String

    /// How long a sentinel has to answer.
    private static let patience = Duration.seconds(1)

    init(_ url: RedisURL, _ sentinels: [RedisEndpoint], _ primary: String) {
        (self.url, self.sentinels, self.primary) = (url, sentinels, primary)
    }

    /// The primary, as the first sentinel that knows one calls it.
    ///
    /// - Parameter offset: which sentinel is asked first: another one at each attempt, as one may be behind the others.
    func run(startingAt offset: Int) async throws(RedisLink.LinkError) -> RedisEndpoint {
        var reasons: [String] = []
        for index in sentinels.indices {
            let sentinel = sentinels[(offset + index) % sentinels.count]
            do throws(RedisError) {
                return try await ask(sentinel)
            } catch {
                reasons.append("\(sentinel): \(error.reason)")
            }
        }
        throw RedisLink.LinkError(reason: "no sentinel names \(primary): " + reasons.joined(separator: "; "))
    }

    private func ask(_ sentinel: RedisEndpoint) async throws(RedisError) -> RedisEndpoint {
        let node = RedisNode(url.sentinel(sentinel), timeout: Self.patience, failsWithConnection: true)
        defer { node.close() }
        let reply = try await node.send(RedisCommand("SENTINEL", "GET-MASTER-ADDR-BY-NAME", primary))
        guard let words = reply.array, words.count == 2, let host = words[0].string,
            let port = words[1].string.flatMap({ Int($0) }), (1...65535).contains(port)
        else { throw .unexpectedReply("it knows no primary of the name \(primary)") }
        return RedisEndpoint(host: host, port: port)
    }
}
