package import EventLoop

/// Stores invitations, and makes the accounts of those who come by them.
///
/// An invitation is its inviter's and the new account somebody else's, so that they are written one after the other: first a use is
/// taken for a name (``take(_:for:)``), then the account is made by it (``enroll(_:passwordHash:by:)``). Both can be repeated;
/// ``AccountJoining`` puts them together.
@LoopActor
package protocol InvitationStoreType: AnyObject, Sendable {
    /// Makes an invitation.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when the inviter has no account, ``TodoError/full(_:)`` when 50 are open.
    func invite(_ draft: InvitationDraft, by uid: String) async throws(TodoError) -> Invitation

    /// The invitations of a user that are not over, the one made first in front.
    func invitations(of uid: String) async throws(TodoError) -> [Invitation]

    /// One that is not over, whether or not uses are left.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` for none.
    func invitation(_ name: InvitationName) async throws(TodoError) -> Invitation

    /// Takes an invitation back.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when there is none of this id.
    func endInvitation(_ name: InvitationName) async throws(TodoError)

    /// Takes a use of an invitation for a name; one that the name has taken before is taken no second time.
    ///
    /// - Returns: when, in seconds since 1970; 0 where an account came of it, and no other is made.
    /// - Throws: ``TodoError/notFound(_:)`` where there is no such invitation any more, ``TodoError/full(_:)`` where it is used up.
    func take(_ name: InvitationName, for uid: String) async throws(TodoError) -> Int

    /// Marks a use as one that an account came of: it is never given back, not when that account is gone either.
    func settle(_ name: InvitationName, for uid: String) async throws(TodoError)

    /// Gives a use back whose account was not made.
    ///
    /// - Parameters:
    ///   - name: of which invitation.
    ///   - uid: for whom it was taken.
    ///   - taken: what ``take(_:for:)`` returned; one that was taken again since stays taken.
    ///   - mustBeOld: whether it stays taken as long as the account may still be made.
    /// - Returns: whether it was given back.
    @discardableResult
    func giveBack(
        _ name: InvitationName,
        of uid: String,
        taken: Int,
        ifAbandoned mustBeOld: Bool
    ) async throws(TodoError) -> Bool

    /// Makes an account of a name under which there is nothing.
    ///
    /// - Parameter use: the use of an invitation, taken at most a minute ago; nil for none.
    /// - Returns: the account's generation; nil where this invitation has made the account before.
    /// - Throws: ``TodoError/exists(_:)`` when the name is another one's, ``TodoError/conflict(_:current:)`` after that minute.
    func enroll(
        _ uid: String,
        passwordHash hash: String,
        by use: InvitationUse?
    ) async throws(TodoError) -> Int?

    /// Whether an account was made by an invitation.
    func came(_ uid: String, by name: InvitationName) async throws(TodoError) -> Bool
}
