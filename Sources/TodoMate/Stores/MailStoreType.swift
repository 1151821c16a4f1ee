package import EventLoop

/// Stores the addresses that accounts have mail sent to, and links for a new password that are sent there.
///
/// Several accounts may have one address: whoever has forgotten the password names the account, and nothing leads from an address
/// to accounts.
@LoopActor
package protocol MailStoreType: AnyObject, Sendable {
    /// The address of an account, and the one that waits to be confirmed; none for an unknown user.
    func mail(of uid: String) async throws(TodoError) -> AccountMail

    /// Has whoever reads an address confirm that it is for this account; what waited before ends.
    ///
    /// - Parameters:
    ///   - address: what ``MailAddressRule`` lets pass.
    ///   - id: the digest of the link's secret: 22 characters of base64url.
    ///   - uid: whose account.
    ///   - seconds: for how long, from a minute to 30 days.
    ///   - generation: the one whose password was checked; nil for any.
    /// - Throws: ``TodoError/notFound(_:)`` without an account, ``TodoError/conflict(_:current:)`` when it has changed meanwhile or
    ///   is suspended, ``TodoError/leaving(_:)`` when it is to be deleted.
    func offer(
        _ address: String,
        by id: String,
        to uid: String,
        seconds: Int,
        since generation: Int?
    ) async throws(TodoError)

    /// Takes the address that waits for a link, which ends; links for a password that were sent to another address end as well.
    ///
    /// - Returns: the address, and the one before.
    /// - Throws: ``TodoError/notFound(_:)`` when the link is not good (any more).
    func confirm(_ id: String, of uid: String) async throws(TodoError) -> (address: String, before: String?)

    /// Takes the address away, the one that waits, and links for a password that were sent there.
    ///
    /// - Returns: the address that was confirmed, if there was one.
    func removeMail(of uid: String, since generation: Int?) async throws(TodoError) -> String?

    /// Lets whoever has a secret set the password once, where it can be sent to them; the one that was mailed before ends.
    ///
    /// - Returns: the address to send it to; nil without an account, without a confirmed address, and while suspended.
    func offerReset(_ id: String, of uid: String, seconds: Int) async throws(TodoError) -> String?

    /// Takes one of each budget, in this order, or none.
    ///
    /// - Returns: after how many seconds there may be one again; nil where it was taken.
    func take(_ budgets: [ExactBudget]) async throws(TodoError) -> Int?

    /// Gives one of each budget back that was taken; does nothing where none is.
    func giveBack(_ budgets: [ExactBudget]) async throws(TodoError)
}
