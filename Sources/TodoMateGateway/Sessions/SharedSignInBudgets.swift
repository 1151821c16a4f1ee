import EventLoop
import Observing
import TodoMate

/// A worker's ``SignInBudgets``, which also count wrong passwords at the other workers.
@LoopActor
final class SharedSignInBudgets: Observer {
    private static let topic = "logins"
    private static let patience = Duration.seconds(2)

    private let name = String(UInt64.random(in: .min ... .max), radix: 16)
    private let signer: TokenSigner
    private let outcomes: (any SharedSubjectType<SignInOutcome>)?
    private let log: Logger
    private var isStopped = false
    private var isDeaf = false
    var budgets = SignInBudgets()
    /// How often an address is refused at once.
    private var refusals = BudgetTable(Budget(burst: 120, interval: .milliseconds(500)), most: 16_384)
    private static let pause = Duration.seconds(1)

    /// - Parameters:
    ///   - signer: what all workers have in common.
    ///   - outcomes: where workers announce it; nil keeps the budgets to this worker.
    ///   - log: where it says that they cannot.
    init(_ signer: TokenSigner, _ outcomes: (any SharedSubjectType<SignInOutcome>)?, _ log: Logger) {
        (self.signer, self.outcomes, self.log) = (signer, outcomes, log)
    }

    /// What stands for an account, the same at all workers.
    func code(of uid: String) -> String { signer.code(of: uid) }

    /// Begins to listen, as soon as Redis lets it.
    func start() {
        guard let outcomes else { return }
        Task { [weak self] in
            while let self, !self.isStopped {
                // Something that counts for no one. Only then: a subscription that Redis refuses would cost the streams
                // their connection.
                guard
                    await self.post(
                        SignInOutcome(worker: self.name, account: "-", from: "-", isRight: true, isKnown: true)
                    )
                else {
                    await LoopTimer.sleep(for: Self.patience)
                    continue
                }
                if !self.isStopped { outcomes.add(self, for: Self.topic) }
                return
            }
        }
    }

    func stop() {
        isStopped = true
        outcomes?.remove(self, for: Self.topic)
    }

    /// Ends an attempt, and announces the result of a check to the others.
    func end(_ attempt: SignInBudgets.Attempt, _ ending: SignInBudgets.Ending) async {
        budgets.end(attempt, ending, at: .now)
        // Before the response: the next attempt may go to another worker.
        await post(
            SignInOutcome(
                worker: name,
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

    func receive(_ outcome: SignInOutcome) {
        guard outcome.worker != name, outcome.isSensible else { return }
        budgets.receive(outcome, at: .now)
    }

    /// Whether Redis took it. Without it each worker counts what it sees itself.
    @discardableResult
    private func post(_ outcome: SignInOutcome) async -> Bool {
        guard let outcomes else { return false }
        do {
            try await outcomes.post(outcome, to: Self.topic)
            isDeaf = false
            return true
        } catch {
            if !isDeaf, !isStopped {
                log.warning(
                    "wrong passwords at other workers are not received: each worker counts its own",
                    ["reason": "\(error)"]
                )
            }
            isDeaf = true
            return false
        }
    }
}
