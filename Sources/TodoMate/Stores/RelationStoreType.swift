package import EventLoop

/// Stores relations and settings.
///
/// A pair of users has two sides: the follower's wish, and what the other one grants. Every write is logged and published as a
/// change of each account that it changes, and both sides agree when it returns, or are brought together later (``settle(_:)``).
@LoopActor
package protocol RelationStoreType: AnyObject, Sendable {
    /// Whether only users with an account can be followed. Following any other name writes nothing under it, and looks to the
    /// follower like a request that was not answered yet.
    var isForAccountsAlone: Bool { get set }

    /// Follows a user, or asks to.
    ///
    /// - Parameters:
    ///   - other: who is to be followed.
    ///   - uid: who follows.
    ///   - position: the place in the follower's order; nil for the last one, or where it is already.
    /// - Returns: what is between the two afterwards; ``FollowState/none`` when the other one cannot be followed.
    func follow(_ other: String, by uid: String, at position: Double?) async throws(TodoError) -> Relation

    /// Stops following a user, or withdraws a request.
    func unfollow(_ other: String, by uid: String) async throws(TodoError) -> Relation

    /// Moves a followed user to another position in the follower's order.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when they are not followed.
    func arrange(_ other: String, at position: Double, by uid: String) async throws(TodoError) -> Relation

    /// Accepts a request to follow.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when there is no request.
    func accept(_ other: String, by uid: String) async throws(TodoError) -> Relation

    /// Refuses a request to follow, or removes a follower.
    func dismiss(_ other: String, by uid: String) async throws(TodoError) -> Relation

    /// Blocks a user, who then sees nothing, and can neither follow nor be followed.
    func block(_ other: String, by uid: String) async throws(TodoError) -> Relation

    /// Removes a block.
    ///
    /// - Parameters:
    ///   - other: who may ask again.
    ///   - uid: who has blocked.
    ///   - bringingBack: whether what the block took away comes back on both sides, up to ten minutes later and as far as each of
    ///     the two still lets the other one follow.
    func unblock(_ other: String, by uid: String, bringingBack: Bool) async throws(TodoError) -> Relation

    /// What is between two users, as one of them has it.
    func relation(of uid: String, with other: String) async throws(TodoError) -> Relation

    /// The users that a user follows or asks to follow, in the user's order.
    func following(of uid: String) async throws(TodoError) -> [Followed]

    /// The same as JSON: `{"following":[…]}`.
    func followingJSON(of uid: String) async throws(TodoError) -> String

    /// A part of a list, the newest first.
    ///
    /// - Parameters:
    ///   - uid: whose list.
    ///   - list: which one.
    ///   - limit: at most so many, up to 1,000.
    ///   - next: what the part before called next; nil for the first.
    func followers(
        of uid: String,
        in list: FollowerList,
        limit: Int,
        after next: String?
    ) async throws(TodoError) -> FollowerPage

    /// Changes a user's settings.
    @discardableResult
    func set(_ patch: AccountPatch, of uid: String) async throws(TodoError) -> AccountSettings

    /// A user as others count them.
    func profile(of uid: String) async throws(TodoError) -> AccountProfile

    /// How a user is called and pictured, as far as a viewer may know: their followers, those whom they follow or ask to follow, and
    /// everybody where the audience is public, unless they are blocked. Nobody there looks like somebody without a name.
    func person(_ uid: String, asKnownTo viewer: String) async throws(TodoError) -> PublicPerson

    /// Brings together all pairs of a user whose two sides do not agree yet.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func settle(_ uid: String) async throws(TodoError) -> Int

    /// Lets a user who has an account now know who asked to follow that name before; it may look at the keys of all users.
    func settleWishes(for uid: String) async throws(TodoError)
}

extension RelationStoreType {
    /// Removes a block; nothing comes back.
    package func unblock(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await unblock(other, by: uid, bringingBack: false)
    }

    /// Brings together what can be in a moment. What takes longer goes on meanwhile; a pair whose other side is away is left to the
    /// next reader.
    package func settleBriefly(_ uid: String) async throws(TodoError) {
        let answer = await LoopActor.answer(within: .seconds(1)) { () async -> TodoError? in
            do throws(TodoError) {
                try await self.settle(uid)
                return nil
            } catch .unavailable {
                return nil
            } catch {
                return error
            }
        }
        if let error = answer ?? nil { throw error }
    }

    /// How users are called and pictured, as far as a viewer may know; all are asked for at once.
    package func people(
        _ uids: some Sequence<String>,
        asKnownTo viewer: String
    ) async throws(TodoError) -> [String: PublicPerson] {
        let answers = Set(uids).map { uid in
            Task { () async -> Result<PublicPerson, TodoError> in
                do throws(TodoError) {
                    return .success(try await person(uid, asKnownTo: viewer))
                } catch {
                    return .failure(error)
                }
            }
        }
        var people: [String: PublicPerson] = [:]
        for answer in answers {
            let person = try await answer.value.get()
            people[person.uid] = person
        }
        return people
    }

    /// Reads the list and writes it out.
    package func followingJSON(of uid: String) async throws(TodoError) -> String {
        Followed.json(try await following(of: uid))
    }

    /// Follows a user, at the end of the follower's order.
    package func follow(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await follow(other, by: uid, at: nil)
    }

    /// The first part of the followers.
    package func followers(of uid: String, limit: Int) async throws(TodoError) -> FollowerPage {
        try await followers(of: uid, in: .following, limit: limit, after: nil)
    }

    /// The first part of a list.
    package func followers(of uid: String, in list: FollowerList, limit: Int) async throws(TodoError) -> FollowerPage {
        try await followers(of: uid, in: list, limit: limit, after: nil)
    }
}
