import EventLoop
import TodoMate
import TodoMateRedis

extension PersonalStores {
    /// All that the log says became of the todo that a text names, be it there or gone: by its id, the beginning of that, or words that
    /// no other one has.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` when there is none, ``TodoError/invalid(_:)`` when there are several.
    @LoopActor
    func past(named text: String, of uid: String) async throws(TodoError) -> TodoHistory {
        if (try? TodoBounds.id(text)) != nil {
            do throws(TodoError) {
                return try await wholeHistory(of: text, of: uid)
            } catch .notFound {
                // Then it is the beginning of an id, or words.
            }
        }
        let there = try await todos.snapshot(of: uid, in: nil).todos
        let gone = try await allRemoved(of: uid).entries.map(\.todo)
        let all = there + gone
        let byID = all.filter { $0.id.hasPrefix(text) }
        let words = TodoWords(text)
        let found = byID.isEmpty ? all.filter { words?.match($0) ?? false } : byID
        guard let first = found.first else {
            throw .notFound("no todo of \(uid) has the id or the words '\(text)', and none that was removed had them")
        }
        guard found.count == 1 else {
            let some = found.prefix(3).map { "\($0.id) (\($0.date), \($0.content))" }.joined(separator: ", ")
            let more = found.count > 3 ? " and \(found.count - 3) more" : ""
            throw .invalid(
                "\(found.count) todos have the id or the words '\(text)': \(some)\(more); write more of them, or the id"
            )
        }
        return try await wholeHistory(of: first.id, of: uid)
    }

    /// The last removals of all todos that are gone.
    @LoopActor
    func allRemoved(of uid: String) async throws(TodoError) -> TodoHistory {
        var seen: Set<String> = []
        var all = try await all { change throws(TodoError) in try await histories.removed(of: uid, before: change) }
        all.entries = all.entries.filter { seen.insert($0.todo.id).inserted }
        return all
    }

    @LoopActor
    private func wholeHistory(of id: String, of uid: String) async throws(TodoError) -> TodoHistory {
        try await all { change throws(TodoError) in try await histories.history(of: id, of: uid, before: change) }
    }

    /// All answers as one; a log has no more than some hundred changes for each.
    @LoopActor
    private func all(
        _ read: @LoopActor (ChangeID?) async throws(TodoError) -> TodoHistory
    ) async throws(TodoError) -> TodoHistory {
        var all = try await read(nil)
        while all.hasMore, let last = all.entries.last?.id {
            do throws(TodoError) {
                let part = try await read(last)
                all.entries += part.entries
                (all.since, all.reach, all.hasMore) = (part.since, part.reach, part.hasMore)
            } catch .gone {
                // Trimmed meanwhile: what is known is all that is left.
                (all.reach, all.since, all.hasMore) = (.trimmed, last.microseconds, false)
            }
        }
        return all
    }
}
