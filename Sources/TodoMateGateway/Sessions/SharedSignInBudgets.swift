import EventLoop
import TodoMate

/// A worker's ``SignInBudgets``, which also count wrong passwords at the other workers.
@LoopActor
final class SharedSignInBudgets {
    private static let topic = "logins"
    private static let pause = Duration.seconds(1)

    private let signer: TokenSigner
    private let announcements: WorkerAnnouncements<SignInOutcome>
    var budgets = SignInBudgets()
    /// How often an address is refused at once.
    private var refusals = BudgetTable(Budget(burst: 120, interval: .milliseconds(500)), most: 16_384)

    /// - Parameters:
    ///   - signer: what all workers have in common.
    ///   - outcomes: where workers announce it; nil keeps the budgets to this worker.
    ///   - log: where it says that they cannot.
    init(_ signer: TokenSigner, _ outcomes: (any SharedSubjectType<SignInOutcome>)?, _ log: Logger) {
        self.signer = signer
        announcements = WorkerAnnouncements(
            outcomes,
            Self.topic,
            log,
            warning: "wrong passwords at other workers are not received: each worker counts its own"
        )
        announcements.onEvent = { [weak self] in self?.budgets.receive($0, at: .now) }
    }

    /// What stands for an account, the same at all workers.
    func code(of uid: String) -> String { signer.code(of: uid) }

    /// Begins to listen, as soon as Redis lets it.
    func start() {
        // It counts for no one.
        announcements.start(
            with: SignInOutcome(worker: announcements.worker, account: "-", from: "-", isRight: true, isKnown: true)
        )
    }

    func stop() { announcements.stop() }

    /// Ends an attempt, and announces the result of a check to the others.
    func end(_ attempt: SignInBudgets.Attempt, _ ending: SignInBudgets.Ending) async {
        budgets.end(attempt, ending, at: .now)
        guard ending != .asked else { return }
        // Before the response: the next attempt may go to another worker.
        await announcements.post(
            SignInOutcome(
                worker: announcements.worker,
                account: attempt.account,
                from: attempt.address,
                isRight: ending == .right,
                isKnown: attempt.isKnown
            )
        )
    }

    /// Delays an address that keeps sending requests that are refused: a refusal is cheap, but thousands a second would starve
    /// all others.
    func beforeRefusing(_ address: String) async {
        if refusals.take(address, at: .now) != nil { await LoopTimer.sleep(for: Self.pause) }
    }
}
