import CLibevent

/// Calls a closure on the loop whenever the process gets a signal, in place of the signal's usual effect.
@LoopActor
public final class SignalWatch {
    private let watch: LoopWatch

    /// Watches from now on, until ``cancel()``: letting go of this object does not end it.
    ///
    /// - Parameters:
    ///   - signal: its number, such as `SIGTERM`.
    ///   - body: called on the loop, once a signal.
    public init(_ signal: Int32, _ body: @escaping @LoopActor () -> Void) {
        watch = LoopWatch(signal, kinds: EV_SIGNAL | EV_PERSIST) { _ in body() }
        watch.start()
    }

    /// Gives the signal its usual effect back. Calling it again does nothing.
    public func cancel() { watch.cancel() }
}
