package import EventLoop
import RedisClient
package import TodoMate

/// Deletes a user: account and sessions, what is between them and others, on both sides, their reactions, todos and all keys.
///
/// The first step marks the user in `todomate:{uid}:profile`, and the last one deletes the mark; a deletion that was
/// interrupted in between continues when it is started again. Each step is done before the next one, and can be repeated.
@LoopActor
package final class AccountPurge {
    /// How far it has come.
    package enum Progress: Sendable, Equatable {
        /// So many pairs of users are settled.
        case pairs(Int)
        /// The number of others' todos whose reactions were checked.
        case reactions(Int)
        /// So many todos are left.
        case todos(Int)
    }

    private static let page = 500
    /// Sides that others write to all the time are settled on another round.
    private static let mostRounds = 8

    let functions: TodoFunctions
    private let sessions: RedisSessionStore
    private let relations: RedisRelationStore

    init(_ functions: TodoFunctions, _ sessions: RedisSessionStore, _ relations: RedisRelationStore) {
        self.functions = functions
        self.sessions = sessions
        self.relations = relations
    }

    /// Deletes all that a user has.
    ///
    /// - Parameters:
    ///   - uid: whose data.
    ///   - progress: called with the progress, from time to time.
    /// - Returns: whether there was an account.
    /// - Throws: ``/TodoMate/TodoError``; what is done stays done, and calling it again continues.
    package func run(_ uid: String, progress: @LoopActor (Progress) -> Void = { _ in }) async throws(TodoError) -> Bool
    {
        let hadAccount = try await sessions.beginPurge(of: uid)
        do throws(TodoError) {
            try await goOn(uid, progress: progress)
        } catch .unavailable(let reason) {
            throw .unavailable(
                "the deletion of \(uid) has begun and is not over, as a step of it failed: \(reason). "
                    + "'todomate user remove --purge \(uid)' goes on from there"
            )
        }
        return hadAccount
    }

    /// Deletes all of a user whose deletion was begun; does nothing where it is over.
    ///
    /// It may run in several places at a time. Once one of them is through, the name may be somebody else's: the others notice by the
    /// mark, and touch nothing any more.
    package func goOn(_ uid: String, progress: @LoopActor (Progress) -> Void = { _ in }) async throws(TodoError) {
        guard let mark = try await mark(of: uid) else { return }
        // Before the name is free: then it may be somebody else's.
        try await RedisNameLooks(functions).forget(uid)
        let inviter = try await settleInvitation(of: uid)
        // From now on viewers see the todos disappear at once, and no one can begin to follow.
        try await relations.set(AccountPatch(audience: .private), of: uid)
        guard try await endRelations(of: uid, under: mark, progress),
            try await forgetReactions(of: uid, under: mark, progress),
            try await forgetPerson(uid, invitedBy: inviter, under: mark),
            try await deleteStrays(of: uid, under: mark)
        else { return }
        var (left, before) = (Int.max, Int.max)
        repeat {
            guard try await self.mark(of: uid) == mark else { return }
            before = left
            left = try await sessions.purgeSome(of: uid)
            progress(.todos(left))
            guard left < before else {
                throw .unavailable("\(left) todos of \(uid) are left, because others are being added: try again")
            }
        } while left > 0
    }

    /// Marks the use of the invitation that the account came of, by which nobody comes back.
    ///
    /// - Returns: who made it; nil for none.
    private func settleInvitation(of uid: String) async throws(TodoError) -> String? {
        let field = RedisCommand("HGET", TodoKeys.key(.profile, of: uid), "invitation")
        guard let text = try await functions.plain(field, isRepeatable: true).string, let name = InvitationName(text)
        else { return nil }
        do throws(TodoError) {
            try await RedisInvitationStore(functions).settle(name, for: uid)
        } catch {
            // What was edited by hand there holds up nobody's deletion.
            if case .unavailable = error { throw error }
        }
        return name.inviter
    }

    /// What marks a user whose deletion was begun, another one each time; nil for none.
    func mark(of uid: String) async throws(TodoError) -> String? {
        let mark = RedisCommand("HGET", TodoKeys.key(.profile, of: uid), "purging")
        return try await functions.plain(mark, isRepeatable: true).string
    }

    /// Deletes what no list names any more: reactions to todos that were deleted by hand, and what older versions kept. Before the
    /// mark goes, with which the name becomes free.
    ///
    /// - Returns: whether the deletion is still under way.
    private func deleteStrays(of uid: String, under mark: String) async throws(TodoError) -> Bool {
        let user = TodoKeys.user(uid) + ":"
        do throws(TodoError) {
            try await functions.eachPage(ofKeys: user + "*") { keys throws(TodoError) in
                for key in keys where TodoKeys.parts(of: key)?.part.isOfTodo != false {
                    let words = [String(key.dropFirst(user.count)), mark]
                    _ = try await functions.call("todomate_purge_stray", uid, words, isRepeatable: true)
                }
            }
            return true
        } catch {
            guard case .conflict = error else { throw error }
            return false
        }
    }

    /// The users whose deletion was begun and is not over; goes through all keys, a part at a time.
    package func unfinished() async throws(TodoError) -> [String] {
        var users: [String] = []
        for uid in try await functions.users(having: .profile) {
            if try await mark(of: uid) != nil { users.append(uid) }
        }
        return users
    }

    private func endRelations(
        of uid: String,
        under mark: String,
        _ progress: @LoopActor (Progress) -> Void
    ) async throws(TodoError) -> Bool {
        var count = 0
        for followed in try await relations.following(of: uid) {
            guard try await self.mark(of: uid) == mark else { return false }
            _ = try await relations.unfollow(followed.uid, by: uid)
            count += 1
            progress(.pairs(count))
        }
        // Blocks are deleted with the rest: they have no other side.
        for list in [FollowerList.following, .requested] {
            while case let page = try await relations.followers(of: uid, in: list, limit: Self.page).followers,
                !page.isEmpty
            {
                for other in page {
                    guard try await self.mark(of: uid) == mark else { return false }
                    _ = try await relations.dismiss(other.uid, by: uid)
                    count += 1
                    progress(.pairs(count))
                }
            }
        }
        // Who is leaving is in no list; a block, which goes with the rest, ends their side as well.
        let away = RedisCommand("HKEYS", TodoKeys.key(.away, of: uid))
        for other in try await functions.plain(away, isRepeatable: true).array?.compactMap(\.string) ?? [] {
            guard try await self.mark(of: uid) == mark else { return false }
            do throws(TodoError) {
                _ = try await relations.block(other, by: uid)
            } catch .full {
                // What is left there is a wish to follow a name that nobody has.
            }
            count += 1
            progress(.pairs(count))
        }
        for _ in 0..<Self.mostRounds where try await relations.repair.settle(uid) == 0 { return true }
        throw .unavailable("others of \(uid)'s pairs are being written to: try again")
    }
}
