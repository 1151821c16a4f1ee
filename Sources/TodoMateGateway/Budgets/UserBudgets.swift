import EventLoop
import HTTPServing

/// The sustained rate of each user: a budget per kind of write, and one per pair of users, so that no one is notified of the same
/// person again and again.
///
/// Counted without asking Redis; ``SharedUserBudgets`` announces it between workers. What todos may weigh
/// altogether is bounded in Redis.
@LoopActor
final class UserBudgets {
    /// What a write is about, which decides whose budget it uses.
    enum Write {
        case todo
        case settings
        /// No write, but a long read, of all followed users.
        case feed
        /// No write, but all that a user has.
        case archive
        /// Both users of the relation are notified.
        case relation(with: String)
        /// The owner of the todo is notified.
        case reaction(to: String)
    }

    /// What is counted by itself.
    enum Kind: String, Codable, Sendable, CaseIterable {
        case todos, relations, relationsOfPair, reactions, reactionsOfPair, settings, feeds, archives

        /// Its place among all cases.
        fileprivate var place: Int {
            switch self {
            case .todos: 0
            case .relations: 1
            case .relationsOfPair: 2
            case .reactions: 3
            case .reactionsOfPair: 4
            case .settings: 5
            case .feeds: 6
            case .archives: 7
            }
        }

        fileprivate func budget(_ writesPerSecond: Int) -> Budget {
            switch self {
            case .todos: Budget(burst: writesPerSecond * 30, interval: .seconds(1) / writesPerSecond)
            case .relations: Budget(burst: 60, interval: .seconds(2))
            case .relationsOfPair: Budget(burst: 8, interval: .seconds(30))
            case .reactions: Budget(burst: 60, interval: .milliseconds(500))
            case .reactionsOfPair: Budget(burst: 40, interval: .seconds(5))
            case .settings: Budget(burst: 30, interval: .seconds(2))
            case .feeds: Budget(burst: 120, interval: .milliseconds(500))
            case .archives: Budget(burst: 5, interval: .seconds(600))
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
    /// By kind, in the order of the cases.
    private var tables: [BudgetTable]
    private var refusals = BudgetTable(refusals, most: mostKeys)
    /// Those with much that has not been announced to the other workers.
    private var spenders: Set<Spender> = []

    /// Called when a user has spent a twentieth of a budget here since the last ``takeSpent()``.
    var onMuchSpent: (() -> Void)?

    /// Whether nobody is limited but those whom an operator limits.
    private let isUnlimited: Bool

    /// - Parameter writesPerSecond: of one user's todos, for long; thirty times as many at once. Nil for any number of all.
    init(writesPerSecond: Int?) {
        isUnlimited = writesPerSecond == nil
        tables = Kind.allCases.map { BudgetTable($0.budget(writesPerSecond ?? 1), most: Self.mostKeys) }
    }

    /// Takes what a write costs.
    ///
    /// - Parameter todosAMinute: what an operator allows this user; nil for what the server allows each.
    /// - Throws: a ``Problem`` with the time after which there is enough; then nothing is taken.
    func take(
        _ write: Write,
        by uid: String,
        todosAMinute: Int? = nil,
        at now: ContinuousClock.Instant = .now
    ) throws(Problem) {
        if isUnlimited {
            guard case .todo = write, todosAMinute != nil else { return }
        }
        // No uid has a space.
        switch write {
        case .todo: try take(.todos, uid, by: uid, of: todosAMinute.map(Budget.init(aMinute:)), at: now)
        case .settings: try take(.settings, uid, by: uid, at: now)
        case .feed: try take(.feeds, uid, by: uid, at: now)
        case .archive: try take(.archives, uid, by: uid, at: now)
        case .relation(let other):
            try check(.relations, uid, by: uid, at: now)
            try take(.relationsOfPair, uid + " " + other, by: uid, at: now)
            spend(.relations, uid, at: now)
        case .reaction(let owner):
            try check(.reactions, uid, by: uid, at: now)
            try take(.reactionsOfPair, uid + " " + owner, by: uid, at: now)
            spend(.reactions, uid, at: now)
        }
    }

    /// Takes what todos cost that are written already.
    func charge(_ uid: String, todos count: Int, aMinute: Int?, at now: ContinuousClock.Instant = .now) {
        if isUnlimited, aMinute == nil { return }
        let own = aMinute.map(Budget.init(aMinute:))
        for _ in 0..<count { note(tables[Kind.todos.place].spend(uid, of: own, at: now), of: .todos, uid, own) }
    }

    private func take(
        _ kind: Kind,
        _ key: String,
        by uid: String,
        of own: Budget? = nil,
        at now: ContinuousClock.Instant
    ) throws(Problem) {
        switch tables[kind.place].take(key, of: own, at: now) {
        case .taken(let unannounced): note(unannounced, of: kind, key, own)
        case .refused(let wait): throw Self.tooOften(uid, wait)
        }
    }

    private func check(_ kind: Kind, _ key: String, by uid: String, at now: ContinuousClock.Instant) throws(Problem) {
        if let wait = tables[kind.place].wait(key, at: now) { throw Self.tooOften(uid, wait) }
    }

    private static func tooOften(_ uid: String, _ wait: Duration) -> Problem {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        return Problem(
            .tooManyRequests,
            "\(uid) does this too often: wait \(seconds) s",
            headers: ["Retry-After": String(seconds)]
        )
    }

    private func spend(_ kind: Kind, _ key: String, at now: ContinuousClock.Instant) {
        note(tables[kind.place].spend(key, at: now), of: kind, key, nil)
    }

    /// Announces what was spent here, once it is much.
    private func note(_ unannounced: Int, of kind: Kind, _ key: String, _ own: Budget?) {
        let burst = (own ?? tables[kind.place].budget).burst
        guard let onMuchSpent, unannounced >= max(1, burst / 20) else { return }
        spenders.insert(Spender(kind: kind, key: key))
        onMuchSpent()
    }

    /// What those who have spent much have spent here since this was last called; as many of them as one announcement has.
    func takeSpent() -> [SpentBudgets.Entry] {
        let taken = spenders.prefix(SpentBudgets.most)
        spenders.subtract(taken)
        if !spenders.isEmpty { onMuchSpent?() }
        return taken.compactMap { spender in
            let count = tables[spender.kind.place].takeUnannounced(spender.key)
            return count == 0 ? nil : SpentBudgets.Entry(kind: spender.kind, key: spender.key, count: min(count, 1000))
        }
    }

    /// Takes what was spent at another worker.
    func spend(_ entry: SpentBudgets.Entry, at now: ContinuousClock.Instant) {
        tables[entry.kind.place].spend(entry.key, elsewhere: entry.count, at: now)
    }

    /// Delays a user who keeps sending requests that are refused: a refusal is cheap, but thousands a second would starve all
    /// others. Those who wait are not released all at once.
    func beforeRefusing(_ uid: String) async {
        if !isUnlimited, let wait = waitOfRefusal(uid, at: .now) { await LoopTimer.sleep(for: wait) }
    }

    /// How long a refusal is to take; nil for none at all.
    func waitOfRefusal(_ uid: String, at now: ContinuousClock.Instant) -> Duration? {
        refusals.take(uid, at: now).map { _ in .milliseconds(Int.random(in: 500...1500)) }
    }
}
