/// Who may try how many passwords: an address, an address at one account, and strangers together at one account. No I/O.
///
/// An address that signed in to an account before is no stranger to it: what others try there does not concern it, nor
/// what it tries the others. Unknown names have budgets like any other, so that a refusal reveals nothing.
///
/// Each worker has its own, and receives wrong passwords at the others (``SignInOutcome``). Only passwords that are checked
/// at are counted for an account; at some 40 of them a second at the utmost, 16,384 are more than come by while a budget of
/// five minutes comes back. Addresses are cheap to have: who has so many that theirs are forgotten needs no forgetting.
struct SignInBudgets: Sendable {
    typealias Instant = ContinuousClock.Instant

    private var addresses = BudgetTable(Budget(burst: 60, interval: .seconds(5)), most: 16_384)
    private var pairs = BudgetTable(Budget(burst: 10, interval: .seconds(30)), most: 16_384)
    private var accounts = BudgetTable(Budget(burst: 100, interval: .seconds(3)), most: 16_384)

    /// One password that is about to be checked; what it took is taken until it ends.
    struct Attempt: Sendable, Equatable {
        let account: String
        let address: String
        /// How long strangers have to wait for this account; nil when one was taken from their budget.
        fileprivate let strangersWait: Duration?
        /// Whether the address is judged by itself alone.
        fileprivate(set) var isKnown = false

        fileprivate var pair: String { "\(account) \(address)" }
    }

    enum Ending: Sendable, CaseIterable {
        case right, wrong
        /// The password was right, and more has to be shown: it costs nothing, and makes up for nothing either.
        case asked
    }

    /// How long an address has to wait; nil when it may try.
    func wait(of address: String, at now: Instant) -> Duration? { addresses.wait(address, at: now) }

    /// How long an address has to wait before it may try this account; nil when it may.
    func wait(of address: String, for account: String, at now: Instant) -> Duration? {
        let attempt = Attempt(account: account, address: address, strangersWait: nil)
        return [wait(of: address, at: now), pairs.wait(attempt.pair, at: now)].compactMap { $0 }.max()
    }

    /// Counts an attempt before its password is checked, so that many at once are no more than one after another.
    mutating func begin(_ account: String, from address: String, at now: Instant) -> Attempt {
        let attempt = Attempt(
            account: account,
            address: address,
            strangersWait: accounts.take(account, at: now)
        )
        addresses.spend(address, at: now)
        pairs.spend(attempt.pair, at: now)
        return attempt
    }

    /// Judges an attempt once it is known whether its address signed in to the account before.
    ///
    /// - Returns: how long a stranger has to wait; nil when the password may be checked. Having to wait is no attempt, but it
    ///   uses one of the address's.
    mutating func judge(_ attempt: inout Attempt, isKnown: Bool, at now: Instant) -> Duration? {
        if isKnown {
            if attempt.strangersWait == nil { accounts.giveBack(attempt.account, at: now) }
            attempt.isKnown = true
            return nil
        }
        if attempt.strangersWait != nil { pairs.giveBack(attempt.pair, at: now) }
        return attempt.strangersWait
    }

    /// Ends an attempt that ``judge(_:isKnown:at:)`` let pass.
    mutating func end(_ attempt: Attempt, _ ending: Ending, at now: Instant) {
        guard ending != .wrong else { return }
        addresses.giveBack(attempt.address, at: now)
        if attempt.strangersWait == nil, !attempt.isKnown { accounts.giveBack(attempt.account, at: now) }
        // Only for this account: signing in to one's own must not clear attempts at others'.
        if ending == .right { pairs.forget(attempt.pair) } else { pairs.giveBack(attempt.pair, at: now) }
    }

    /// Counts what another worker announces.
    mutating func receive(_ outcome: SignInOutcome, at now: Instant) {
        let attempt = Attempt(account: outcome.account, address: outcome.from, strangersWait: nil)
        guard !outcome.isRight else { return pairs.forget(attempt.pair) }
        addresses.spend(attempt.address, at: now)
        pairs.spend(attempt.pair, at: now)
        if !outcome.isKnown { accounts.spend(attempt.account, at: now) }
    }
}
