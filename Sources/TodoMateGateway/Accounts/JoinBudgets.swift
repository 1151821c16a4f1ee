/// How many accounts may be made, and how many invitations, names and links may be tried, from one address. No I/O.
///
/// Accounts without an invitation count for the address and for its surroundings, as networks of addresses are cheap to have;
/// those with one are counted by the invitation. What finds nothing (a wrong invitation, a name that is taken) counts either
/// way: nobody finds out all the names here.
///
/// Each worker has its own, and receives what counts at the others (``JoinOutcome``).
struct JoinBudgets: Sendable {
    typealias Instant = ContinuousClock.Instant

    private var accounts = BudgetTable(Budget(burst: 5, interval: .seconds(720)), most: 16_384)
    private var nearby = BudgetTable(Budget(burst: 20, interval: .seconds(180)), most: 16_384)
    private var attempts = BudgetTable(Budget(burst: 30, interval: .seconds(60)), most: 16_384)

    /// One that is about to be made; what it took is taken until it ends.
    struct Attempt: Sendable, Equatable {
        let address: String
        /// The network around the address; nil where an account costs nothing, as an invitation counts it.
        let surroundings: String?
    }

    enum Ending: String, Sendable, Codable, CaseIterable {
        /// An account was made, a password was set, or an invitation was found.
        case done
        /// There was no such invitation or link, or the name was taken.
        case wrong
        /// It came to nothing, for a reason that says nothing about invitations and names.
        case refused
    }

    /// How long an address has to wait; nil when it may try.
    func wait(of attempt: Attempt, at now: Instant) -> Duration? {
        var waits = [attempts.wait(attempt.address, at: now)]
        if let surroundings = attempt.surroundings {
            waits += [accounts.wait(attempt.address, at: now), nearby.wait(surroundings, at: now)]
        }
        return waits.compactMap { $0 }.max()
    }

    /// Counts an attempt before anything is looked up, so that many at once are no more than one after another.
    mutating func begin(_ attempt: Attempt, at now: Instant) {
        attempts.spend(attempt.address, at: now)
        guard let surroundings = attempt.surroundings else { return }
        accounts.spend(attempt.address, at: now)
        nearby.spend(surroundings, at: now)
    }

    /// Ends an attempt: gives back what it does not cost.
    mutating func end(_ attempt: Attempt, _ ending: Ending, at now: Instant) {
        if ending != .wrong { attempts.giveBack(attempt.address, at: now) }
        guard ending != .done, let surroundings = attempt.surroundings else { return }
        accounts.giveBack(attempt.address, at: now)
        nearby.giveBack(surroundings, at: now)
    }

    /// Counts what another worker announces.
    mutating func receive(_ outcome: JoinOutcome, at now: Instant) {
        switch outcome.ending {
        case .wrong: attempts.spend(outcome.from, at: now)
        case .done:
            guard let surroundings = outcome.near else { return }
            accounts.spend(outcome.from, at: now)
            nearby.spend(surroundings, at: now)
        case .refused: break
        }
    }
}
