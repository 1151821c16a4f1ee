import EventLoop
import HTTPServing

/// The sustained rate of each user: a budget per kind of write, and one per pair of users, so that no one is notified of the same
/// person again and again.
///
/// Counted in this worker only, without Redis: a user of several workers gets as much at each. What
/// todos may weigh altogether is bounded in Redis.
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

    private static let relations = Budget(burst: 60, interval: .seconds(2))
    private static let relationsOfPair = Budget(burst: 8, interval: .seconds(30))
    private static let reactions = Budget(burst: 60, interval: .milliseconds(500))
    private static let reactionsOfPair = Budget(burst: 40, interval: .seconds(5))
    private static let settings = Budget(burst: 30, interval: .seconds(2))
    private static let feeds = Budget(burst: 120, interval: .milliseconds(500))
    /// This many refusals are immediate.
    private static let refusals = Budget(burst: 120, interval: .milliseconds(500))
    /// Far above those who write within the minutes in which a budget comes back.
    private static let mostKeys = 50_000

    private var todos: BudgetTable
    private var relations = BudgetTable(relations, most: mostKeys)
    private var relationsOfPair = BudgetTable(relationsOfPair, most: mostKeys)
    private var reactions = BudgetTable(reactions, most: mostKeys)
    private var reactionsOfPair = BudgetTable(reactionsOfPair, most: mostKeys)
    private var settings = BudgetTable(settings, most: mostKeys)
    private var feeds = BudgetTable(feeds, most: mostKeys)
    private var refusals = BudgetTable(refusals, most: mostKeys)

    /// - Parameter writesPerSecond: of one user's todos, for long; thirty times as many at once.
    init(writesPerSecond: Int) {
        todos = BudgetTable(
            Budget(burst: writesPerSecond * 30, interval: .seconds(1) / writesPerSecond),
            most: Self.mostKeys
        )
    }

    /// Takes what a write costs.
    ///
    /// - Throws: a ``Problem`` with the time after which there is enough; then nothing is taken.
    func take(_ write: Write, by uid: String, at now: ContinuousClock.Instant = .now) throws(Problem) {
        let wait: Duration?
        switch write {
        case .todo: wait = todos.take(uid, at: now)
        case .settings: wait = settings.take(uid, at: now)
        case .feed: wait = feeds.take(uid, at: now)
        case .relation(let other): wait = Self.take(&relations, &relationsOfPair, uid, other, at: now)
        case .reaction(let owner): wait = Self.take(&reactions, &reactionsOfPair, uid, owner, at: now)
        }
        guard let wait else { return }
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        throw Problem(
            .tooManyRequests,
            "\(uid) does this too often: wait \(seconds) s",
            headers: ["Retry-After": String(seconds)]
        )
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

    private static func take(
        _ all: inout BudgetTable,
        _ pairs: inout BudgetTable,
        _ uid: String,
        _ other: String,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        // No uid has a space.
        let pair = uid + " " + other
        if let wait = pairs.wait(pair, at: now) { return wait }
        if let wait = all.take(uid, at: now) { return wait }
        pairs.spend(pair, at: now)
        return nil
    }
}
