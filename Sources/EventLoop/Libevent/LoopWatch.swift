import CLibevent
import Foundation

/// One registered libevent event and the closure that it calls: what timers, descriptors and signals share.
///
/// A watch keeps itself alive until ``cancel()``, so that libevent never calls into an object that is gone.
@LoopActor
final class LoopWatch {
    private var event: OpaquePointer?
    private let body: @LoopActor (Int16) -> Void

    /// - Parameters:
    ///   - source: a file descriptor, a signal number, or -1 for a timer.
    ///   - kinds: `EV_READ`, `EV_WRITE`, `EV_SIGNAL`, `EV_PERSIST`.
    ///   - body: called on the loop with the kinds that are ready.
    init(_ source: Int32, kinds: Int32, body: @escaping @LoopActor (Int16) -> Void) {
        self.body = body
        event = event_new(
            LoopActor.shared.base,
            source,
            Int16(kinds),
            { @Sendable _, ready, context in
                guard let context else { return }
                let watch = Unmanaged<LoopWatch>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { watch.body(ready) }
            },
            Unmanaged.passRetained(self).toOpaque()
        )
    }

    /// Starts, or starts again; a timer fires after `delay`.
    func start(after delay: Duration? = nil) {
        guard let event else { return }
        guard let delay else {
            event_add(event, nil)
            return
        }
        let (seconds, attoseconds) = max(delay, .zero).components
        var time = timeval()
        time.tv_sec = .init(seconds)
        time.tv_usec = .init(attoseconds / 1_000_000_000_000)
        event_add(event, &time)
    }

    /// Pauses; ``start(after:)`` resumes.
    func stop() {
        if let event { event_del(event) }
    }

    /// Ends the watch for good. Calling it again does nothing.
    func cancel() {
        guard let event else { return }
        self.event = nil
        event_free(event)
        Unmanaged.passUnretained(self).release()
    }
}
