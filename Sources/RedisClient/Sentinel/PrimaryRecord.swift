/// Which server is the primary, by all that sentinels have said so far. No I/O.
///
/// The newest configuration counts. A sentinel that was away names an older primary, which may well take itself for one still:
/// what it says counts only once a majority has said for a while that what is known is not so, as after sentinels were set up anew.
struct PrimaryRecord {
    /// Twice as long as sentinels take to tell each other, and some more.
    static let patience = Duration.seconds(5)

    /// What is known; nil before the first answer.
    private(set) var known: SentinelAnswer?
    /// Since when a majority contradicts it.
    private var doubtedSince: ContinuousClock.Instant?

    /// Takes in what sentinels say; whether another server is the primary now.
    ///
    /// - Parameter isMajority: whether more than half of all sentinels are among them.
    mutating func hear(_ answers: [SentinelAnswer], isMajority: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard let newest = Self.newest(of: answers) else { return false }
        guard let known, newest.epoch <= known.epoch else { return adopt(newest) }
        guard isMajority, !answers.contains(known) else {
            if answers.contains(known) { doubtedSince = nil }
            return false
        }
        let since = doubtedSince ?? now
        doubtedSince = since
        return now - since >= Self.patience ? adopt(newest) : false
    }

    private mutating func adopt(_ answer: SentinelAnswer) -> Bool {
        defer { (known, doubtedSince) = (answer, nil) }
        return known?.primary != answer.primary
    }

    /// The answer of the newest configuration, and of those the one that most give.
    private static func newest(of answers: [SentinelAnswer]) -> SentinelAnswer? {
        let epoch = answers.map(\.epoch).max()
        let newest = answers.filter { $0.epoch == epoch }
        return newest.max { first, second in
            newest.count { $0 == first } < newest.count { $0 == second }
        }
    }
}
