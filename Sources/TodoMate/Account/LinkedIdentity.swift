/// An identity at an OpenID provider, by which a user signs in.
package struct LinkedIdentity: Sendable, Equatable, Codable {
    /// The most of one user.
    package static let most = 10

    /// The digest of the provider's issuer and its subject: 22 characters of base64url.
    package var id: String
    /// The name of the provider in this server's configuration.
    package var provider: String
    /// As what the person is known there, such as an address of mail.
    package var label: String?
    /// When, in seconds since 1970.
    package var linked: Int

    package init(id: String, provider: String, label: String? = nil, linked: Int) {
        (self.id, self.provider, self.label, self.linked) = (id, provider, label, linked)
    }
}

/// An identity that is to be linked.
package struct IdentityDraft: Sendable, Equatable {
    private static let longestProvider = 32

    package let id: String
    package let provider: String
    package let label: String?

    /// - Parameters:
    ///   - id: the digest of the provider's issuer and its subject: 22 characters of base64url.
    ///   - provider: the name of the provider: a to z, digits and dashes.
    ///   - label: as what the person is known there; one line of at most 64 characters.
    package init(id: String, provider: String, label: String? = nil) {
        (self.id, self.provider, self.label) = (id, provider, label)
    }

    /// - Throws: ``TodoError/invalid(_:)`` for parts that the store does not take.
    package func check() throws(TodoError) {
        guard InvitationDraft.isID(id) else { throw .invalid("id must be 22 characters of base64url") }
        guard Self.isProvider(provider) else {
            throw .invalid("provider must be at most 32 of a to z, digits and dashes")
        }
        if let label { try TodoBounds.label(label, named: "label") }
    }

    /// Whether a text can be the name of a provider.
    package static func isProvider(_ text: String) -> Bool {
        (1...longestProvider).contains(text.utf8.count) && text.wholeMatch(of: /[a-z0-9-]+/) != nil
    }
}
