package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Relations and settings, in Redis.
///
/// Each user's side of a pair lies under that user's own hash tag. A write here changes one side and then has the two
/// meet (`FollowingRepair`), so that both agree when it returns; what was interrupted in between is settled by the next reader.
@LoopActor
package final class RedisRelationStore: RelationStoreType {
    private let functions: TodoFunctions
    /// Finds and repairs pairs whose two sides do not agree.
    package let repair: FollowingRepair
    private let followingLists: FollowingLists

    init(_ functions: TodoFunctions) {
        self.functions = functions
        repair = FollowingRepair(functions)
        followingLists = FollowingLists(functions)
    }

    /// Follows a user, or asks to.
    ///
    /// - Parameters:
    ///   - other: who is to be followed.
    ///   - uid: who follows.
    ///   - position: the place in the follower's order; nil for the last one, or where it is already.
    /// - Returns: what is between the two afterwards; ``/TodoMate/FollowState/none`` when the other one does not let be followed.
    package func follow(_ other: String, by uid: String, at position: Double?) async throws(TodoError) -> Relation {
        let place = position.map { [Self.text($0)] } ?? []
        try await write("todomate_follow", uid, [other] + place)
        return try await settled(uid, other)
    }

    package func unfollow(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await write("todomate_unfollow", uid, [other])
        return try await settled(uid, other)
    }

    package func arrange(_ other: String, at position: Double, by uid: String) async throws(TodoError) -> Relation {
        try await write("todomate_arrange", uid, [other, Self.text(position)])
        return try await afterwards(uid, other)
    }

    package func accept(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await write("todomate_accept", uid, [other])
        return try await settled(uid, other)
    }

    package func dismiss(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await write("todomate_dismiss", uid, [other])
        return try await settled(uid, other)
    }

    package func block(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await write("todomate_block", uid, [other])
        return try await settled(uid, other)
    }

    package func unblock(_ other: String, by uid: String, bringingBack: Bool) async throws(TodoError) -> Relation {
        try await write("todomate_unblock", uid, [other] + (bringingBack ? ["back"] : []))
        return try await afterwards(uid, other, settling: bringingBack)
    }

    package func relation(of uid: String, with other: String) async throws(TodoError) -> Relation {
        try TodoBounds.uid(other)
        return try StoredJSON.read(try await read("todomate_relation", uid, [other]).bytes, of: uid)
    }

    package func following(of uid: String) async throws(TodoError) -> [Followed] {
        try TodoBounds.uid(uid)
        // Sorted here and not by `todomate_following`: 5,000 keep Redis for one millisecond instead of twenty.
        let list = RedisCommand("HGETALL", StoredFollowing.key(of: uid))
        return try StoredFollowing.read(try await functions.plain(list, isRepeatable: true), of: uid)
    }

    /// The same as JSON, for HTTP: `{"following":[…]}`.
    package func followingJSON(of uid: String) async throws(TodoError) -> String {
        try await followingLists.json(of: uid) { () throws(TodoError) in try await following(of: uid) }
    }

    package func followers(
        of uid: String,
        in list: FollowerList,
        limit: Int,
        after next: String?
    ) async throws(TodoError) -> FollowerPage {
        let rest = next.map { [$0] } ?? []
        let reply = try await read("todomate_followers", uid, [list.rawValue, String(limit)] + rest)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    @discardableResult
    package func set(_ patch: AccountPatch, of uid: String) async throws(TodoError) -> AccountSettings {
        struct Answer: Decodable {
            var settings: AccountSettings
        }
        let answer: Answer = try StoredJSON.read(try await write("todomate_settings", uid, [patch.json]).bytes, of: uid)
        return answer.settings
    }

    package func profile(of uid: String) async throws(TodoError) -> AccountProfile {
        try StoredJSON.read(try await read("todomate_profile", uid, []).bytes, of: uid)
    }

    package func person(_ uid: String, asKnownTo viewer: String) async throws(TodoError) -> PublicPerson {
        try StoredJSON.read(try await read("todomate_person", uid, [viewer]).bytes, of: uid)
    }

    /// Whether only users with an account can be followed.
    package var isForAccountsAlone: Bool {
        get { repair.isForAccountsAlone }
        set { repair.isForAccountsAlone = newValue }
    }

    @discardableResult
    package func settle(_ uid: String) async throws(TodoError) -> Int { try await repair.settle(uid) }

    package func settleWishes(for uid: String) async throws(TodoError) {
        _ = try await repair.settleWishes(for: uid)
    }

    private func settled(_ uid: String, _ other: String) async throws(TodoError) -> Relation {
        try await afterwards(uid, other, settling: true)
    }

    /// What is between two users after a write, or was after the first one where it is a repetition.
    private func afterwards(_ uid: String, _ other: String, settling: Bool = false) async throws(TodoError) -> Relation
    {
        let now = { @LoopActor [self] () async throws(TodoError) -> Relation in
            if settling { try await repair.settle(uid, other) }
            return try await relation(of: uid, with: other)
        }
        guard RepeatableWrite.current != nil else { return try await now() }
        let text = try await RepeatableWrite.whole { () throws(TodoError) in try await now().json }
        return try StoredJSON.read(Array(text.utf8), of: uid)
    }

    /// Every write here can be repeated.
    @discardableResult
    private func write(_ name: String, _ uid: String, _ words: [String]) async throws(TodoError) -> RedisValue {
        try await functions.write(name, uid, words, isRepeatable: true)
    }

    private func read(_ name: String, _ uid: String, _ words: [String]) async throws(TodoError) -> RedisValue {
        try await functions.call(name, uid, words, readsOnly: true, isRepeatable: true)
    }

    private static func text(_ position: Double) -> String {
        Int(exactly: position).map(String.init) ?? String(position)
    }
}

/// Reads what the functions answer as JSON.
enum StoredJSON {
    static func read<Value: Decodable>(_ bytes: [UInt8]?, of uid: String) throws(TodoError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes ?? []))
        } catch {
            throw .broken(
                "what Redis holds about \(uid) cannot be read: inspect the keys \(TodoKeys.user(uid)):* with redis-cli"
            )
        }
    }
}
