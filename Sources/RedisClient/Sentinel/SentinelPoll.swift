/// One round of questions to all sentinels, and when enough of them have answered. No I/O.
///
/// A majority is enough: so many have agreed to each failover, so that a sentinel that hangs or is behind the others does no harm.
struct SentinelPoll {
    private let sentinels: [RedisEndpoint]
    private var awaited: Set<RedisEndpoint>
    /// What was said so far.
    private(set) var answers: [SentinelAnswer] = []
    private var failures: [RedisEndpoint: RedisLink.LinkError] = [:]

    /// - Parameters:
    ///   - sentinels: who is asked.
    ///   - awaited: those who have news, and whose answers are waited for.
    init(_ sentinels: [RedisEndpoint], awaiting awaited: Set<RedisEndpoint> = []) {
        (self.sentinels, self.awaited) = (sentinels, awaited)
    }

    /// Whether more than half of those who were asked have answered.
    var hasMajority: Bool { answers.count * 2 > sentinels.count }

    /// Whether what is still missing need not be waited for.
    var isOver: Bool { hasMajority && awaited.isEmpty || answers.count + failures.count == sentinels.count }

    mutating func receive(_ result: Result<SentinelAnswer, RedisLink.LinkError>, from sentinel: RedisEndpoint) {
        awaited.remove(sentinel)
        switch result {
        case .success(let answer): answers.append(answer)
        case .failure(let error): failures[sentinel] = error
        }
    }

    /// Why nobody names a primary; nil if somebody does.
    var failure: RedisLink.LinkError? {
        guard answers.isEmpty else { return nil }
        let reasons = sentinels.compactMap { sentinel in failures[sentinel].map { "\(sentinel): \($0.reason)" } }
        return RedisLink.LinkError(
            reason: "no sentinel names the primary: " + reasons.joined(separator: "; "),
            isRefusal: failures.values.contains { $0.isRefusal }
        )
    }
}
