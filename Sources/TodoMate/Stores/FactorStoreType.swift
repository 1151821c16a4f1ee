package import EventLoop

/// Stores the second factors of accounts: what codes are made of, sealed, and digests of recovery codes.
@LoopActor
package protocol FactorStoreType: AnyObject, Sendable {
    /// What there is of somebody's second factor; nothing for an unknown user.
    func factor(of uid: String) async throws(TodoError) -> StoredFactor

    /// Keeps a secret until its first code shows that its owner has it; one of before is replaced.
    ///
    /// - Parameters:
    ///   - sealed: the secret, sealed, as base64url.
    ///   - uid: whose.
    ///   - seconds: for how long, a minute to an hour.
    /// - Throws: ``TodoError/notFound(_:)`` for no account, ``TodoError/exists(_:)`` where one is on.
    func prepare(_ sealed: String, of uid: String, seconds: Int) async throws(TodoError)

    /// Turns on what waits for its first code, and ends all sign-ins but one; tokens go on.
    ///
    /// - Parameters:
    ///   - sealed: the secret that waits.
    ///   - uid: whose.
    ///   - step: that of the first code, which is no good for anything else.
    ///   - recovery: the digests of the recovery codes, 1 to 20.
    ///   - session: the sign-in that goes on.
    /// - Returns: the ids of those that ended.
    /// - Throws: ``TodoError/notFound(_:)`` where nothing waits (any more) or the session is over, ``TodoError/exists(_:)`` where one
    ///   is on.
    func turnOn(
        _ sealed: String,
        of uid: String,
        step: Int,
        recovery: [String],
        keeping session: String
    ) async throws(TodoError) -> [String]

    /// Takes a code, of each step no more than one, or counts a wrong one: ten at once, and one more an hour.
    ///
    /// - Parameters:
    ///   - step: the step that the code is of; nil for a wrong code.
    ///   - sealed: the secret that it was compared with.
    ///   - uid: whose.
    ///   - network: where it came from.
    ///   - renewed: the secret as it is sealed from now on; nil for as before.
    /// - Throws: ``TodoError/notFound(_:)`` where none is on, ``TodoError/conflict(_:current:)`` where it has changed meanwhile.
    func tryCode(
        of step: Int?,
        against sealed: String,
        of uid: String,
        from network: String,
        renewed: String?
    ) async throws(TodoError) -> CodeVerdict

    /// Takes a recovery code, which is good once.
    ///
    /// - Returns: how many are left; nil where there is no such code (any more).
    func useRecovery(_ digest: String, of uid: String, from network: String) async throws(TodoError) -> Int?

    /// Puts other recovery codes in the place of those of before.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` where none is on.
    func renewRecovery(_ digests: [String], of uid: String) async throws(TodoError)

    /// Takes it away, and what waits for its first code.
    ///
    /// - Returns: whether one was on.
    /// - Throws: ``TodoError/notFound(_:)`` for no account.
    @discardableResult
    func turnOff(of uid: String) async throws(TodoError) -> Bool
}

/// What is stored of somebody's second factor.
package struct StoredFactor: Sendable, Equatable, Codable {
    /// What codes are made of, sealed; nil where none is on.
    package var secret: String?
    /// Since when it is on, in seconds since 1970.
    package var since: Int?
    /// The step of the last code that was taken.
    package var step: Int?
    /// How many recovery codes are left.
    package var left: Int?
    /// A secret that waits for its first code, sealed.
    package var pending: String?

    /// Something of these parts; nothing without any.
    package init(
        secret: String? = nil,
        since: Int? = nil,
        step: Int? = nil,
        left: Int? = nil,
        pending: String? = nil
    ) {
        (self.secret, self.since, self.step, self.left, self.pending) = (secret, since, step, left, pending)
    }
}

/// What became of a code.
package enum CodeVerdict: Sendable, Equatable {
    /// It was right, and is used up.
    case taken
    /// It was wrong, or used before.
    case refused
    /// It was not looked at: too many were wrong, and the next may come in so many seconds.
    case wait(seconds: Int)
}

/// What both stores of second factors hold to.
package enum FactorBounds {
    /// How long a secret may wait for its first code, in seconds.
    package static let secondsRange = 60...3600
    /// How many wrong codes may come at once.
    package static let tries = 10
    /// After how many seconds one more may come.
    package static let trySeconds = 3600
    /// How many recovery codes there may be.
    package static let recoveryRange = 1...20
}
