import CSodium
import Foundation
import TodoMate

/// What was asked of a provider: it comes back with the browser that asked, and with no other.
///
/// The browser keeps it sealed, so that no worker has to remember anything, and any of them may take it back.
struct SignInJourney: Sendable, Equatable, Codable {
    /// What for.
    enum Purpose: String, Sendable, Codable {
        /// To sign in.
        case signIn
        /// To sign in by this identity from now on; of somebody who has signed in.
        case link
        /// To set another password; of somebody who has signed in.
        case password
    }

    /// In seconds: as long as somebody may take to sign in at the provider.
    static let seconds = 900

    let provider: String
    let purpose: Purpose
    /// Whose account, and in which session; nil to sign in.
    let uid: String?
    let session: String?
    /// Comes back with the answer, and shows that it is one to this journey (RFC 6749, section 10.12).
    let state: String
    /// Comes back inside the token.
    let nonce: String
    /// What the code can be traded with alone (RFC 7636).
    let verifier: String
    let begun: Date

    init(to provider: String, _ purpose: Purpose = .signIn, for token: SessionToken? = nil, now: Date = Date()) {
        (self.provider, self.purpose, uid, session) = (provider, purpose, token?.uid, token?.id)
        state = Self.random()
        nonce = Self.random()
        verifier = Self.random()
        begun = now
    }

    /// What the provider is shown of the verifier.
    var challenge: String { Self.challenge(of: verifier) }

    static func challenge(of verifier: String) -> String {
        Sodium.prepare()
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
        let verifier = Array(verifier.utf8)
        crypto_hash_sha256(&digest, verifier, UInt64(verifier.count))
        return Base64URL.encode(digest)
    }

    /// Whether an answer belongs to it.
    func expects(state other: String, at now: Date = Date()) -> Bool {
        let age = now.timeIntervalSince(begun)
        return age > -60 && age < Double(Self.seconds) && Sodium.isEqual(Array(state.utf8), Array(other.utf8))
    }

    private static func random() -> String { Base64URL.encode(Sodium.random(32)) }
}

/// Somebody whom a provider knows and this server does not, until they have chosen a name.
struct Arrival: Sendable, Equatable, Codable {
    /// In seconds.
    static let seconds = 900

    let provider: String
    /// The digest of the identity.
    let identity: String
    let label: String?
    let began: Date

    var draft: IdentityDraft { IdentityDraft(id: identity, provider: provider, label: label) }

    /// Whether the name may still be chosen.
    func isGood(at now: Date = Date()) -> Bool {
        let age = now.timeIntervalSince(began)
        return age > -60 && age < Double(Self.seconds)
    }
}
