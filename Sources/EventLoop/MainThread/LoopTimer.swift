/// A timer on the main thread.
///
/// It runs until ``cancel()``, which must be called: a timer that was released keeps firing.
@LoopActor
public final class LoopTimer {
    /// Nil once cancelled.
    private var body: (@LoopActor () -> Void)?
    /// How often it fires; nil for once.
    private let interval: Duration?
    private var waiting: Task<Void, Never>?

    /// A timer that is not running yet.
    public init(_ body: @escaping @LoopActor () -> Void) {
        (self.body, interval) = (body, nil)
    }

    /// A timer that fires every `interval`, first after one interval.
    public init(every interval: Duration, _ body: @escaping @LoopActor () -> Void) {
        (self.body, self.interval) = (body, interval)
        start(after: interval)
    }

    /// A timer that calls `body` with its owner every `interval`, and ends by itself once the owner is gone.
    package static func every<Owner: AnyObject>(
        _ interval: Duration,
        of owner: Owner,
        _ body: @escaping @LoopActor (Owner) -> Void
    ) -> LoopTimer {
        weak var made: LoopTimer?
        let timer = LoopTimer(every: interval) { [weak owner] in
            if let owner { body(owner) } else { made?.cancel() }
        }
        made = timer
        return timer
    }

    /// Fires once after `delay`; a start that is still pending is replaced.
    public func start(after delay: Duration) {
        guard body != nil else { return }
        waiting?.cancel()
        waiting = Task {
            guard await isOver(delay) else { return }
            body?()
            while let interval, await isOver(interval) { body?() }
        }
    }

    /// Whether the time has passed and nobody has stopped the timer meanwhile.
    private func isOver(_ delay: Duration) async -> Bool {
        guard !Task.isCancelled else { return false }
        // The only error says that the task was cancelled. Without a delay it is the next in line, and waits for no clock.
        if delay > .zero { try? await Task.sleep(for: delay) }
        return !Task.isCancelled
    }

    /// Does not fire until started again.
    public func stop() {
        waiting?.cancel()
        waiting = nil
    }

    /// Ends the timer for good. Calling it again does nothing.
    public func cancel() {
        stop()
        body = nil
    }
}
