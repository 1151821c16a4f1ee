import EventLoop
import TodoMate

/// Makes a user's budgets count at all workers: each announces what a user has spent, once it is a twentieth of the whole
/// budget, so that a user who writes little costs nothing.
@LoopActor
final class SharedUserBudgets {
    private static let topic = "budgets"
    /// What is spent meanwhile goes along.
    private static let pause = Duration.milliseconds(100)

    private let budgets: UserBudgets
    private let announcements: WorkerAnnouncements<SpentBudgets>
    private var isAnnouncing = false

    /// - Parameters:
    ///   - budgets: this worker's.
    ///   - subject: where workers announce what was spent; nil has each count by itself.
    ///   - log: where it says that they cannot.
    init(_ budgets: UserBudgets, _ subject: (any SharedSubjectType<SpentBudgets>)?, _ log: Logger) {
        self.budgets = budgets
        announcements = WorkerAnnouncements(
            subject,
            Self.topic,
            log,
            warning: "what users do at other workers is not received: each worker counts their budgets by itself"
        )
        announcements.onEvent = { [budgets] announced in
            for entry in announced.spent { budgets.spend(entry, at: .now) }
        }
    }

    func start() {
        announcements.start(with: SpentBudgets(worker: announcements.worker, spent: []))
        budgets.onMuchSpent = { [weak self] in self?.announceSoon() }
    }

    func stop() {
        budgets.onMuchSpent = nil
        announcements.stop()
    }

    private func announceSoon() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            await LoopTimer.sleep(for: Self.pause)
            isAnnouncing = false
            await announcements.post(SpentBudgets(worker: announcements.worker, spent: budgets.takeSpent()))
        }
    }
}
