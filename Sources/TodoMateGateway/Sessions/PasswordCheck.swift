import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Checks the passwords of accounts, within what addresses and accounts may try: to sign in, and whenever somebody must show once
/// more that they know it.
@LoopActor
final class PasswordCheck {
    private let accounts: any AccountStoreType
    private let sessions: any SessionStoreType
    private let hasher: PasswordHasher
    private let attempts: SharedSignInBudgets
    private let refused: RefusedSignIns
    private let log: Logger

    init(_ stores: Stores, _ hasher: PasswordHasher, _ attempts: SharedSignInBudgets, _ log: Logger) {
        refused = RefusedSignIns(stores.sessions, log)
        (accounts, sessions) = (stores.accounts, stores.sessions)
        self.hasher = hasher
        self.attempts = attempts
        self.log = log
    }

    /// Checks whether an address may try a password at all, before anything is read of what it says.
    func admit(_ address: String) async throws(Problem) {
        if let wait = attempts.budgets.wait(of: address, at: .now) { throw await tooMany(wait, address) }
    }

    /// Checks a password, if the address may try one; the generation of the account if it is right, or nil.
    ///
    /// - Parameters:
    ///   - address: what the client is counted as.
    ///   - network: where it is, as the owner of the account is told when the password is wrong.
    ///
    /// The generation is read before the hash: a new password set meanwhile has the session refused.
    func generation(
        of uid: String,
        knowing password: String,
        from address: String,
        in network: String
    ) async throws -> Int? {
        guard (try? TodoBounds.uid(uid)) != nil, password.utf8.count <= PasswordRule.longestBytes else { return nil }
        let account = attempts.code(of: uid)
        if let wait = attempts.budgets.wait(of: address, for: account, at: .now) {
            throw await tooMany(wait, address)
        }
        let generation = try await sessions.live(of: uid).generation ?? 0
        let found = try await accounts.signInFacts(of: uid, from: address)
        let verdict = try await hasher.withPlace(for: address, isKnown: found.isKnownAddress) {
            place throws(Problem) -> Verdict in
            // Looked at once more, in one turn with the counting: many may have come as far as this at the same time.
            if let wait = attempts.budgets.wait(of: address, for: account, at: .now) { return .wait(wait) }
            var attempt = attempts.budgets.begin(account, from: address, at: .now)
            if let wait = attempts.budgets.judge(&attempt, isKnown: found.isKnownAddress, at: .now) {
                return .wait(wait)
            }
            let isRight = await place.verify(password, against: found.passwordHash)
            await attempts.end(attempt, isRight ? .right : .wrong)
            return isRight ? .right(generation) : .wrong
        }
        switch verdict {
        case nil: throw await busy(address)
        case .wait(let time): throw await tooMany(time, address)
        case .wrong:
            // People type passwords where names belong: only the name of an account is logged.
            if found.passwordHash == nil {
                log.warning("sign-in refused", ["from": address])
            } else {
                log.warning("sign-in refused", ["uid": uid, "from": address])
                refused.note(uid, from: network)
            }
            return nil
        case .right(let generation):
            try await accounts.rememberAddress(address, of: uid)
            return generation
        }
    }

    func stop() { refused.stop() }

    /// The hash of a password that somebody chooses, made in one of the same places.
    ///
    /// - Parameter isKnown: whether they are signed in, or hold a good link: strangers cannot take all places.
    func hash(_ password: String, from address: String, isKnown: Bool) async throws(Problem) -> String {
        guard let hash = await hasher.hash(password, for: address, isKnown: isKnown) else { throw await busy(address) }
        return hash
    }

    /// What became of a password: it may be right for a generation of the account.
    private enum Verdict {
        case right(Int)
        case wrong
        case wait(Duration)
    }

    private func busy(_ address: String) async -> Problem {
        await attempts.beforeRefusing(address)
        return Problem(.busy, "many sign in at the moment: try again soon", headers: ["Retry-After": "5"])
    }

    private func tooMany(_ wait: Duration, _ address: String) async -> Problem {
        await attempts.beforeRefusing(address)
        return .tooManyAttempts("to sign in", wait)
    }
}
