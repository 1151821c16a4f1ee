import EventLoop
import TodoMate

/// When an outbox sends again, without I/O.
///
/// | told | what waits | until |
/// |---|---|---|
/// | `Retry-After`, with whatever answer | everything | then, whatever hurries |
/// | no answer, or none for now | everything | a backoff is over, or something hurries |
/// | somebody has to do something | everything | a long time is over, or something hurries |
/// | trouble with one todo | that todo | a backoff is over, or something hurries |
///
/// Of two waits the longer one stands. A new write waits like those before it.
struct SendingPauses {
    private static let backoff = Backoff(base: .seconds(1), cap: .seconds(60))
    /// A server that needs somebody to do something is asked again, now and then.
    private static let longWait = Duration.seconds(300)

    /// Before that the server wants no request.
    private var allowed: ContinuousClock.Instant?
    /// Before that it is not tried, unless something hurries.
    private var held: ContinuousClock.Instant?
    private var todos: [String: ContinuousClock.Instant] = [:]
    private var failures = 0

    /// A request was answered.
    mutating func take(
        _ answer: DoorAnswer,
        to todo: String,
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) {
        if answer.notBefore > .zero { allowed = later(allowed, now + answer.notBefore) }
        todos = todos.filter { now < $0.value }
        let backoff = Self.backoff.delay(afterFailure: failures, using: &generator)
        switch answer.pause {
        case nil: failures = 0
        case .todo:
            todos[todo] = later(todos[todo], now + backoff)
            failures += 1
        case .everything:
            hold(for: backoff, at: now)
            failures += 1
        case .untilTold: hold(for: Self.longWait, at: now)
        }
    }

    /// Nothing is sent for so long, unless something hurries.
    mutating func hold(for time: Duration, at now: ContinuousClock.Instant) { held = later(held, now + time) }

    /// The network may be back.
    mutating func hurry() { (held, todos, failures) = (nil, [:], 0) }

    /// Whether nothing is sent.
    func isHeld(at now: ContinuousClock.Instant) -> Bool { end.map { now < $0 } ?? false }

    /// Todos of which nothing is sent.
    func todos(at now: ContinuousClock.Instant) -> Set<String> { Set(todos.lazy.filter { now < $0.value }.map(\.key)) }

    /// When something can be sent that cannot be now; nil where nothing waits.
    func next(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let end, now < end { return end }
        return todos.values.filter { now < $0 }.min()
    }

    private var end: ContinuousClock.Instant? { held.map { later(allowed, $0) } ?? allowed }

    private func later(
        _ one: ContinuousClock.Instant?,
        _ other: ContinuousClock.Instant
    ) -> ContinuousClock.Instant { max(one ?? other, other) }
}
