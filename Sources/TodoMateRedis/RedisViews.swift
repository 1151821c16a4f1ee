public import EventLoop
public import TodoMate

/// What viewers may see of others' todos, in Redis: what is read of one owner is shared by all who look.
@LoopActor
public final class RedisViews {
    /// How often what cannot be of one moment is read.
    private static let attempts = 5

    let relations: RedisRelationStore
    private let lists: SharedLists
    private let log: ChangeLog

    init(_ relations: RedisRelationStore, _ lists: SharedLists, _ log: ChangeLog) {
        self.relations = relations
        (self.lists, self.log) = (lists, log)
    }

    /// What the two sides say of what a viewer may see of an owner's todos, and those of them that may be seen, of one moment
    /// of the owner's; no todos at all, and no change id, where nothing may be seen.
    public func view(
        of viewer: String,
        on owner: String,
        in days: ClosedRange<CalendarDate>? = nil
    ) async throws(TodoError) -> (sides: PairAccess, snapshot: TodoSnapshot?) {
        let (sides, read) = try await list(of: owner, for: viewer, in: days)
        return (sides, read?.list.snapshot(for: sides.access))
    }

    /// What the two sides say of what a viewer may see of an owner's todos, and all of the owner's todos, shared with others
    /// who look: `sides.access` says which of them may be shown. Both are of one moment of the owner's.
    package func list(
        of owner: String,
        for viewer: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> (sides: PairAccess, read: ReadList?) {
        for _ in 0..<Self.attempts {
            let (sides, id) = try await relations.sides(of: viewer, to: owner)
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
