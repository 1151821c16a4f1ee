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
    private(set) var refusal: String?

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

    private func note(_ refusal: String?) {
        isAsking = false
        guard refusal != self.refusal else { return }
        self.refusal = refusal
        if let refusal {
            logger.warning("Redis refuses writes; reading, removing and hiding still work", ["reason": refusal])
        } else {
            logger.info("Redis takes writes again")
        }
    }
}
