import EventLoop

/// When to ask a cluster who serves what: at once in the beginning, within a moment when something has changed, never twice at the
/// same time, more and more seldom while the answers do not help, and now and then without a reason. No I/O.
///
/// All bounds on a storm of refreshes come from what clients have had in production: one that refreshed at every redirection
/// asked a cluster without a primary thousands of times a second; and all workers meet the same redirection in the same moment.
/// What a redirection says of its own slot needs no refresh, so that nobody waits for that moment.
struct RefreshSchedule: Equatable {
    enum Action: Equatable {
        case nothing
        /// Ask now.
        case ask
        /// Call ``due()`` after this time.
        case wait(Duration)
    }

    private enum State: Equatable {
        case idle
        case waiting
        case asking(isWantedAgain: Bool)
    }

    /// Within so long all who have seen the same ask, each at a time of its own.
    static let spread = Duration.milliseconds(100)
    /// Between two refreshes that something asked for, at least; twice as long after each that did not help.
    static let pauses = Backoff(base: .milliseconds(100), cap: .seconds(2))
    /// Without a reason.
    static let interval = Duration.seconds(5)

    private var state = State.idle
    /// Whether it was ever asked.
    private var hasAsked = false
    /// Refreshes in a row that something asked for.
    private var inARow = 0

    /// Something shows that what is known may be out of date.
    ///
    /// - Parameter jitter: a draw between 0 and 1, which spreads the clients of one cluster.
    mutating func wanted(jitter: Double) -> Action {
        switch state {
        case .idle where !hasAsked:
            inARow = 1
            return ask()
        case .idle where inARow == 0:
            state = .waiting
            inARow = 1
            return .wait(Self.spread * jitter)
        case .idle:
            state = .waiting
            let pause = Self.pauses.bound(afterFailure: inARow - 1) * (0.5 + jitter / 2)
            inARow += 1
            return .wait(pause)
        case .waiting: return .nothing
        case .asking:
            state = .asking(isWantedAgain: true)
            return .nothing
        }
    }

    /// A wait is over, be it for a refresh that was asked for or for the next regular one.
    mutating func due() -> Action {
        if case .asking = state { return .nothing }
        if state == .idle { inARow = 0 }
        return ask()
    }

    private mutating func ask() -> Action {
        (state, hasAsked) = (.asking(isWantedAgain: false), true)
        return .ask
    }

    /// The answer is there, or there is none.
    mutating func finished(isKnown: Bool, jitter: Double) -> Action {
        guard case .asking(let isWantedAgain) = state else { return .nothing }
        state = .idle
        if isWantedAgain || !isKnown {
            inARow = max(inARow, 1)
            return wanted(jitter: jitter)
        }
        return .wait(Self.interval * (0.5 + jitter))
    }
}
