import EventLoop
import Observing
import TodoMate

/// What workers announce to each other on one topic. Nothing depends on it: without it, each worker counts what it sees itself.
@LoopActor
final class WorkerAnnouncements<Event: Codable & Sendable>: Observer {
    private static var patience: Duration { .seconds(2) }

    private let subject: (any SharedSubjectType<Event>)?
    private let topic: String
    private let log: Logger
    private let warning: String
    /// Called with each announcement, this worker's own included.
    var onEvent: ((Event) -> Void)?
    private var isStopped = false
    private var isDeaf = false

    /// - Parameters:
    ///   - subject: where workers announce it; nil keeps it to this worker.
    ///   - topic: what it is about.
    ///   - warning: what is logged while announcements do not get through.
    init(
        _ subject: (any SharedSubjectType<Event>)?,
        _ topic: String,
        _ log: Logger,
        warning: String
    ) {
        (self.subject, self.topic, self.log, self.warning) = (subject, topic, log, warning)
    }

    /// Begins to listen, as soon as Redis lets it.
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
    func post(_ event: Event) async -> Bool {
        guard let subject else { return false }
        do throws(SharedSubjectError) {
            try await subject.post(event, to: topic)
            isDeaf = false
            return true
        } catch {
            if !isDeaf, !isStopped { log.warning(warning, ["reason": error.description]) }
            isDeaf = true
            return false
        }
    }

    func receive(_ event: Event) { onEvent?(event) }
}
