/// Knows by which token requests are sent.
///
/// An app answers from its keychain, and with nil once its user has signed out; it may ask its user to sign in before it answers.
public protocol CredentialSource: Sendable {
    /// The token to send.
    ///
    /// - Parameter refused: the token that the server has just refused, so that another one is needed; nil at first.
    /// - Returns: the token; nil where there is none, or no other one. Nothing is sent then but what needs no sign-in.
    func token(inPlaceOf refused: String?) async -> String?
}

/// One token that does not change.
public struct FixedToken: CredentialSource {
    private let token: String?

    /// A token, such as `todomate token` prints; nil for a server without sign-in.
    public init(_ token: String?) { self.token = token }

    /// The token, unless it is the one that was refused.
    public func token(inPlaceOf refused: String?) async -> String? { token == refused ? nil : token }
}
