/// What is left of one kind of budget to each of many: accounts, addresses, users. No I/O, and no clock of its own.
///
/// Of each spent budget one moment is kept, the one at which all of it will be there again (the virtual scheduling of the
/// generic cell rate algorithm, ITU-T I.371); an unused budget takes no memory. The table is bounded by generations:
/// `most` keys spent last are kept for sure, up to twice as many there are, and those spent longest ago are forgotten,
/// which gives them their whole budget back. Choose `most` above what can be spent while one budget comes back.
struct BudgetTable: Sendable {
    typealias Instant = ContinuousClock.Instant

    let budget: Budget
    /// So many keys are remembered for sure.
    let most: Int
    private struct Entry {
        /// When all will be there again.
        var whole: Instant
        /// How much was spent here that has not been announced to other workers.
        var unannounced = 0
        /// The key's own budget; nil for the table's.
        var own: Budget?
    }

    /// Those spent since the generations last changed, and those spent in the one before.
    private var young: [String: Entry] = [:]
    private var old: [String: Entry] = [:]

    init(_ budget: Budget, most: Int) {
        self.budget = budget
        self.most = most
    }

    /// How many keys are remembered.
    var count: Int { young.count + old.count }

    /// How long until there is one to take; nil when there is one.
    ///
    /// - Parameter own: the key's own budget; nil for the table's.
    func wait(_ key: String, of own: Budget? = nil, at now: Instant) -> Duration? {
        wait(entry(key), of: own, at: now)
    }

    private func wait(_ entry: Entry?, of own: Budget?, at now: Instant) -> Duration? {
        // What was spent from another budget is no measure of this one.
        guard let entry, entry.own == own else { return nil }
        let budget = own ?? budget
        let wait = now.duration(to: entry.whole) + budget.interval - budget.whole
        return wait > .zero ? wait : nil
    }

    /// Takes one; or takes none, and says how long until there is one.
    mutating func take(_ key: String, at now: Instant) -> Duration? {
        if case .refused(let wait) = take(key, of: nil, at: now) { wait } else { nil }
    }

    /// What became of an attempt to take one.
    enum Taking {
        /// It was taken, and so many were spent here since ``takeUnannounced(_:)``.
        case taken(unannounced: Int)
        /// There is none for so long.
        case refused(wait: Duration)
    }

    /// Takes one if there is one.
    ///
    /// - Parameter own: the key's own budget; nil for the table's.
    mutating func take(_ key: String, of own: Budget?, at now: Instant) -> Taking {
        let entry = entry(key)
        if let wait = wait(entry, of: own, at: now) { return .refused(wait: wait) }
        return .taken(unannounced: spend(key, entry, of: own, at: now))
    }

    /// Takes one, whether or not one is left.
    ///
    /// - Parameter own: the key's own budget; nil for the table's.
    /// - Returns: how many were spent here since ``takeUnannounced(_:)``.
    @discardableResult
    mutating func spend(_ key: String, of own: Budget? = nil, at now: Instant) -> Int {
        spend(key, entry(key), of: own, at: now)
    }

    private mutating func spend(_ key: String, _ known: Entry?, of own: Budget?, at now: Instant) -> Int {
        var entry = known ?? Entry(whole: now)
        entry.unannounced += 1
        if entry.own != own { (entry.own, entry.whole) = (own, now) }
        spend(1, key, &entry, at: now)
        return entry.unannounced
    }

    /// Takes what was spent elsewhere, whether or not so much is left here.
    mutating func spend(_ key: String, elsewhere count: Int, at now: Instant) {
        var entry = entry(key) ?? Entry(whole: now)
        spend(count, key, &entry, at: now)
    }

    /// How many were spent here since the last call.
    mutating func takeUnannounced(_ key: String) -> Int {
        guard var entry = entry(key) else { return 0 }
        defer {
            entry.unannounced = 0
            keep(key, entry)
        }
        return entry.unannounced
    }

    /// Gives one back that was taken.
    mutating func giveBack(_ key: String, at now: Instant) {
        guard var entry = entry(key) else { return }
        entry.whole -= budget.interval
        if entry.whole > now { keep(key, entry) } else { forget(key) }
    }

    /// Gives everything back.
    mutating func forget(_ key: String) {
        young[key] = nil
        old[key] = nil
    }

    private func entry(_ key: String) -> Entry? { young[key] ?? old[key] }

    private mutating func spend(_ count: Int, _ key: String, _ entry: inout Entry, at now: Instant) {
        let budget = entry.own ?? budget
        entry.whole = min(max(entry.whole, now) + budget.interval * count, now + budget.whole)
        keep(key, entry)
    }

    private mutating func keep(_ key: String, _ entry: Entry) {
        // Both are mostly decided without a look for the key.
        if !old.isEmpty { old[key] = nil }
        if young.count >= most, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = entry
    }
}
