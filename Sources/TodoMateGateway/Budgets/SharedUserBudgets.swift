import EventLoop
import TodoMate

/// Makes a user's budgets count at all workers: each announces what a user has spent, once it is a twentieth of the whole
/// budget, so that a user who writes little costs nothing.
@LoopActor
final class SharedUserBudgets {
    private static let topic = "budgets"
    /// What is spent meanwhile goes along.
    private static let pause = Duration.milliseconds(100)

    private let name = String(UInt64.random(in: .min ... .max), radix: 16)
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
            warning: "what users do at other workers is not heard of: each worker counts their budgets by itself"
        )
        announcements.onEvent = { [weak self] in self?.hear($0) }
    }

    func start() {
        announcements.start(with: SpentBudgets(worker: name, spent: []))
        budgets.onMuchSpent = { [weak self] in self?.announceSoon() }
    }

    func stop() {
        budgets.onMuchSpent = nil
        announcements.stop()
    }

    private func hear(_ announced: SpentBudgets) {
        guard announced.worker != name, announced.isSensible else { return }
        for entry in announced.spent { budgets.spend(entry, at: .now) }
    }

    private func announceSoon() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            await LoopTimer.sleep(for: Self.pause)
            isAnnouncing = false
            await announcements.post(SpentBudgets(worker: name, spent: budgets.takeSpent()))
        }
    }
}
