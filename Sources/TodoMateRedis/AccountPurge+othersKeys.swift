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
        try await eachKey(.reactions, naming: uid, under: mark) { checked in
            progress(.reactions(checked))
        } forget: { owner, todo throws(TodoError) in
            _ = try await functions.call("todomate_forget_reaction", owner, [todo, uid], isRepeatable: true)
        }
    }

    /// Forgets what others' blocks took from the user: an undo would let in whoever has the name next.
    ///
    /// - Returns: whether the deletion is still under way.
    func forgetCuts(of uid: String, under mark: String) async throws(TodoError) -> Bool {
        try await eachKey(.cut, naming: uid, under: mark) { owner, _ throws(TodoError) in
            _ = try await functions.call("todomate_forget_cut", owner, [uid], isRepeatable: true)
        }
    }

    /// Goes through all users' hashes of a kind; `forget` gets the owner, and what stands behind the kind in the key.
    private func eachKey(
        _ part: TodoKeys.Part,
        naming uid: String,
        under mark: String,
        _ count: @LoopActor (Int) -> Void = { _ in },
        forget: @LoopActor (String, String) async throws(TodoError) -> Void
    ) async throws(TodoError) -> Bool {
        var checked = 0
        do throws(TodoError) {
            try await functions.eachPage(ofKeys: TodoKeys.every(part)) { keys throws(TodoError) in
                for key in keys {
                    checked += 1
                    count(checked)
                    guard let owner = TodoKeys.parts(of: key)?.uid,
                        try await functions.plain(RedisCommand("HEXISTS", key, uid)).integer == 1
                    else { continue }
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
