/// Decides how many streams a worker sends away so that all workers end up with about as many. Without I/O.
///
/// Who has far more than its share lets some go; who has too few does nothing. Where a reader lands is for the kernel or the
/// proxy to choose, back here included, so that it is judged by the outcome alone: a worker stops at its share, and rests
/// when those who had too few do not gain by it.
struct StreamBalance {
    /// What to do now.
    enum Verdict: Equatable {
        case keep(Reason)
        /// At most so many streams.
        case letGo(Int)
    }

    /// Why no stream is sent away.
    enum Reason: String {
        /// No other worker announces itself.
        case alone
        /// A worker joined, left or fell silent, or too recently did.
        case unsettled
        case balanced
        /// Readers that were sent away did not reach workers with fewer streams: the proxy picks a fixed worker, as by a hash.
        case futile
    }

    /// The state when a worker began to send streams away.
    private struct Episode {
        var beganAt: ContinuousClock.Instant
        var letGo = 0
        /// Who had less than a share, and all that these had.
        var poor: Set<String>
        var had: Int
    }

    private let interval: Duration
    private(set) var workers: KnownWorkers
    private var calmSince: ContinuousClock.Instant
    private var tickedAt: ContinuousClock.Instant
    private var restsUntil: ContinuousClock.Instant?
    private var episode: Episode?
    /// This worker's part of all streams that are known of.
    private(set) var share = 0

    /// - Parameters:
    ///   - own: what this worker calls itself.
    ///   - interval: how often workers announce themselves; all other times are multiples of it.
    init(own: String, interval: Duration, now: ContinuousClock.Instant) {
        self.interval = interval
        workers = KnownWorkers(own: own, interval: interval)
        (calmSince, tickedAt) = (now, now)
    }

    /// How many this worker has sent away since it began to; nil while it sends none away.
    var letGo: Int? { episode?.letGo }

    /// A worker announced itself, this one included.
    mutating func receive(_ load: WorkerLoad, at now: ContinuousClock.Instant) {
        guard workers.receive(load, at: now) else { return }
        calmSince = now
        restsUntil = nil
    }

    /// Notes how many processes received an announcement of this worker, itself included.
    mutating func announced(to listeners: Int) { workers.announced(to: listeners) }

    /// The connection to Redis was lost, or an announcement did not get through.
    mutating func disconnected(at now: ContinuousClock.Instant) {
        workers.disconnected()
        calmSince = now
    }

    /// Notes how many streams were sent away.
    mutating func letGo(_ count: Int) { episode?.letGo += count }

    /// Decides, twice in each interval.
    mutating func tick(streams own: Int, at now: ContinuousClock.Instant) -> Verdict {
        // A worker that was blocked for so long has missed announcements.
        let wasHeldUp = now - tickedAt > interval * 2
        tickedAt = now
        if !workers.review(at: now) || wasHeldUp { calmSince = now }
        let others = workers.streams
        let total = others.values.reduce(own, +)
        share = total / (others.count + 1)
        let verdict = judge(own, others, at: now)
        if case .keep = verdict { episode = nil }
        return verdict
    }

    private mutating func judge(_ own: Int, _ others: [String: Int], at now: ContinuousClock.Instant) -> Verdict {
        // A worker that is replaced is back well within five intervals, and its readers with it.
        guard now - calmSince >= interval * 5 else { return .keep(.unsettled) }
        guard let fewest = others.values.min() else { return .keep(.alone) }
        if let restsUntil, now < restsUntil { return .keep(.futile) }
        if episode == nil, Self.isFarTooMuch(own, share: share, fewest: fewest) {
            let poor = others.filter { $0.value < share }
            episode = Episode(beganAt: now, poor: Set(poor.keys), had: poor.values.reduce(0, +))
        }
        guard let episode, own > share else { return .keep(.balanced) }
        if isFutile(episode, others, at: now) {
            restsUntil = now + interval * 1800
            return .keep(.futile)
        }
        // A hundredth per second: the load of reconnecting readers goes unnoticed. Twenty are 2 % of what a worker can open.
        return .letGo(min(max(own / 100, 1), 20, own - share))
    }

    /// Landing at random leaves a worker within a few square roots of its share: a fifth is six of them at 1,000 streams,
    /// and 8 more keep it above two and a half where there are but few.
    ///
    /// Of many workers, the one that was restarted last gets nobody though none has a fifth too much: then every one above
    /// its share gives.
    private static func isFarTooMuch(_ own: Int, share: Int, fewest: Int) -> Bool {
        own > share + share / 5 + 8 || own > share && fewest < share / 2 - 8
    }

    /// Whether so many were let go that chance alone would have brought at least 32 of them to those who had too few, and
    /// these have not gained a quarter of that.
    private func isFutile(_ episode: Episode, _ others: [String: Int], at now: ContinuousClock.Instant) -> Bool {
        let expected = episode.letGo * episode.poor.count / (others.count + 1)
        // Those who are on their way, and what is not announced yet, take two intervals.
        guard expected >= 32, now - episode.beganAt >= interval * 5 else { return false }
        return (episode.poor.reduce(0) { $0 + (others[$1] ?? 0) } - episode.had) * 4 < expected
    }
}
