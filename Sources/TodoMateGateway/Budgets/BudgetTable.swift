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
    /// When all will be there again, of those spent since the generations last changed, and of those spent in the one before.
    private var young: [String: Instant] = [:]
    private var old: [String: Instant] = [:]

    init(_ budget: Budget, most: Int) {
        self.budget = budget
        self.most = most
    }

    /// How many keys are remembered.
    var count: Int { young.count + old.count }

    /// How long until there is one to take; nil when there is one.
    func wait(_ key: String, at now: Instant) -> Duration? {
        guard let whole = young[key] ?? old[key] else { return nil }
        let wait = now.duration(to: whole) + budget.interval - budget.whole
        return wait > .zero ? wait : nil
    }

    /// Takes one; or takes none, and says how long until there is one.
    mutating func take(_ key: String, at now: Instant) -> Duration? {
        if let wait = wait(key, at: now) { return wait }
        spend(key, at: now)
        return nil
    }

    /// Takes what was taken elsewhere, whether or not so much is left here.
    mutating func spend(_ key: String, times count: Int = 1, at now: Instant) {
        let whole = max(young[key] ?? old[key] ?? now, now) + budget.interval * count
        keep(key, min(whole, now + budget.whole))
    }

    /// Gives one back that was taken.
    mutating func giveBack(_ key: String, at now: Instant) {
        guard let whole = young[key] ?? old[key] else { return }
        let earlier = whole - budget.interval
        if earlier > now { keep(key, earlier) } else { forget(key) }
    }

    /// Gives everything back.
    mutating func forget(_ key: String) {
        young[key] = nil
        old[key] = nil
    }

    private mutating func keep(_ key: String, _ whole: Instant) {
        old[key] = nil
        if young[key] == nil, young.count >= most {
            old = young
            young = [:]
        }
        young[key] = whole
    }
}
