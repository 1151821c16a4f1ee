package import EventLoop
import RedisClient
package import TodoMate

/// Brings the two sides of pairs of users together.
///
/// Whoever writes one side marks the pair in the same atomic step, in `todomate:{uid}:unsettled`. Then the sides meet: each
/// is shown the other's state and takes over what it must, until both agree and the marks are gone. Whatever dies in
/// between leaves a mark on at least one side; ``settle(_:)`` continues from there, and may be repeated. What was lost or edited
/// by hand leaves none: `todomate doctor` looks for that.
@LoopActor
package final class FollowingRepair {
    /// Two sides that are written to all the time are left to the next attempt.
    private static let mostRounds = 8

    /// Whether accounts exist here: following a name without one writes nothing under it, and looks to the follower like a
    /// request that was not answered yet. ``settleWishes(for:)`` delivers it to an account that is created later.
    package var isForAccountsAlone = false

    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    /// Has the two sides of a pair meet until they agree.
    ///
    /// - Returns: whether they do; a side that is being written to may need another time.
    @discardableResult
    package func settle(_ uid: String, _ other: String) async throws(TodoError) -> Bool {
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

    /// Settles all marked pairs of a user. A node that does not answer keeps only the pairs apart whose other side it has, and costs
    /// one wait.
    ///
    /// - Returns: how many there were.
    /// - Throws: what kept pairs apart, once all others are settled.
    @discardableResult
    package func settle(_ uid: String) async throws(TodoError) -> Int {
        let reply = try await functions.call("todomate_unsettled", uid, [], readsOnly: true, isRepeatable: true)
        let others = (reply.array ?? []).compactMap(\.string)
        var away: Set<RedisEndpoint> = []
        var failure: TodoError?
        for other in others {
            let node = functions.client.knownNode(of: TodoKeys.user(other))?.endpoint
            if let node, away.contains(node) { continue }
            do throws(TodoError) {
                try await settle(uid, other)
            } catch .unavailable(let text) where functions.client.isCluster {
                failure = failure ?? .unavailable(text)
                if let node { away.insert(node) }
            }
        }
        if let failure { throw failure }
        return others.count
    }

    /// Settles a user with all who want to follow that name, maybe since before it had an account; scans all keys, a part
    /// at a time.
    ///
    /// - Returns: how many they are.
    @discardableResult
    package func settleWishes(for uid: String) async throws(TodoError) -> Int {
        var followers: Set<String> = []
        try await functions.eachPage(ofKeys: TodoKeys.every(.following)) { keys throws(TodoError) in
            let users = keys.compactMap { TodoKeys.uid(of: $0, .following) }
            let answers = try await functions.plain(keys.map { RedisCommand("HEXISTS", $0, uid) })
            for (user, answer) in zip(users, answers) where answer.integer == 1 { followers.insert(user) }
        }
        for follower in followers.sorted() { try await settle(uid, follower) }
        return followers.count
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
