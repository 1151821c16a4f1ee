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
    /// What is checked behind the password.
    let factor: SecondFactor
    private let log: Logger

    init(
        _ stores: Stores,
        _ hasher: PasswordHasher,
        _ attempts: SharedSignInBudgets,
        _ factor: SecondFactor,
        _ log: Logger
    ) {
        self.factor = factor
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

    /// What is to be shown besides the password, where the account has a second factor.
    enum SecondStep: Sendable {
        /// Nothing: a session that showed it asks.
        case shownBefore
        /// A code; nil where none was given.
        case shown(String?)
    }

    /// Somebody who has shown what an account asks for.
    struct Known: Sendable {
        /// The account's, when the password was checked.
        let generation: Int
        /// Whether the account has a second factor, and it was shown just now.
        let hasShownFactor: Bool
    }

    /// Checks a password, if the address may try one, and the second factor behind it; nil for a wrong password.
    ///
    /// - Parameters:
    ///   - uid: whose account.
    ///   - password: what is checked first: without it nobody learns whether there is a second factor.
    ///   - step: what is shown besides.
    ///   - address: what the client is counted as.
    ///   - network: where it is, as the owner of the account is told when something is wrong.
    /// - Throws: a ``Problem`` where the second factor is to be shown, or is wrong.
    ///
    /// The generation is read before the hash: a new password set meanwhile has the session refused.
    func known(
        _ uid: String,
        by password: String,
        and step: SecondStep,
        from address: String,
        in network: String
    ) async throws -> Known? {
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
            guard await place.verify(password, against: found.passwordHash) else {
                await attempts.end(attempt, .wrong)
                return .wrong
            }
            return .right(attempt)
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
        case .right(let attempt):
            // Outside the places of hashing: Redis may take its time.
            let hasShownFactor = try await shows(step, uid, network, in: attempt)
            try await accounts.rememberAddress(address, of: uid)
            return Known(generation: generation, hasShownFactor: hasShownFactor)
        }
    }

    /// Whether the second factor was shown, by somebody whose password was right; ends what is counted as their attempt.
    private func shows(
        _ step: SecondStep,
        _ uid: String,
        _ network: String,
        in attempt: SignInBudgets.Attempt
    ) async throws(Problem) -> Bool {
        do throws(Problem) {
            var hasShown = false
            if case .shown(let code) = step { hasShown = try await factor.check(code, of: uid, from: network) }
            await attempts.end(attempt, .right)
            return hasShown
        } catch {
            let isWrong = error.kind == .wrongCode || error.kind == .tooManyAttempts
            await attempts.end(attempt, isWrong ? .wrong : .asked)
            throw error
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

    /// What became of a password.
    private enum Verdict {
        case right(SignInBudgets.Attempt)
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
