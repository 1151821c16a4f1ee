package import EventLoop

/// Stores accounts and their sessions; each end of sessions is published on the user's channel.
@LoopActor
package protocol SessionStoreType: AnyObject, Sendable {
    /// Makes an account.
    ///
    /// - Parameters:
    ///   - uid: whose account it is to be.
    ///   - hash: the hash of its password.
    ///   - keepsData: whether it takes over what a removed account of this name has left.
    /// - Throws: ``TodoError/exists(_:)`` when there is one already, or something of a removed one is left.
    func enroll(_ uid: String, passwordHash hash: String, keepingData keepsData: Bool) async throws(TodoError)

    /// Gives an account another password, and ends all its sessions.
    ///
    /// - Returns: how many sessions ended.
    /// - Throws: ``TodoError/notFound(_:)`` when there is no account.
    @discardableResult
    func setPasswordHash(_ hash: String, of uid: String) async throws(TodoError) -> Int

    /// Gives an account another password for somebody who knew the one before, ends all its sessions, and begins the one with
    /// which they go on: in one step.
    ///
    /// - Parameters:
    ///   - hash: the hash of the new password.
    ///   - uid: whose account it is.
    ///   - generation: the generation that the account had when the password was checked.
    ///   - draft: the sign-in to go on with.
    ///   - session: the one that asks; nil for none, where the account has no second factor.
    /// - Returns: the generation that its token has to carry.
    /// - Throws: ``TodoError/notFound(_:)`` for no account, or when the session has ended meanwhile, ``TodoError/conflict(_:current:)`` when it has changed since.
    func changePassword(
        to hash: String,
        of uid: String,
        since generation: Int,
        beginning draft: SessionDraft,
        by session: String?
    ) async throws(TodoError) -> Int

    /// Takes an account away and ends all its sessions; what the user has stays.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when there is none.
    func removeAccount(_ uid: String) async throws(TodoError)

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - draft: what is known of it.
    ///   - uid: whose it is.
    ///   - generation: the generation that the account had when the password was checked, zero for none; nil where none was
    ///     checked.
    /// - Returns: the generation that its token has to carry.
    /// - Throws: ``TodoError/notFound(_:)`` for no account, ``TodoError/conflict(_:current:)`` when it has changed since,
    ///   ``TodoError/full(_:)`` when it has as many tokens as it may.
    func begin(_ draft: SessionDraft, of uid: String, since generation: Int?) async throws(TodoError) -> Int

    /// Ends one session.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when there is none of this id.
    func end(_ id: String, of uid: String) async throws(TodoError)

    /// Ends all sessions of an account.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func endAll(of uid: String) async throws(TodoError) -> Int

    /// Ends all sessions of an account but one.
    ///
    /// - Returns: how many ended.
    /// - Throws: ``TodoError/notFound(_:)`` when there is none of this id.
    @discardableResult
    func endOthers(than id: String, of uid: String) async throws(TodoError) -> Int

    /// Notes that sessions were used just now: those that are still there, and where none was noted within an hour.
    func noteUses(of ids: Set<String>, by uid: String) async throws(TodoError)

    /// Notes that somebody gave a wrong password for an account, where there is one: once a minute at most.
    ///
    /// - Parameter network: where it came from, such as `203.0.113.0/24`.
    func noteRefusal(from network: String, of uid: String) async throws(TodoError)

    /// What happened to an account, the latest in front: the last hundred events.
    func events(of uid: String) async throws(TodoError) -> [AccountEvent]

    /// The sessions of a user that are not over, the one made first in front.
    func sessions(of uid: String) async throws(TodoError) -> [Session]

    /// Reads the live sessions of some users.
    ///
    /// - Parameter each: is given each user's as they come, with the number of the user, or why they cannot be read.
    func readLive(
        of uids: [String],
        _ each: @escaping @LoopActor (Int, Result<LiveSessions, TodoError>) -> Void
    ) async
}

extension SessionStoreType {
    /// Gives an account another password for somebody without a session.
    package func changePassword(
        to hash: String,
        of uid: String,
        since generation: Int,
        beginning draft: SessionDraft
    ) async throws(TodoError) -> Int {
        try await changePassword(to: hash, of: uid, since: generation, beginning: draft, by: nil)
    }

    /// Makes an account of a name that is new.
    package func enroll(_ uid: String, passwordHash hash: String) async throws(TodoError) {
        try await enroll(uid, passwordHash: hash, keepingData: false)
    }

    /// Begins a session that no password stands for.
    package func begin(_ draft: SessionDraft, of uid: String) async throws(TodoError) -> Int {
        try await begin(draft, of: uid, since: nil)
    }

    /// The live sessions of a user.
    package func live(of uid: String) async throws(TodoError) -> LiveSessions {
        let answer = LiveAnswer()
        await readLive(of: [uid]) { answer.result = $1 }
        return try answer.result.get()
    }
}

/// Where the answer about one user comes to stand.
@LoopActor
private final class LiveAnswer {
    var result = Result<LiveSessions, TodoError>.success(LiveSessions(generation: nil, ids: []))
}
