import EventLoop

/// Second factors, in this process alone.
@LoopActor
final class InMemoryFactorStore: FactorStoreType {
    /// One that is on.
    struct Factor {
        var sealed: String
        var since: Int
        var step: Int
        /// When all tries will be there again, in seconds since 1970.
        var tries = 0
        var recovery: [String]
    }

    /// Whoever guesses codes leaves room for what else happened.
    private static let mostRefused = 20

    private let database: InMemoryDatabase
    private let sessions: InMemorySessionStore

    init(_ database: InMemoryDatabase, _ sessions: InMemorySessionStore) {
        (self.database, self.sessions) = (database, sessions)
    }

    private var now: Int { database.microseconds / 1_000_000 }

    func factor(of uid: String) async throws(TodoError) -> StoredFactor {
        try TodoBounds.uid(uid)
        let account = database[uid].account
        let factor = account.factor
        let pending = account.pendingFactor.flatMap { $0.end > now ? $0.sealed : nil }
        return StoredFactor(
            secret: factor?.sealed,
            since: factor?.since,
            step: factor?.step,
            left: factor?.recovery.count,
            pending: pending
        )
    }

    func prepare(_ sealed: String, of uid: String, seconds: Int) async throws(TodoError) {
        try Self.check(sealed)
        guard FactorBounds.secondsRange.contains(seconds) else {
            throw .invalid("seconds must be a whole number of a minute to an hour")
        }
        guard try sessions.account(of: uid).factor == nil else { throw Self.isOn(uid) }
        database[uid].account.pendingFactor = (sealed, now + seconds)
    }

    func turnOn(
        _ sealed: String,
        of uid: String,
        step: Int,
        recovery: [String],
        keeping session: String
    ) async throws(TodoError) -> [String] {
        try Self.check(sealed)
        guard step >= 0 else { throw .invalid("step must be a whole number") }
        try Self.check(digests: recovery)
        let account = try sessions.account(of: uid)
        guard account.factor == nil else { throw Self.isOn(uid) }
        guard let pending = account.pendingFactor, pending.sealed == sealed, pending.end > now else {
            throw .notFound("no second factor of \(uid) waits for its first code (any more): begin again")
        }
        let ended = try sessions.endSignIns(but: session, of: uid)
        database[uid].account.pendingFactor = nil
        database[uid].account.factor = Factor(sealed: sealed, since: now, step: step, recovery: recovery)
        note(.factorOn, of: uid, count: ended.count)
        return ended
    }

    func tryCode(
        of step: Int?,
        against sealed: String,
        of uid: String,
        from network: String,
        renewed: String?
    ) async throws(TodoError) -> CodeVerdict {
        for text in [sealed, renewed] { if let text { try Self.check(text) } }
        try TodoBounds.label(network, named: "from")
        var factor = try current(of: uid)
        guard factor.sealed == sealed else {
            throw .conflict("the second factor of \(uid) has changed meanwhile: try again", current: nil)
        }
        let whole = FactorBounds.tries * FactorBounds.trySeconds
        let next = max(now, min(factor.tries, now + whole)) + FactorBounds.trySeconds
        guard next - whole <= now else { return .wait(seconds: next - whole - now) }
        guard let step, step > factor.step else {
            factor.tries = next
            database[uid].account.factor = factor
            let event = AccountEvent(at: database.microseconds / 1000, .codeRefused, from: network)
            database.noteRefusal(event, of: uid, most: Self.mostRefused)
            return .refused
        }
        factor.step = step
        factor.sealed = renewed ?? sealed
        database[uid].account.factor = factor
        return .taken
    }

    func useRecovery(_ digest: String, of uid: String, from network: String) async throws(TodoError) -> Int? {
        try Self.check(digests: [digest])
        try TodoBounds.label(network, named: "from")
        try TodoBounds.uid(uid)
        guard var factor = database[uid].account.factor, let index = factor.recovery.firstIndex(of: digest) else {
            return nil
        }
        factor.recovery.remove(at: index)
        database[uid].account.factor = factor
        note(.recoveryUsed, of: uid, from: network, count: factor.recovery.count)
        return factor.recovery.count
    }

    func renewRecovery(_ digests: [String], of uid: String) async throws(TodoError) {
        try Self.check(digests: digests)
        var factor = try current(of: uid)
        factor.recovery = digests
        database[uid].account.factor = factor
        note(.recoveryMade, of: uid)
    }

    func turnOff(of uid: String) async throws(TodoError) -> Bool {
        let wasOn = try sessions.account(of: uid).factor != nil
        database[uid].account.factor = nil
        database[uid].account.pendingFactor = nil
        if wasOn { note(.factorOff, of: uid) }
        return wasOn
    }

    private func current(of uid: String) throws(TodoError) -> Factor {
        try TodoBounds.uid(uid)
        guard let factor = database[uid].account.factor else {
            throw .notFound("\(uid) has no second factor (any more)")
        }
        return factor
    }

    private func note(_ kind: AccountEvent.Kind, of uid: String, from network: String? = nil, count: Int? = nil) {
        database.note(AccountEvent(at: database.microseconds / 1000, kind, from: network, count: count), of: uid)
    }

    private static func isOn(_ uid: String) -> TodoError { .exists("\(uid) has a second factor: turn it off first") }

    private static func check(_ sealed: String) throws(TodoError) {
        guard sealed.utf8.count <= 256, sealed.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw .invalid("a sealed secret must be base64url")
        }
    }

    private static func check(digests: [String]) throws(TodoError) {
        guard FactorBounds.recoveryRange.contains(digests.count),
            digests.allSatisfy({ $0.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil })
        else { throw .invalid("give 1 to 20 digests of recovery codes, each 22 characters of base64url") }
    }
}
