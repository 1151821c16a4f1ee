import EventLoop
import TodoMate
import TodoMateRedis

/// Looks every few seconds whether Redis takes writes, and logs when that changes: a full Redis serves readers, and looks well
/// from outside.
@LoopActor
final class WriteWatch {
    private static let interval = Duration.seconds(2)

    private let repository: RedisTodoRepository
    private let logger: Logger
    private var timer: LoopTimer?
    private var isAsking = false
    /// Why it refuses them; nil when it does not, as far as is known.
    private(set) var refusal: WriteRefusal?
    /// What the last look found.
    private var seen: WriteRefusal?

    init(_ repository: RedisTodoRepository, _ logger: Logger) {
        (self.repository, self.logger) = (repository, logger)
        timer = LoopTimer.every(Self.interval, of: self) { $0.look() }
    }

    private func look() {
        guard !isAsking else { return }
        isAsking = true
        Task { [weak self, repository] in
            let refusal = await repository.writeRefusal()
            self?.note(refusal)
        }
    }

    private func note(_ found: WriteRefusal?) {
        isAsking = false
        // While a primary gives its place to another one it refuses for a moment: that is seen once.
        let refusal = found?.isOfReplica == true && found != seen ? self.refusal : found
        seen = found
        guard refusal != self.refusal else { return }
        self.refusal = refusal
        if let refusal {
            let what = refusal.isOfReplica ? "Redis is not the primary" : "reading, removing and hiding still work"
            logger.warning("Redis refuses writes; \(what)", ["reason": refusal.reason])
        } else {
            logger.info("Redis takes writes again")
        }
    }
}
