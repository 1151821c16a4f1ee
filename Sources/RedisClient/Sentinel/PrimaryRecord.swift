/// Which server is the primary, by all that sentinels have said so far. No I/O.
///
/// The newest configuration counts, as soon as most sentinels know it. What only some say so far may be a failover that the others
/// are about to hear of, or a mistake: the servers themselves tell, see ``ReplicationFacts``. A sentinel that was away names an older
/// primary, which may well take itself for one still: what it says counts only once a majority has said for a while that what is known
/// is not so, as after sentinels were set up anew.
struct PrimaryRecord {
    /// Twice as long as sentinels take to tell each other, and some more.
    static let patience = Duration.seconds(5)

    /// What sentinels say, beside what is known.
    enum Finding: Equatable {
        /// Nothing new.
        case same
        /// Another server is the primary now.
        case other
        /// Some sentinels know of a newer configuration, with another primary; ``adopt(_:)`` follows if that is so.
        case doubtful(SentinelAnswer)
    }

    /// What is known; nil before the first answer.
    private(set) var known: SentinelAnswer?
    /// Since when a majority contradicts it.
    private var doubtedSince: ContinuousClock.Instant?
    private let sentinels: Int

    /// - Parameter sentinels: how many there are.
    init(of sentinels: Int) { self.sentinels = sentinels }

    /// Takes in what sentinels say.
    mutating func hear(_ answers: [SentinelAnswer], at now: ContinuousClock.Instant) -> Finding {
        guard let newest = Self.newest(of: answers) else { return .same }
        guard let known else {
            adopt(Self.mostNamed(of: answers) ?? newest)
            return self.known?.primary == newest.primary ? .other : .doubtful(newest)
        }
        if newest.epoch > known.epoch {
            guard newest.primary == known.primary || isMost(answers.filter { $0 == newest }) else {
                return .doubtful(newest)
            }
            return adopt(newest)
        }
        guard isMost(answers), !answers.contains(known) else {
            if answers.contains(known) { doubtedSince = nil }
            return .same
        }
        let since = doubtedSince ?? now
        doubtedSince = since
        return now - since >= Self.patience ? adopt(newest) : .same
    }

    /// Takes for true what some sentinels say.
    @discardableResult
    mutating func adopt(_ answer: SentinelAnswer) -> Finding {
        defer { (known, doubtedSince) = (answer, nil) }
        return known?.primary == answer.primary ? .same : .other
    }

    private func isMost(_ answers: [SentinelAnswer]) -> Bool { answers.count * 2 > sentinels }

    /// The answer of the newest configuration, and of those the one that most give.
    private static func newest(of answers: [SentinelAnswer]) -> SentinelAnswer? {
        let epoch = answers.map(\.epoch).max()
        return mostNamed(of: answers.filter { $0.epoch == epoch })
    }

    /// The answer that most give, and of several such the one of the newest configuration.
    private static func mostNamed(of answers: [SentinelAnswer]) -> SentinelAnswer? {
        func weight(_ answer: SentinelAnswer) -> (Int, Int) { (answers.count { $0 == answer }, answer.epoch) }
        return answers.max { weight($0) < weight($1) }
    }
}
