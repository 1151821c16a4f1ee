import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// The second factor of accounts: sets it up, and tells whether what somebody shows is right.
///
/// Who signs in sends name, password and code together, and nothing is kept between two requests: there is no half-open sign-in to
/// take over. Of the wrong codes for an account ten are looked at, and one more an hour, whatever addresses and workers they come
/// by: of 1,000,000 codes three are right at a time, so that somebody who knows the password hits one with a chance of 0.01 % in the
/// first day, and of 2.6 % when they go on for a year. The owner is told of each (``AccountEvent``), and signs in with a recovery
/// code meanwhile.
@LoopActor
final class SecondFactor {
    /// The most bytes that are looked at as a code.
    nonisolated static let longestCode = 64
    /// How long a secret waits for its first code.
    static let setupSeconds = 600
    static let recoveryCodes = 10

    private let store: any FactorStoreType
    private let seal: Seal
    private let log: Logger
    private let now: @LoopActor () -> Date
    /// Wrong first codes, by user: who has taken a session over must not guess one while its owner sets it up.
    private var firstCodes = BudgetTable(Budget(burst: 10, interval: .seconds(60)), most: 16_384)

    init(
        _ store: any FactorStoreType,
        _ signer: TokenSigner,
        _ log: Logger,
        now: @escaping @LoopActor () -> Date = { Date() }
    ) {
        (self.store, self.log, self.now) = (store, log, now)
        seal = Seal(signer, for: "second-factor")
    }

    // MARK: Checking

    /// Checks what somebody shows who knows the password, or has a link for another one.
    ///
    /// - Parameters:
    ///   - shown: a code by time or a recovery code; nil where none was given.
    ///   - uid: whose account.
    ///   - network: where it came from.
    /// - Returns: whether the account has a second factor, which was shown then.
    /// - Throws: a ``Problem`` where it must be shown, is wrong, or cannot be looked at.
    func check(_ shown: String?, of uid: String, from network: String) async throws(Problem) -> Bool {
        let result: Result<Bool, Problem>
        do throws(TodoError) {
            do throws(TodoError) {
                result = try await look(shown, of: uid, from: network)
            } catch {
                // Sealed anew meanwhile, for somebody else who signs in.
                guard case .conflict = error else { throw error }
                result = try await look(shown, of: uid, from: network)
            }
        } catch {
            // Redis cannot be reached: neither yes nor no.
            throw Problem(error)
        }
        return try result.get()
    }

    private func look(
        _ shown: String?,
        of uid: String,
        from network: String
    ) async throws(TodoError) -> Result<Bool, Problem> {
        let stored = try await store.factor(of: uid)
        guard let sealed = stored.secret else { return .success(false) }
        let opened = open(sealed, uid)
        guard let shown else { return .failure(opened == nil ? Self.unreadable : Self.asked) }
        if let code = RecoveryCode(shown) {
            guard let left = try await store.useRecovery(code.digest(for: uid), of: uid, from: network) else {
                return .failure(refusal(of: uid, "no such recovery code"))
            }
            log.info("recovery code used", ["uid": uid, "left": String(left)])
            return .success(true)
        }
        guard let digits = Self.digits(in: shown) else { return .failure(refusal(of: uid, "no code")) }
        guard let opened else { return .failure(Self.unreadable) }
        let step = opened.secret.step(of: digits, at: now())
        let verdict = try await store.tryCode(
            of: step,
            against: sealed,
            of: uid,
            from: network,
            renewed: opened.isNewest ? nil : seal.seal(opened.secret.bytes, for: uid)
        )
        switch verdict {
        case .taken: return .success(true)
        case .refused:
            let isAhead = (stored.step ?? 0) > TimeCodeSecret.step(at: now()) + 1
            if isAhead { log.warning("codes are refused until the clock has caught up", ["uid": uid]) }
            return .failure(refusal(of: uid, step == nil ? "wrong code" : "a code of before"))
        case .wait(let seconds): return .failure(Self.tooMany(seconds))
        }
    }

    private func open(_ sealed: String, _ uid: String) -> (secret: TimeCodeSecret, isNewest: Bool)? {
        guard let (bytes, isNewest) = seal.open(sealed, for: uid), let secret = TimeCodeSecret(bytes) else {
            log.warning(
                "the secret of the workers does not open this user's second factor: was it changed without its former one?",
                ["uid": uid]
            )
            return nil
        }
        return (secret, isNewest)
    }

    /// Six digits, however somebody has set them apart; nil for anything else.
    private static func digits(in text: String) -> String? {
        guard text.utf8.count <= longestCode else { return nil }
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        guard digits.utf8.count == TimeCodeSecret.digits, digits.allSatisfy(\.isASCII), Int(digits) != nil else {
            return nil
        }
        return digits
    }

    private func refusal(of uid: String, _ reason: String) -> Problem {
        log.warning("code refused", ["uid": uid, "reason": reason])
        return Self.wrong
    }

    private static var asked: Problem {
        let detail = "this account has a second factor: send its code, or a recovery code, as code besides"
        return Problem(.secondFactor, detail, headers: ["WWW-Authenticate": "Bearer"])
    }

    private static var unreadable: Problem {
        let detail =
            "the second factor of this account cannot be checked: send a recovery code, or ask the operator to turn it off"
        return Problem(.secondFactorUnreadable, detail, headers: ["WWW-Authenticate": "Bearer"])
    }

    private static var wrong: Problem {
        Problem(.wrongCode, "the code is wrong, was used before, or is over: wait for the next one")
    }

    private static func tooMany(_ seconds: Int) -> Problem {
        let detail = "too many wrong codes: the next one may be in \(seconds) s; a recovery code is taken at once"
        return Problem(.tooManyAttempts, detail, headers: ["Retry-After": String(seconds)])
    }

    // MARK: Setting it up

    /// What there is of it.
    func state(of uid: String) async throws(TodoError) -> StoredFactor { try await store.factor(of: uid) }

    /// A secret that waits for its first code.
    func prepare(for uid: String) async throws(TodoError) -> TimeCodeSecret {
        let secret = TimeCodeSecret()
        try await store.prepare(seal.seal(secret.bytes, for: uid), of: uid, seconds: Self.setupSeconds)
        return secret
    }

    /// Turns on what waits for its first code, and ends all sign-ins but one: from then on each live one has shown it.
    ///
    /// - Parameters:
    ///   - code: the first code.
    ///   - uid: whose.
    ///   - session: the sign-in that goes on.
    /// - Returns: the recovery codes, which nobody can read again, and the ids of the sign-ins that ended.
    func turnOn(
        with code: String,
        for uid: String,
        keeping session: String
    ) async throws -> (codes: [RecoveryCode], ended: [String]) {
        guard let sealed = try await store.factor(of: uid).pending, let secret = open(sealed, uid)?.secret else {
            throw Problem(.notFound, "no second factor waits for its first code (any more): begin again")
        }
        if let wait = firstCodes.wait(uid, at: .now) { throw Problem.tooManyAttempts("with codes", wait) }
        guard let step = Self.digits(in: code).flatMap({ secret.step(of: $0, at: now()) }) else {
            firstCodes.spend(uid, at: .now)
            throw Self.wrong
        }
        let codes = Self.newCodes()
        let digests = codes.map { $0.digest(for: uid) }
        let ended = try await store.turnOn(sealed, of: uid, step: step, recovery: digests, keeping: session)
        log.info("second factor turned on", ["uid": uid, "sessions": String(ended.count)])
        return (codes, ended)
    }

    /// Other recovery codes, in the place of those of before.
    func renewRecoveryCodes(of uid: String) async throws(TodoError) -> [RecoveryCode] {
        let codes = Self.newCodes()
        try await store.renewRecovery(codes.map { $0.digest(for: uid) }, of: uid)
        log.info("recovery codes made", ["uid": uid])
        return codes
    }

    /// Takes it away.
    func turnOff(for uid: String) async throws(TodoError) {
        try await store.turnOff(of: uid)
        log.info("second factor turned off", ["uid": uid])
    }

    private static func newCodes() -> [RecoveryCode] { (0..<recoveryCodes).map { _ in RecoveryCode() } }
}
