import EventLoop
import TodoMate

/// A question to all workers, or an answer to one: JSON on the channel `todomate:shared:workers:reports`.
package struct WorkerReportMessage: WorkerAnnouncement, Equatable {
    /// Who sends it.
    package var worker: String
    /// What names the question.
    var question: String
    /// What the worker says of itself; nil in a question.
    var report: WorkerReport?

    var isSensible: Bool {
        [worker, question].allSatisfy { (1...64).contains($0.utf8.count) } && report?.isSensible ?? true
    }
}

/// Asks all workers how they are, when an operator wants to know: until then it costs nothing.
@LoopActor
final class WorkerReports {
    private static let topic = "reports"
    /// No answer comes later than this.
    private static let patience = Duration.seconds(1)
    private static let most = 256

    private let messages: WorkerAnnouncements<WorkerReportMessage>
    private let own: @LoopActor (String) -> WorkerReport
    private var answers: [String: [WorkerReport]] = [:]

    /// - Parameters:
    ///   - subject: where workers ask each other; nil leaves each alone.
    ///   - log: where it says that they cannot.
    ///   - own: what this worker says of itself, by its name.
    init(
        _ subject: (any SharedSubjectType<WorkerReportMessage>)?,
        _ log: Logger,
        own: @escaping @LoopActor (String) -> WorkerReport
    ) {
        self.own = own
        messages = WorkerAnnouncements(
            subject,
            Self.topic,
            log,
            warning: "workers cannot ask each other how they are: operators see each alone"
        )
        messages.onEvent = { [weak self] in self?.receive($0) }
    }

    func start() { messages.start(with: WorkerReportMessage(worker: messages.worker, question: "-", report: report)) }

    func stop() { messages.stop() }

    private var report: WorkerReport { own(messages.worker) }

    /// What all workers say, this one first, and how many did not answer in time.
    func all() async -> (reports: [WorkerReport], silent: Int) {
        let question = RandomID.next()
        answers[question] = []
        defer { answers[question] = nil }
        let listeners = await messages.send(WorkerReportMessage(worker: messages.worker, question: question)) ?? 1
        let deadline = ContinuousClock.now + Self.patience
        while answers[question, default: []].count < listeners - 1, ContinuousClock.now < deadline {
            await LoopTimer.sleep(for: .milliseconds(10))
        }
        let others = answers[question, default: []].sorted { ($0.listen, $0.pid) < ($1.listen, $1.pid) }
        return ([report] + others, max(0, listeners - 1 - others.count))
    }

    private func receive(_ message: WorkerReportMessage) {
        if let report = message.report {
            guard let known = answers[message.question], known.count < Self.most,
                !known.contains(where: { $0.worker == report.worker })
            else { return }
            answers[message.question] = known + [report]
        } else {
            let answer = WorkerReportMessage(worker: messages.worker, question: message.question, report: report)
            Task { await messages.post(answer) }
        }
    }
}
