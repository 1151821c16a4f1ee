/// Something that happened to an account, for its owner.
package struct AccountEvent: Sendable, Equatable, Codable {
    /// The most that are kept of an account.
    package static let most = 100

    /// When, in milliseconds since 1970.
    package var at: Int
    /// What, as ``Kind`` names it, or a later version.
    package var kind: String
    /// The session that it is about.
    package var session: String?
    /// The network that it came from.
    package var from: String?
    /// What it was done with.
    package var device: String?
    /// What a token is called, a provider, or the address of a mail.
    package var name: String?
    /// What a token may do.
    package var scope: TokenScope?
    /// Who may follow from then on.
    package var audience: Visibility?
    /// How many sessions ended.
    package var count: Int?
    /// The operator who did it from the page; nil for the owner, and for whoever has the store itself.
    package var by: String?
    /// Why, in an operator's words.
    package var reason: String?
    /// The role from then on, or `none`.
    package var role: String?

    /// The kinds that this version notes.
    package enum Kind: String, Sendable, CaseIterable {
        /// Somebody signed in.
        case signIn = "sign-in"
        /// Somebody gave a wrong password; at most one a minute, and fifty in all.
        case refused
        /// A program's token was made.
        case tokenMade = "token-made"
        /// A program's token was ended.
        case tokenEnded = "token-ended"
        /// A sign-in was ended.
        case sessionEnded = "session-ended"
        /// Several sessions were ended at once.
        case sessionsEnded = "sessions-ended"
        /// The account has another password.
        case passwordChanged = "password-changed"
        /// Others may follow, or not.
        case audienceChanged = "audience-changed"
        /// An identity at a provider opens the account.
        case identityLinked = "identity-linked"
        /// It does no more.
        case identityUnlinked = "identity-unlinked"
        /// An operator has suspended the account.
        case suspended
        /// An operator has ended that.
        case resumed
        /// The account has another role.
        case roleChanged = "role-changed"
        /// An operator allows the account more or less.
        case limitsChanged = "limits-changed"
        /// A second factor was turned on, which ended other sign-ins.
        case factorOn = "factor-on"
        /// A second factor was turned off.
        case factorOff = "factor-off"
        /// Somebody gave the right password and a wrong code.
        case codeRefused = "code-refused"
        /// A recovery code was used; `count` are left.
        case recoveryUsed = "recovery-used"
        /// Other recovery codes took the place of those of before.
        case recoveryMade = "recovery-made"
        /// Mail goes to an address that its reader has confirmed; `name` is the address.
        case mailChanged = "mail-changed"
        /// Mail goes nowhere any more.
        case mailRemoved = "mail-removed"
        /// The owner has decided to delete the account.
        case deletionBegun = "deletion-begun"
        /// The owner has decided to keep it after all.
        case deletionWithdrawn = "deletion-withdrawn"
    }

    /// An event of these parts.
    package init(
        at: Int,
        _ kind: Kind,
        session: String? = nil,
        from: String? = nil,
        device: String? = nil,
        name: String? = nil,
        scope: TokenScope? = nil,
        audience: Visibility? = nil,
        count: Int? = nil,
        by: String? = nil,
        reason: String? = nil,
        role: String? = nil
    ) {
        (self.at, self.kind) = (at, kind.rawValue)
        (self.session, self.from, self.device, self.name) = (session, from, device, name)
        (self.scope, self.audience, self.count) = (scope, audience, count)
        (self.by, self.reason, self.role) = (by, reason, role)
    }
}
