public import EventLoop
import RedisClient
public import TodoMate

/// Brings the two sides of pairs of users together.
///
/// Whoever writes one side marks the pair in the same atomic step, in `todomate:{uid}:unsettled`. Then the sides meet: each
/// is shown the other's state and takes over what it must, until both agree and the marks are gone. Whatever dies in
/// between leaves a mark on at least one side; ``settle(_:)`` goes on from there, as often as one likes.
/// ``disagreements(of:)`` looks at every pair, marked or not, for what was lost or edited by hand.
@LoopActor
public final class FollowingRepair {
    /// Two users whose sides of what is between them do not fit together.
    public struct Disagreement: Sendable, Equatable, CustomStringConvertible {
        /// Who follows, or is taken to.
        public let follower: String
        /// Who is followed.
        public let followed: String
        /// What the follower's side says.
        public let wish: FollowState
        /// What the other side says.
        public let grant: FollowState

        /// One line for people.
        public var description: String {
            "\(follower) has '\(wish.rawValue)' for following \(followed), who has '\(grant.rawValue)'"
        }
    }

    /// Two sides that are written to all the time are left to the next attempt.
    private static let mostRounds = 8
    private static let page = 1000

    /// Whether there are accounts, so that names without one are nobody's: following them writes nothing under them, and looks
    /// to whoever follows like having asked somebody who has not looked yet. ``settleWishes(for:)`` tells those who come later.
    public var isForAccountsAlone = false

    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    /// Has the two sides of a pair meet until they agree.
    ///
    /// - Returns: whether they do; a side that is being written to may need another time.
    @discardableResult
    public func settle(_ uid: String, _ other: String) async throws(TodoError) -> Bool {
        let reply = try await functions.call("todomate_pair", uid, [other], readsOnly: true, isRepeatable: true)
        guard var view = reply.string else { throw Self.noView }
        for _ in 0..<Self.mostRounds {
            let theirs = try await meet(other, uid, view)
            let ours = try await meet(uid, other, theirs.view)
            if theirs.isSettled, ours.isSettled { return true }
            view = ours.view
        }
        return false
    }

    /// Settles all marked pairs of a user.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func settle(_ uid: String) async throws(TodoError) -> Int {
        let reply = try await functions.call("todomate_unsettled", uid, [], readsOnly: true, isRepeatable: true)
        let others = (reply.array ?? []).compactMap(\.string)
        for other in others { try await settle(uid, other) }
        return others.count
    }

    /// Has a user meet all who wish to follow that name, maybe since before it was anybody's; goes through all keys, a part
    /// at a time.
    ///
    /// - Returns: how many they are.
    @discardableResult
    public func settleWishes(for uid: String) async throws(TodoError) -> Int {
        var followers: Set<String> = []
        try await functions.eachPage(ofKeys: StoredFollowing.key(of: "*")) { keys throws(TodoError) in
            let users = keys.map { String($0.dropFirst("todomate:{".count).dropLast("}:following".count)) }
            let answers = try await functions.plain(keys.map { RedisCommand("HEXISTS", $0, uid) })
            for (user, answer) in zip(users, answers) where answer.integer == 1 { followers.insert(user) }
        }
        for follower in followers.sorted() { try await settle(uid, follower) }
        return followers.count
    }

    /// The users who have marked pairs; goes through all keys, a part at a time.
    public func unsettledUsers() async throws(TodoError) -> [String] { try await functions.users(having: "unsettled") }

    /// The users who follow somebody or whom somebody follows; goes through all keys, a part at a time.
    public func users() async throws(TodoError) -> [String] {
        var users: Set<String> = []
        for part in ["following", "followers", "requests"] {
            users.formUnion(try await functions.users(having: part))
        }
        return users.sorted()
    }

    /// The pairs of a user whose two sides do not fit together.
    ///
    /// Reads the other side of each, one after the other: a user with a million followers takes minutes.
    public func disagreements(of uid: String) async throws(TodoError) -> [Disagreement] {
        let relations = RedisRelationStore(functions)
        var found: [Disagreement] = []
        for followed in try await relations.following(of: uid) {
            let theirs = try await relations.relation(of: followed.uid, with: uid)
            guard theirs.follower != followed.state else { continue }
            // A name without an account has no side of its own.
            if isForAccountsAlone, followed.state == .requested, try await isNobody(followed.uid) { continue }
            found.append(
                Disagreement(follower: uid, followed: followed.uid, wish: followed.state, grant: theirs.follower)
            )
        }
        for list in [FollowerList.following, .requested] {
            var next: String?
            repeat {
                let part = try await relations.followers(of: uid, in: list, limit: Self.page, after: next)
                for entry in part.followers {
                    let theirs = try await relations.relation(of: entry.uid, with: uid)
                    let grant: FollowState = list == .following ? .following : .requested
                    guard theirs.following != grant else { continue }
                    found.append(
                        Disagreement(follower: entry.uid, followed: uid, wish: theirs.following, grant: grant)
                    )
                }
                next = part.next
            } while next != nil
        }
        return found
    }

    /// Brings the two together: the follower's side says what is wished for, the other one what is granted.
    public func mend(_ disagreement: Disagreement) async throws(TodoError) {
        try await settle(disagreement.follower, disagreement.followed)
    }

    private func isNobody(_ uid: String) async throws(TodoError) -> Bool {
        try await functions.call("todomate_nobody", uid, [], readsOnly: true, isRepeatable: true).integer == 1
    }

    private func meet(
        _ uid: String,
        _ other: String,
        _ view: String
    ) async throws(TodoError) -> (view: String, isSettled: Bool) {
        let words = [other, view] + (isForAccountsAlone ? ["accounts"] : [])
        let reply = try await functions.call("todomate_meet", uid, words, isRepeatable: true).array ?? []
        guard let view = reply.first?.string, let isSettled = reply.last?.integer else { throw Self.noView }
        return (view, isSettled == 1)
    }

    private static let noView = TodoError.broken("todomate_pair or todomate_meet answered something that is no view")
}
