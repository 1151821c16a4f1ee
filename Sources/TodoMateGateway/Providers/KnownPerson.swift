import Foundation
import TodoMate

/// What this server makes of a provider's word about somebody.
struct KnownPerson: Sendable {
    let identity: IdentityDraft
    /// A name that they might like; nil where nothing suggests one.
    let proposedName: String?

    init(_ token: IDToken, by provider: IdentityProvider) {
        // An issuer has no line feed.
        let text = "todomate:identity:\(provider.issuer)\n\(token.subject)"
        let labels = ["email", provider.nameClaim, "preferred_username", "name"]
        identity = IdentityDraft(
            id: Base64URL.encode(Sodium.digest(Array(text.utf8))),
            provider: provider.id,
            label: labels.lazy.compactMap { token.claims[$0]?.text }.compactMap(Self.label).first
        )
        let names = [provider.nameClaim, "preferred_username", "nickname", "email", "name"]
        proposedName = names.lazy.compactMap { token.claims[$0]?.text }.compactMap(Self.name).first
    }

    private static func label(_ text: String) -> String? {
        let line = String(text.prefix(64))
        return (try? TodoBounds.label(line, named: "label")) != nil && !line.isEmpty ? line : nil
    }

    /// A name that users can have: of an address what stands before its @.
    private static func name(_ text: String) -> String? {
        let local = text.prefix { $0 != "@" }.split(separator: " ").joined(separator: ".")
        let name = String(String.UnicodeScalarView(local.unicodeScalars.filter(isAllowed).prefix(64)))
        return (try? UserNameRule.check(name)) == nil ? nil : name
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar))
    }
}
