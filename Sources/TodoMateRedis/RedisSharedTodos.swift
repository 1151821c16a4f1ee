package import EventLoop
import RedisClient
package import TodoMate

/// What viewers may see of others' todos, in Redis: what is read of one owner is shared by all who look.
@LoopActor
package final class RedisSharedTodos: SharedTodoStoreType {
    /// How often what cannot be of one moment is read.
    private static let attempts = 5

    private let functions: TodoFunctions
    private let lists: SharedLists
    private let log: ChangeLog

    init(_ functions: TodoFunctions, _ lists: SharedLists, _ log: ChangeLog) {
        self.functions = functions
        (self.lists, self.log) = (lists, log)
    }

    package func sides(of viewer: String, to owner: String) async throws(TodoError) -> (sides: PairAccess, id: ChangeID)
    {
        try TodoBounds.uid(viewer)
        let stance = functions.stanceTask(of: viewer, toward: owner)
        let words =
            try await functions.call("todomate_access", owner, [viewer], readsOnly: true, isRepeatable: true).array
            ?? []
        guard let granted = words.first?.string.flatMap(Access.init),
            let id = words.last?.string.flatMap({ ChangeID($0) })
        else { throw .broken("todomate_access answered something that is no access") }
        return (PairAccess(granted: granted, stance: try await stance.value.get()), id)
    }

    package func todo(_ id: String, of owner: String, for viewer: String) async throws(TodoError) -> TodoRecord {
        try TodoBounds.uid(viewer)
        let stance = functions.stanceTask(of: viewer, toward: owner)
        let words = [id, viewer]
        let reply = try await functions.call("todomate_get", owner, words, readsOnly: true, isRepeatable: true)
        let stored = try TodoJSON.stored(reply, id)
        guard try await stance.value.get().most.covers(stored.todo.visibility) else {
            throw .notFound("\(owner) has no todo with the id \(id)")
        }
        return stored
    }

    package func list(
        of owner: String,
        for viewer: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> (sides: PairAccess, read: ReadList?) {
        for _ in 0..<Self.attempts {
            let (sides, id) = try await sides(of: viewer, to: owner)
            guard sides.access != .none else { return (sides, nil) }
            let read = try await lists.list(of: owner, in: days, for: viewer, asOf: id)
            // The list may be newer than the access: then nothing in between may have touched that.
            if read.list.id == id { return (sides, read) }
            if try await isUntouched(for: viewer, by: owner, after: id, to: read.list.id) { return (sides, read) }
        }
        throw .unavailable("what \(viewer) may see of \(owner) changes faster than it can be read: try again")
    }

    private func isUntouched(
        for viewer: String,
        by owner: String,
        after id: ChangeID,
        to last: ChangeID
    ) async throws(TodoError) -> Bool {
        guard let changes = try await log.changes(of: owner, since: id), changes.contains(where: { $0.id == last })
        else {
            return false
        }
        let between = changes.prefix { ($0.id?.version ?? 0) <= last.version }
        return !between.contains { $0.account?.touchesAccess(of: viewer) == true }
    }
}
