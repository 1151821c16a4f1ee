import EventLoop
import Foundation

/// Waits for Ctrl-C or SIGTERM, in place of their usual effect.
@LoopActor
final class StopSignal {
    private var watches: [SignalWatch] = []
    private var waiters: [UnsafeContinuation<Void, Never>] = []
    /// Whether it came.
    private(set) var isStopped = false
    /// Called when it comes.
    var onStop: () -> Void = {}
    /// Called when the signal comes again.
    var onRepeat: () -> Void = {}

    init() {
        watches = [SIGINT, SIGTERM].map { number in
            SignalWatch(number) { [weak self] in
                guard let self else { return }
                if isStopped { onRepeat() }
                stop()
            }
        }
    }

    /// Does as if the signal had come.
    func stop() {
        isStopped = true
        onStop()
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when it came.
    func wait() async {
        guard !isStopped else { return }
        await withUnsafeContinuation { waiters.append($0) }
    }
}
