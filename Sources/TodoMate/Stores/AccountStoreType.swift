package import EventLoop

/// Answers what signing in has to know of an account.
@LoopActor
package protocol AccountStoreType: AnyObject, Sendable {
    /// Reads what signing in needs; writes nothing.
    ///
    /// - Parameters:
    ///   - uid: who signs in.
    ///   - address: as numbers; an IPv6 client by its network, as `20010db800000000/64`.
    func signInFacts(of uid: String, from address: String) async throws(TodoError) -> SignInFacts

    /// Remembers an address that the right password came from.
    func rememberAddress(_ address: String, of uid: String) async throws(TodoError)
}

/// What signing in has to know of an account.
package struct SignInFacts: Sendable, Equatable {
    /// In place of a password's hash, where nobody has ever chosen one.
    package static let noPassword = "$none$"

    /// Nil when there is no such account.
    package let passwordHash: String?
    /// Whether there was a sign-in with the right password from there before; the last 20 such addresses are remembered.
    package let isKnownAddress: Bool

    /// What is known of an account.
    package init(passwordHash: String?, isKnownAddress: Bool) {
        (self.passwordHash, self.isKnownAddress) = (passwordHash, isKnownAddress)
    }
}
