import EventLoop
import RedisClient
import TodoMate

/// What others' keys hold of a user who is being deleted, where no list of the user's leads there.
extension AccountPurge {
    /// Takes the user's reactions back.
    ///
    /// - Returns: whether the deletion is still under way.
    func forgetReactions(
        of uid: String,
        under mark: String,
        _ progress: @LoopActor (Progress) -> Void
    ) async throws(TodoError) -> Bool {
        var checked = 0
        return try await eachKey(.reactions, of: uid, under: mark) { key throws(TodoError) in
            checked += 1
            progress(.reactions(checked))
            return try await functions.plain(RedisCommand("HEXISTS", key, uid)).integer == 1
        } forget: { owner, todo throws(TodoError) in
            _ = try await functions.call("todomate_forget_reaction", owner, [todo, uid], isRepeatable: true)
        }
    }

    /// Forgets what others' blocks took from the user, as an undo would let in whoever has the name next; and who invited whom.
    ///
    /// - Parameter inviter: by whose invitation the user came; nil for none.
    /// - Returns: whether the deletion is still under way.
    func forgetPerson(_ uid: String, invitedBy inviter: String?, under mark: String) async throws(TodoError) -> Bool {
        let forget: @LoopActor (String, String) async throws(TodoError) -> Void = { owner, _ throws(TodoError) in
            _ = try await self.functions.call("todomate_forget_person", owner, [uid], isRepeatable: true)
        }
        if let inviter { try await forget(inviter, "") }
        let isCut = try await eachKey(.cut, of: uid, under: mark) { key throws(TodoError) in
            try await functions.plain(RedisCommand("HEXISTS", key, uid)).integer == 1
        } forget: { owner, rest throws(TodoError) in
            try await forget(owner, rest)
        }
        guard isCut else { return false }
        return try await eachKey(.profile, of: uid, under: mark) { key throws(TodoError) in
            try await functions.plain(RedisCommand("HGET", key, "invitation")).string?.hasPrefix(uid + ".") == true
        } forget: { owner, rest throws(TodoError) in
            try await forget(owner, rest)
        }
    }

    /// Goes through all users' keys of a kind; `forget` gets the owner, and what stands behind the kind in the key.
    private func eachKey(
        _ part: TodoKeys.Part,
        of uid: String,
        under mark: String,
        names: @LoopActor (String) async throws(TodoError) -> Bool,
        forget: @LoopActor (String, String) async throws(TodoError) -> Void
    ) async throws(TodoError) -> Bool {
        do throws(TodoError) {
            try await functions.eachPage(ofKeys: TodoKeys.every(part)) { keys throws(TodoError) in
                for key in keys {
                    guard let owner = TodoKeys.parts(of: key)?.uid, try await names(key) else { continue }
                    // It may be that of whoever has the name since.
                    guard try await self.mark(of: uid) == mark else { throw .conflict("over", current: nil) }
                    try await forget(owner, String(key.dropFirst(TodoKeys.key(part, of: owner).count + 1)))
                }
            }
            return true
        } catch {
            guard case .conflict = error else { throw error }
            return false
        }
    }
}
