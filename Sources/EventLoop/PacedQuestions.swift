/// Asks questions again whose answers may be others by now: once for all that happens within a ``GrowingPause``, so that
/// others, who make it happen, do not decide how much is asked.
///
/// Each question is asked once at a time. What happened while it was asked may be missing from the answer: it is asked
/// again afterwards.
@LoopActor
package final class PacedQuestions<Question: Hashable & Sendable> {
    private let ask: @LoopActor (Question) async -> Void
    private var pause = GrowingPause(from: .milliseconds(250), to: .seconds(4))
    private var waiting: Set<Question> = []
    private var underWay: Set<Question> = []
    /// Nil once closed.
    private var timer: LoopTimer?
    private var isScheduled = false

    /// - Parameter ask: asks a question and takes the answer.
    package init(_ ask: @escaping @LoopActor (Question) async -> Void) {
        self.ask = ask
        timer = LoopTimer { [weak self] in self?.fire() }
    }

    package func close() {
        timer?.cancel()
        timer = nil
        waiting = []
    }

    /// Asks now, or once more where that is under way.
    package func begin(_ question: Question) {
        guard timer != nil else { return }
        guard underWay.insert(question).inserted else { return repeatSoon(question) }
        waiting.remove(question)
        Task {
            await ask(question)
            underWay.remove(question)
            if waiting.contains(question) { schedule() }
        }
    }

    /// Asks after the pause, once for all that happens until then.
    package func repeatSoon(_ question: Question) {
        guard timer != nil else { return }
        waiting.insert(question)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, let timer else { return }
        isScheduled = true
        timer.start(after: pause.next(at: .now))
    }

    private func fire() {
        isScheduled = false
        for question in waiting.subtracting(underWay) { begin(question) }
    }
}
