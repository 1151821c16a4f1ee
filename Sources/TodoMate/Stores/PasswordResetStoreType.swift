package import EventLoop

/// Stores links by which a user who has forgotten the password sets another one, once.
@LoopActor
package protocol PasswordResetStoreType: AnyObject, Sendable {
    /// Lets whoever has a secret set the password once; what was offered before ends.
    ///
    /// - Parameters:
    ///   - id: the digest of the secret: 22 characters of base64url.
    ///   - uid: whose password.
    ///   - seconds: for how long, from a minute to 30 days.
    /// - Throws: ``TodoError/notFound(_:)`` when there is no account.
    func offerReset(_ id: String, of uid: String, seconds: Int) async throws(TodoError)

    /// Whether a link is good; the answer is the same for an unknown user as for a wrong secret.
    func isReset(_ id: String, of uid: String) async throws(TodoError) -> Bool

    /// Sets the password by a link, which ends, and ends all sessions.
    ///
    /// - Returns: the account's generation.
    /// - Throws: ``TodoError/notFound(_:)`` when the link is not good (any more).
    func resetPassword(_ id: String, of uid: String, hash: String) async throws(TodoError) -> Int
}

/// What both stores of these links hold to.
package enum PasswordResetBounds {
    /// How long a link may be good, in seconds: a minute to 30 days.
    package static let secondsRange = 60...2_592_000

    /// Checks the digest of a link's secret, and how long it is to be good.
    static func check(_ id: String, _ seconds: Int = secondsRange.lowerBound) throws(TodoError) {
        guard InvitationDraft.isID(id) else { throw .invalid("id must be 22 characters of base64url") }
        guard secondsRange.contains(seconds) else {
            throw .invalid("seconds must be a whole number from 60 to \(secondsRange.upperBound)")
        }
    }
}
