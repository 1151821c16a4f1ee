/// What a mail is counted for, so that nobody is flooded with them and no server taken for one that floods.
///
/// Names without an account have budgets like any other, so that a refusal reveals nothing.
package struct MailBudget: Sendable, Hashable {
    /// Whose budget it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// The account that a mail is about, and what for.
        case account
        /// The address that it goes to.
        case recipient
        /// The client that asks for it.
        case client
        /// The network around that.
        case network

        /// How many mails there may be within ``seconds``.
        package var most: Int {
            switch self {
            case .account: 3
            case .recipient, .client: 5
            case .network: 20
            }
        }

        /// After how many seconds each of them may be repeated.
        package var seconds: Int {
            switch self {
            case .account, .recipient: 3600
            case .client, .network: 600
            }
        }
    }

    /// Whose budget it is.
    package let kind: Kind
    /// Which one: a client's address, or a code that tells nothing of the account or address that it stands for.
    package let key: String

    package init(_ kind: Kind, _ key: String) { (self.kind, self.key) = (kind, key) }
}
