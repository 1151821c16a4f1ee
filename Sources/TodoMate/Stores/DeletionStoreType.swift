package import EventLoop

/// Stores which accounts their owners have decided to delete, hides them from others at once, and deletes them in time.
///
/// From the decision on nothing is written under that name (``TodoError/leaving(_:)``), and to others it looks like a name
/// without an account. Until its time is over the owner may keep the account, which is then as it was before.
@LoopActor
package protocol DeletionStoreType: AnyObject, Sendable {
    /// Has an account deleted after some time, and ends all its sessions but one; said again, it changes nothing.
    ///
    /// - Parameters:
    ///   - uid: whose account.
    ///   - seconds: how long the owner may change their mind.
    ///   - generation: the generation that the account had when the password was checked; nil where none was checked.
    ///   - session: the session that goes on; nil for none.
    /// - Returns: when it is to be deleted, in seconds since 1970.
    /// - Throws: ``TodoError/notFound(_:)`` for no account, ``TodoError/conflict(_:current:)`` when it has changed since.
    func begin(
        of uid: String,
        after seconds: Int,
        since generation: Int?,
        keeping session: String?
    ) async throws(TodoError) -> Int

    /// Keeps an account that was to be deleted.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when it was not, or is deleted by now.
    func withdraw(of uid: String) async throws(TodoError)

    /// Whether an account is to be deleted.
    func deletion(of uid: String) async throws(TodoError) -> AccountDeletion

    /// Those of some users whose accounts are to be deleted, at most a thousand of them, and those of whom that is unknown as the node
    /// of a cluster that has their data does not answer.
    func leaving(among uids: [String]) async throws(TodoError) -> (leaving: Set<String>, unknown: Set<String>)

    /// Does what is due about one account: tells others' sides, or deletes it.
    ///
    /// It can be repeated, goes on where another worker ended, and may run in several at a time.
    ///
    /// - Returns: whether the account is deleted now.
    @discardableResult
    func advance(_ uid: String) async throws(TodoError) -> Bool

    /// The accounts about which something may be due, the most urgent first.
    func due() async throws(TodoError) -> [String]

    /// Whether this worker is to look after the accounts of ``due()``, for the next few minutes: one at a time does.
    func takeLease() async throws(TodoError) -> Bool

    /// Lets another worker look after them.
    func giveLeaseBack() async throws(TodoError)
}
