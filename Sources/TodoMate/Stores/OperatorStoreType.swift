package import EventLoop

/// Stores what the operator of an installation decides about accounts.
///
/// `by` is the operator who does something from the page, as the events of the account name them; nil for whoever has the store
/// itself, who may do more.
@LoopActor
package protocol OperatorStoreType: AnyObject, Sendable {
    /// Goes through all accounts, a part at a time and in no order; one may come twice.
    ///
    /// - Parameter missing: takes the nodes that do not answer, whose accounts are left out; nil where none may be left out.
    func eachAccount(
        missing: MissingNodes?,
        _ body: @LoopActor ([AccountMark]) async throws(TodoError) -> Void
    ) async throws(TodoError)

    /// What an operator sees of accounts, in the order of the names; those without an account are left out.
    ///
    /// - Parameter missing: as of ``eachAccount(missing:_:)``.
    func summaries(of uids: [String], missing: MissingNodes?) async throws(TodoError) -> [AccountSummary]

    /// Suspends an account: nobody signs in to it, and none of its sessions is live until it is resumed.
    ///
    /// - Parameter reason: why, for the person; empty for nothing.
    /// - Returns: whether it was not suspended for that reason already.
    /// - Throws: ``TodoError/conflict(_:current:)`` when `by` would suspend themselves or another operator.
    @discardableResult
    func suspend(_ uid: String, for reason: String, by: String?) async throws(TodoError) -> Bool

    /// Ends a suspension.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func resume(_ uid: String, by: String?) async throws(TodoError) -> Bool

    /// The suspension of an account; nil for none.
    ///
    /// - Parameter session: the id and generation of a session that must be the account's; nil where more was shown.
    func suspension(
        of uid: String,
        knowing session: (id: String, generation: Int)?
    ) async throws(TodoError) -> Suspension?

    /// Gives an account a role, or takes it away.
    ///
    /// - Returns: whether it was otherwise.
    @discardableResult
    func setRole(_ role: AccountRole?, of uid: String) async throws(TodoError) -> Bool

    /// The role of an account, as it is now; none while it is suspended.
    func role(of uid: String) async throws(TodoError) -> AccountRole?

    /// Limits what an account may have; what is not named stays.
    ///
    /// - Returns: whether anything is different.
    @discardableResult
    func limit(_ uid: String, _ changes: [AccountLimits.Kind: AccountLimits.Change], by: String?)
        async throws(TodoError) -> Bool
}

extension OperatorStoreType {
    /// What an operator sees of accounts, none left out that there is.
    package func summaries(of uids: [String]) async throws(TodoError) -> [AccountSummary] {
        try await summaries(of: uids, missing: nil)
    }
}
