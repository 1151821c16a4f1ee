import CLibevent

/// A timer on the loop.
///
/// It runs until ``cancel()``, which must be called: a timer that was released keeps firing.
@LoopActor
public final class LoopTimer {
    private let watch: LoopWatch

    /// A timer that is not running yet.
    public init(_ body: @escaping @LoopActor () -> Void) {
        watch = LoopWatch(-1, kinds: 0) { _ in body() }
    }

    /// A timer that fires every `interval`, first after one interval.
    public init(every interval: Duration, _ body: @escaping @LoopActor () -> Void) {
        watch = LoopWatch(-1, kinds: EV_PERSIST) { _ in body() }
        watch.start(after: interval)
    }

    /// A timer that calls `body` with its owner every `interval`, and ends by itself once the owner is gone.
    package static func every<Owner: AnyObject>(
        _ interval: Duration,
        of owner: Owner,
        _ body: @escaping @LoopActor (Owner) -> Void
    ) -> LoopTimer {
        // The watch lives until it is cancelled, the timer only as long as its owner.
        weak var watch: LoopWatch?
        let timer = LoopTimer(every: interval) { [weak owner] in
            if let owner { body(owner) } else { watch?.cancel() }
        }
        watch = timer.watch
        return timer
    }

    /// Fires once after `delay`; a start that is still pending is replaced.
    public func start(after delay: Duration) { watch.start(after: delay) }

    /// Does not fire until started again.
    public func stop() { watch.stop() }

    /// Ends the timer for good. Calling it again does nothing.
    public func cancel() { watch.cancel() }
}
