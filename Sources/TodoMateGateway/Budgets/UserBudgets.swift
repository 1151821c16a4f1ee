import EventLoop
import HTTPServing

/// The sustained rate of each user: a budget per kind of write, and one per pair of users, so that no one is notified of the same
/// person again and again.
///
/// Counted without asking Redis; ``SharedUserBudgets`` tells the workers what was spent at others. What todos may weigh
/// altogether is bounded in Redis.
@LoopActor
final class UserBudgets {
    /// What a write is about, which decides whose budget it uses.
    enum Write {
        case todo
        case settings
        /// No write, but a long read, of all followed users.
        case feed
        /// Both users of the relation are notified.
        case relation(with: String)
        /// The owner of the todo is notified.
        case reaction(to: String)
    }

    /// What is counted by itself.
    enum Kind: String, Codable, Sendable, CaseIterable {
        case todos, relations, relationsOfPair, reactions, reactionsOfPair, settings, feeds

        fileprivate func budget(_ writesPerSecond: Int) -> Budget {
            switch self {
            case .todos: Budget(burst: writesPerSecond * 30, interval: .seconds(1) / writesPerSecond)
            case .relations: Budget(burst: 60, interval: .seconds(2))
            case .relationsOfPair: Budget(burst: 8, interval: .seconds(30))
            case .reactions: Budget(burst: 60, interval: .milliseconds(500))
            case .reactionsOfPair: Budget(burst: 40, interval: .seconds(5))
            case .settings: Budget(burst: 30, interval: .seconds(2))
            case .feeds: Budget(burst: 120, interval: .milliseconds(500))
            }
        }
    }

    private struct Spender: Hashable {
        var kind: Kind
        var key: String
    }

    /// This many refusals are immediate.
    private static let refusals = Budget(burst: 120, interval: .milliseconds(500))
    /// Far above those who write within the minutes in which a budget comes back.
    private static let mostKeys = 50_000
    /// Of those who have spent little, no more are remembered until it is much.
    private static let mostSpenders = 10_000

    private var tables: [Kind: BudgetTable]
    private var refusals = BudgetTable(refusals, most: mostKeys)
    /// What has not been told to the other workers.
    private var spent: [Spender: Int] = [:]
    /// Those of them who have spent much.
    private var isMuch: Set<Spender> = []

    /// Called when somebody has spent a twentieth of a budget here since the last ``takeSpent()``.
    var onMuchSpent: (() -> Void)?

    /// - Parameter writesPerSecond: of one user's todos, for long; thirty times as many at once.
    init(writesPerSecond: Int) {
        tables = Dictionary(
            uniqueKeysWithValues: Kind.allCases.map {
                ($0, BudgetTable($0.budget(writesPerSecond), most: Self.mostKeys))
            }
        )
    }

    /// Takes what a write costs.
    ///
    /// - Throws: a ``Problem`` with the time after which there is enough; then nothing is taken.
    func take(_ write: Write, by uid: String, at now: ContinuousClock.Instant = .now) throws(Problem) {
        // No uid has a space.
        let costs: [(kind: Kind, key: String)] =
            switch write {
            case .todo: [(.todos, uid)]
            case .settings: [(.settings, uid)]
            case .feed: [(.feeds, uid)]
            case .relation(let other): [(.relationsOfPair, uid + " " + other), (.relations, uid)]
            case .reaction(let owner): [(.reactionsOfPair, uid + " " + owner), (.reactions, uid)]
            }
        for (kind, key) in costs {
            guard let wait = tables[kind]?.wait(key, at: now) else { continue }
            let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
            throw Problem(
                .tooManyRequests,
                "\(uid) does this too often: wait \(seconds) s",
                headers: ["Retry-After": String(seconds)]
            )
        }
        for (kind, key) in costs {
            tables[kind]?.spend(key, at: now)
            noteSpent(Spender(kind: kind, key: key))
        }
    }

    private func noteSpent(_ spender: Spender) {
        guard let onMuchSpent else { return }
        if spent.count >= Self.mostSpenders { spent.removeAll() }
        let count = spent[spender, default: 0] + 1
        spent[spender] = count
        guard count >= max(1, (tables[spender.kind]?.budget.burst ?? 0) / 20) else { return }
        isMuch.insert(spender)
        onMuchSpent()
    }

    /// What those who have spent much have spent here since this was last called; as many of them as one announcement has.
    func takeSpent() -> [SpentBudgets.Entry] {
        let taken = isMuch.prefix(SpentBudgets.most)
        isMuch.subtract(taken)
        if !isMuch.isEmpty { onMuchSpent?() }
        return taken.compactMap { spender in
            spent.removeValue(forKey: spender).map {
                SpentBudgets.Entry(kind: spender.kind, key: spender.key, count: min($0, 1000))
            }
        }
    }

    /// Takes what was spent at another worker.
    func spend(_ entry: SpentBudgets.Entry, at now: ContinuousClock.Instant) {
        tables[entry.kind]?.spend(entry.key, times: entry.count, at: now)
    }

    /// Delays a user who keeps sending requests that are refused: a refusal is cheap, but thousands a second would starve all
    /// others. Those who wait are not released all at once.
    func beforeRefusing(_ uid: String) async {
        if let wait = waitOfRefusal(uid, at: .now) { await LoopTimer.sleep(for: wait) }
    }

    /// How long a refusal is to take; nil for none at all.
    func waitOfRefusal(_ uid: String, at now: ContinuousClock.Instant) -> Duration? {
        refusals.take(uid, at: now).map { _ in .milliseconds(Int.random(in: 500...1500)) }
    }
}
