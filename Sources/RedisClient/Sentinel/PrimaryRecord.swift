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
        /// Sentinels name different primaries; ``adopt(_:)`` follows this one if the servers say so as well.
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
        let newer = answers.filter { $0.epoch > known.epoch }
        if let agreed = agreed(among: newer) { return adopt(agreed) }
        // An epoch that one makes up for the known primary would otherwise stand above all failovers to come.
        if let other = Self.newest(of: newer.filter { $0.primary != known.primary }) { return .doubtful(other) }
        return contradict(known, by: answers.filter { $0.epoch <= known.epoch }, at: now)
    }

    /// Follows a majority of older configurations that says for a while that what is known is not so. Where one still says that it
    /// is, the servers are asked: it may know better, or stand for good by an epoch that it has made up.
    private mutating func contradict(
        _ known: SentinelAnswer,
        by older: [SentinelAnswer],
        at now: ContinuousClock.Instant
    ) -> Finding {
        let others = older.filter { $0 != known }
        guard let named = Self.mostNamed(of: others), isMost(others) else {
            if older.contains(known) { doubtedSince = nil }
            return .same
        }
        let since = doubtedSince ?? now
        doubtedSince = since
        guard now - since >= Self.patience else { return .same }
        guard older.contains(known), named.primary != known.primary else { return adopt(named) }
        doubtedSince = now
        return .doubtful(named)
    }

    /// Takes for true what some sentinels say.
    @discardableResult
    mutating func adopt(_ answer: SentinelAnswer) -> Finding {
        defer { (known, doubtedSince) = (answer, nil) }
        return known?.primary == answer.primary ? .same : .other
    }

    /// The primary that most name, in the newest configuration that most have reached: some may know of one failover more.
    private func agreed(among answers: [SentinelAnswer]) -> SentinelAnswer? {
        for primary in Set(answers.map(\.primary)) {
            let naming = answers.filter { $0.primary == primary }.sorted { $0.epoch > $1.epoch }
            if isMost(naming) { return naming[sentinels / 2] }
        }
        return nil
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
