import EventLoop
import TodoMate

/// How many mails may be asked for, so that nobody is flooded with them and no server taken for one that floods. No I/O.
///
/// Names without an account have budgets like any other, so that a refusal reveals nothing.
struct MailBudgets: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What a mail is counted for.
    enum Kind: String, Sendable, Codable, CaseIterable {
        /// The client that asks for it.
        case client
        /// The network around that.
        case network
        /// The account that it is about, and what for.
        case account
        /// The address that it goes to.
        case recipient

        fileprivate var budget: Budget {
            switch self {
            case .client: Budget(burst: 5, interval: .seconds(120))
            case .network: Budget(burst: 20, interval: .seconds(30))
            case .account: Budget(burst: 3, interval: .seconds(1200))
            case .recipient: Budget(burst: 5, interval: .seconds(720))
            }
        }
    }

    private var tables = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { ($0, BudgetTable($0.budget, most: 16_384)) }
    )

    /// How long until one more may be asked for; nil for now.
    func wait(_ keys: [Kind: String], at now: Instant) -> Duration? {
        keys.compactMap { tables[$0]?.wait($1, at: now) }.max()
    }

    /// Counts one.
    mutating func spend(_ keys: [Kind: String], at now: Instant) {
        for (kind, key) in keys { tables[kind]?.spend(key, at: now) }
    }
}

/// That a mail was asked for at a worker, as workers announce it to each other: JSON on the channel
/// `todomate:shared:workers:mails`. What stands for accounts and addresses tells nothing of them to others.
///
///     {"worker":"9f3c…","spent":{"client":"203.0.113.9","network":"203.0.113.0/24","account":"x3Yk…"}}
package struct MailAsked: WorkerAnnouncement, Equatable {
    /// The worker that announces it: a worker ignores its own.
    var worker: String
    /// What it is counted for, by the name of the ``MailBudgets/Kind``.
    var spent: [String: String]

    /// Whether a worker can have sent this: other clients of Redis may publish there, too.
    var isSensible: Bool {
        spent.count <= MailBudgets.Kind.allCases.count
            && (Array(spent.values) + [worker]).allSatisfy { (1...64).contains($0.utf8.count) }
    }

    /// What it is counted for, as far as this version knows it.
    var keys: [MailBudgets.Kind: String] {
        Dictionary(
            uniqueKeysWithValues: spent.compactMap { name, key in MailBudgets.Kind(rawValue: name).map { ($0, key) } }
        )
    }
}

/// A worker's ``MailBudgets``, which also count what is asked of the other workers.
@LoopActor
final class SharedMailBudgets {
    private static let topic = "mails"

    private let announcements: WorkerAnnouncements<MailAsked>
    private var budgets = MailBudgets()

    /// - Parameters:
    ///   - asked: where workers announce it; nil keeps the budgets to this worker.
    ///   - log: where it says that they cannot.
    init(_ asked: (any SharedSubjectType<MailAsked>)?, _ log: Logger) {
        announcements = WorkerAnnouncements(
            asked,
            Self.topic,
            log,
            warning: "mails asked of other workers are not received: each worker counts its own"
        )
        announcements.onEvent = { [weak self] in self?.budgets.spend($0.keys, at: .now) }
    }

    /// Begins to listen, as soon as Redis lets it.
    func start() { announcements.start(with: MailAsked(worker: announcements.worker, spent: [:])) }

    func stop() { announcements.stop() }

    /// Takes one of each, or none.
    ///
    /// - Throws: a ``Problem`` where one has to wait.
    func take(_ keys: [MailBudgets.Kind: String]) async throws(Problem) {
        if let wait = budgets.wait(keys, at: .now) { throw .tooManyAttempts("to have mail sent", wait) }
        budgets.spend(keys, at: .now)
        let spent = Dictionary(uniqueKeysWithValues: keys.map { ($0.rawValue, $1) })
        // Before the response: the next request may go to another worker.
        await announcements.post(MailAsked(worker: announcements.worker, spent: spent))
    }
}
