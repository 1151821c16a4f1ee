import Foundation

/// What a provider says of somebody who has signed in there, once it is certain that it says so, to this server, now, and about the
/// sign-in that was asked for (OpenID Connect Core 1.0, section 3.1.3.7).
struct IDToken: Sendable, Equatable {
    private static let longestSubject = 255
    /// Clocks of different machines may differ by so much.
    private static let leeway = 60.0
    /// A token that was made longer ago answers no sign-in of now.
    private static let oldest = 600.0

    /// The provider's name of the person, which is given to nobody else.
    let subject: String
    /// When the person last signed in there themselves; nil where that is not said.
    let signedIn: Date?
    let claims: [String: ClaimValue]

    /// - Throws: ``ProviderError/token(_:)`` that says which claim is wrong.
    init(
        _ claims: [String: ClaimValue],
        from issuer: String,
        for clientID: String,
        nonce: String,
        now: Date = Date()
    ) throws(ProviderError) {
        guard claims["iss"]?.text == issuer else { throw .token("another issuer has made it") }
        let audience = claims["aud"]?.texts ?? []
        guard audience.contains(clientID) else { throw .token("it is for another client") }
        let party = claims["azp"]
        guard party == nil && audience.count == 1 || party?.text == clientID else {
            throw .token("it was made for another client")
        }
        let time = now.timeIntervalSince1970
        guard let expiry = claims["exp"]?.number, expiry > time - Self.leeway else { throw .token("it is over") }
        guard let made = claims["iat"]?.number, abs(time - made) < Self.oldest else {
            throw .token("it was made at another time: compare the clocks of both servers")
        }
        guard (claims["nbf"]?.number ?? 0) <= time + Self.leeway else { throw .token("it is not good yet") }
        guard let given = claims["nonce"]?.text, Sodium.isEqual(Array(given.utf8), Array(nonce.utf8)) else {
            throw .token("it belongs to another sign-in")
        }
        guard let subject = claims["sub"]?.text, (1...Self.longestSubject).contains(subject.utf8.count) else {
            throw .token("it names nobody")
        }
        self.subject = subject
        self.claims = claims
        signedIn = claims["auth_time"]?.number.map { Date(timeIntervalSince1970: $0) }
    }
}
