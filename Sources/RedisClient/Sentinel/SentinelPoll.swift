/// One round of questions to all sentinels, and when enough of them have answered. No I/O.
///
/// A majority that says the same is enough: so many have agreed to each failover, so that a sentinel that hangs does no harm. Where they
/// differ, all are waited for.
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

    /// Whether what is still missing need not be waited for.
    var isOver: Bool { isAgreed && awaited.isEmpty || answers.count + failures.count == sentinels.count }

    /// Whether more than half of those who were asked say the same.
    private var isAgreed: Bool { answers.contains { answer in answers.count { $0 == answer } * 2 > sentinels.count } }

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
