package import EventLoop

/// Stores by which identities at OpenID providers users sign in.
@LoopActor
package protocol IdentityStoreType: AnyObject, Sendable {
    /// Whom an identity belongs to, by its digest; nil for nobody.
    func owner(of id: String) async throws(TodoError) -> String?

    /// Lets a user sign in by an identity. One that is linked already stays as it is.
    ///
    /// - Throws: ``TodoError/exists(_:)`` when it belongs to another user, ``TodoError/notFound(_:)`` when there is no account,
    ///   ``TodoError/full(_:)`` when the user has ten.
    func link(_ identity: IdentityDraft, to uid: String) async throws(TodoError)

    /// Lets nobody sign in by an identity any more.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when the user has none of this digest, ``TodoError/conflict(_:current:)`` when it is the
    ///   last one of an account without a password.
    func unlink(_ id: String, of uid: String) async throws(TodoError)

    /// The identities of a user, the one linked first in front.
    func identities(of uid: String) async throws(TodoError) -> [LinkedIdentity]

    /// Makes an account of a name under which there is nothing, for somebody whom a provider knows.
    ///
    /// - Parameters:
    ///   - uid: the name that was chosen.
    ///   - hash: the hash of a password that nobody knows.
    ///   - identity: by which they sign in.
    /// - Returns: the account's generation, also where this identity has made the account before.
    /// - Throws: ``TodoError/exists(_:)`` when the name is another one's, or the identity is.
    func enroll(_ uid: String, passwordHash hash: String, by identity: IdentityDraft) async throws(TodoError) -> Int
}

extension TodoError {
    /// An identity that somebody else signs in by; it does not say who.
    package static var identityIsTaken: TodoError {
        .exists("this identity belongs to another account here: sign in to that one, and take it away there first")
    }
}
