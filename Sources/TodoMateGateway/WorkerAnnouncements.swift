import EventLoop
import Observing
import TodoMate

/// What one worker tells the others.
protocol WorkerAnnouncement: Codable, Sendable {
    /// The worker that sent it.
    var worker: String { get }
    /// Whether a worker can have sent it: anyone may publish there.
    var isSensible: Bool { get }
}

/// What workers announce to each other on one topic. Nothing depends on it: without it, each worker counts what it sees itself.
@LoopActor
final class WorkerAnnouncements<Event: WorkerAnnouncement>: Observer {
    private static var patience: Duration { .seconds(2) }

    /// What this worker calls itself: new with each start.
    let worker = String(UInt64.random(in: .min ... .max), radix: 16)
    /// Called with each announcement of another worker.
    var onEvent: ((Event) -> Void)?
    private let subject: (any SharedSubjectType<Event>)?
    private let topic: String
    private let log: Logger
    private let warning: String
    private var isStopped = false
    private var isFailing = false

    /// - Parameters:
    ///   - subject: where workers announce it; nil keeps it to this worker.
    ///   - topic: what it is about.
    ///   - log: where it says when announcements do not get through.
    ///   - warning: what it says then.
    init(_ subject: (any SharedSubjectType<Event>)?, _ topic: String, _ log: Logger, warning: String) {
        (self.subject, self.topic, self.log, self.warning) = (subject, topic, log, warning)
    }

    /// Begins to receive, as soon as Redis lets it.
    ///
    /// - Parameter nothing: an announcement that changes nothing, to find that out with: a subscription that Redis refuses would
    ///   cost the streams their connection.
    func start(with nothing: Event) {
        guard let subject else { return }
        Task { [weak self] in
            while let self, !self.isStopped {
                guard await self.post(nothing) else {
                    await LoopTimer.sleep(for: Self.patience)
                    continue
                }
                if !self.isStopped { subject.add(self, for: self.topic) }
                return
            }
        }
    }

    func stop() {
        isStopped = true
        subject?.remove(self, for: topic)
    }

    /// Whether Redis took it.
    @discardableResult
    func post(_ event: Event) async -> Bool { await send(event) != nil }

    /// How many processes received it, this one included; nil where Redis did not take it.
    func send(_ event: Event) async -> Int? {
        guard let subject else { return nil }
        do throws(SharedSubjectError) {
            let count = try await subject.post(event, to: topic)
            isFailing = false
            return count
        } catch {
            if !isFailing, !isStopped { log.warning(warning, ["reason": error.description]) }
            isFailing = true
            return nil
        }
    }

    func receive(_ event: Event) {
        if event.worker != worker, event.isSensible { onEvent?(event) }
    }
}
