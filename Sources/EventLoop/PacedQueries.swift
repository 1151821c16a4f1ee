/// Repeats queries whose answers may have changed: once for all events within a ``GrowingPause``, so that those who cause the
/// events do not decide how much is read.
///
/// Each query runs once at a time. Its answer may lack what happened while it ran: then it runs again afterwards.
@LoopActor
package final class PacedQueries<Query: Hashable & Sendable> {
    private let run: @LoopActor (Query) async -> Void
    private var pause = GrowingPause(from: .milliseconds(250), to: .seconds(4))
    private var waiting: Set<Query> = []
    private var running: Set<Query> = []
    /// Nil once closed.
    private var timer: LoopTimer?
    private var isScheduled = false

    /// - Parameter run: runs a query and applies the answer.
    package init(_ run: @escaping @LoopActor (Query) async -> Void) {
        self.run = run
        timer = LoopTimer { [weak self] in self?.fire() }
    }

    package func close() {
        timer?.cancel()
        timer = nil
        waiting = []
    }

    /// Runs a query now, or once more if it is already running.
    package func begin(_ query: Query) {
        guard timer != nil else { return }
        guard running.insert(query).inserted else { return repeatSoon(query) }
        waiting.remove(query)
        Task {
            await run(query)
            running.remove(query)
            if waiting.contains(query) { schedule() }
        }
    }

    /// Runs a query after the pause, once for all that happens until then.
    package func repeatSoon(_ query: Query) {
        guard timer != nil else { return }
        waiting.insert(query)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, let timer else { return }
        isScheduled = true
        timer.start(after: pause.next(at: .now))
    }

    private func fire() {
        isScheduled = false
        for query in waiting.subtracting(running) { begin(query) }
    }
}
