/// How often something may be done: so many times at once, and once more with each interval that passes.
///
/// A token bucket of `burst` tokens, into which one falls every `interval`.
struct Budget: Sendable, Equatable {
    /// How many times at once; at least 1.
    let burst: Int
    /// How long until one more.
    let interval: Duration

    /// So many times a minute, half a minute's at once.
    init(aMinute count: Int) { (burst, interval) = (max(1, count / 2), .seconds(60) / max(1, count)) }

    /// A budget of these parts.
    init(burst: Int, interval: Duration) { (self.burst, self.interval) = (burst, interval) }

    /// How long it takes for all of them to come back.
    var whole: Duration { interval * burst }
}
