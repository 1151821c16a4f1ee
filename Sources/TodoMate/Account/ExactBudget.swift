/// What a mail or a new account is counted for, exactly over all workers, so that nobody is flooded with mail, no server taken for
/// one that floods, and none filled with accounts.
///
/// Names without an account have budgets like any other, so that a refusal reveals nothing.
package struct ExactBudget: Sendable, Hashable {
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
        /// The client that makes an account without an invitation.
        case joiningClient = "joining-client"
        /// The network around that.
        case joiningNetwork = "joining-network"

        /// How many there may be within ``seconds``.
        package var most: Int {
            switch self {
            case .account: 3
            case .recipient, .client, .joiningClient: 5
            case .network, .joiningNetwork: 20
            }
        }

        /// After how many seconds each of them may be repeated.
        package var seconds: Int {
            switch self {
            case .account, .recipient, .joiningClient, .joiningNetwork: 3600
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
