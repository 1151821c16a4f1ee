public import EventLoop
public import TodoMate

/// Whom a person follows, who follows them, and what is between two people: ``TodoClient/people``.
///
/// It needs the server. Every method throws ``/TodoMate/TodoError/unavailable(_:)`` without it,
/// ``/TodoMate/TodoError/refused(_:)`` where the credentials are not the person's, and ``/TodoMate/TodoError/invalid(_:)`` for
/// what is no name.
@LoopActor
public struct PeopleService {
    let uid: String
    let relations: any RelationStoreType

    /// The people whom the person follows or asks to follow, in the person's order.
    public func following() async throws(TodoError) -> [Followed] { try await relations.following(of: uid) }

    /// Followers, requests to follow, or those who are blocked, the newest first.
    ///
    /// - Parameters:
    ///   - list: which ones.
    ///   - limit: at most so many, up to 1,000.
    ///   - next: what the part before called ``/TodoMate/FollowerPage/next``; nil for the first.
    public func followers(
        in list: FollowerList = .following,
        limit: Int = 100,
        after next: String? = nil
    ) async throws(TodoError) -> FollowerPage {
        try await relations.followers(of: uid, in: list, limit: limit, after: next)
    }

    /// Follows somebody, or asks to.
    ///
    /// - Parameters:
    ///   - other: who is to be followed.
    ///   - position: the place in the person's order; nil for the last one.
    /// - Returns: what is between the two afterwards; ``/TodoMate/FollowState/none`` for who cannot be followed.
    @discardableResult
    public func follow(_ other: String, at position: Double? = nil) async throws(TodoError) -> Relation {
        try await relations.follow(other, by: uid, at: position)
    }

    /// Follows somebody no more, or takes a request back.
    @discardableResult
    public func unfollow(_ other: String) async throws(TodoError) -> Relation {
        try await relations.unfollow(other, by: uid)
    }

    /// Gives somebody whom the person follows another place in the order.
    @discardableResult
    public func arrange(_ other: String, at position: Double) async throws(TodoError) -> Relation {
        try await relations.arrange(other, at: position, by: uid)
    }

    /// Lets somebody follow who has asked to.
    @discardableResult
    public func accept(_ other: String) async throws(TodoError) -> Relation {
        try await relations.accept(other, by: uid)
    }

    /// Refuses a request, or lets a follower follow no more.
    @discardableResult
    public func refuse(_ other: String) async throws(TodoError) -> Relation {
        try await relations.dismiss(other, by: uid)
    }

    /// Ends what is between the two, and lets the other one neither see nor ask.
    @discardableResult
    public func block(_ other: String) async throws(TodoError) -> Relation {
        try await relations.block(other, by: uid)
    }

    /// Ends a block.
    ///
    /// - Parameters:
    ///   - other: who may ask again.
    ///   - bringingBack: whether what the block took away comes back, for ten minutes and as far as both still let the other one follow.
    @discardableResult
    public func unblock(_ other: String, bringingBack: Bool = false) async throws(TodoError) -> Relation {
        try await relations.unblock(other, by: uid, bringingBack: bringingBack)
    }

    /// What is between the person and somebody else.
    public func relation(with other: String) async throws(TodoError) -> Relation {
        try await relations.relation(of: uid, with: other)
    }

    /// How people are called and pictured, as far as the person may know, by their names to sign in with.
    public func called(_ uids: some Sequence<String>) async throws(TodoError) -> [String: PublicPerson] {
        try await relations.people(uids, asKnownTo: uid)
    }
}
