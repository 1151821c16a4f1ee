import EventLoop
import Foundation
import TodoMate

/// The viewer's own todos with or without a network, as a repository; what is others' comes from the server.
///
/// A write returns once it is on disk. Its change has no id, as it is none of the server's yet, and the todo is as it will be, as far as
/// that is known here. What is refused later is among ``TodoClient/pendingChanges``.
@LoopActor
final class OfflineTodoRepository: TodoRepositoryType {
    private let own: OfflineTodos
    private let online: any TodoRepositoryType
    private let board: OfflineBoard
    private let now: @LoopActor () -> Date
    private var channels: [String: BoardChannel] = [:]

    init(
        _ own: OfflineTodos,
        online: any TodoRepositoryType,
        board: OfflineBoard,
        now: @escaping @LoopActor () -> Date = { Date() }
    ) {
        (self.own, self.online, self.board, self.now) = (own, online, board, now)
    }

    func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        guard uid == own.uid else { return try await online.add(draft, for: uid) }
        let id = try TodoBounds.id(draft.id ?? RandomID.next())
        try draft.check()
        if let shown = own.shown[id] {
            guard shown.content == draft.content, shown.detail == draft.detail, shown.date == draft.date,
                shown.time == draft.time
            else {
                throw .exists("another todo has the id \(id): choose another id, or update that one")
            }
            return .unchanged(TodoRecord(shown))
        }
        try own.perform { (outbox) throws(TodoError) in
            try outbox.add(draft, id, key: RandomID.next(), at: now())
        }
        own.send()
        return try changed(.added, own.shown[id])
    }

    /// Of a routine's day of which nothing is known here, the server has to know.
    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        let unmade = own.shown[id] == nil && revision?.number ?? 0 == 0 ? own.shownSettings?.unmade(id) : nil
        guard uid == own.uid, unmade != nil || own.shown[id] != nil || Routine.parts(ofID: id) == nil else {
            return try await online.update(id, of: uid, with: patch, expecting: revision)
        }
        let seen = if let unmade { unmade } else { try shown(id, revision) }
        try patch.check()
        guard unmade != nil || patch.applied(to: seen) != seen else { return .unchanged(TodoRecord(seen)) }
        try own.perform { (outbox) throws(TodoError) in
            try outbox.edit(patch, seen, key: RandomID.next(), at: now())
        }
        own.send()
        return try changed(unmade == nil ? .modified : .added, own.shown[id])
    }

    func remove(
        _ id: String,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoChange {
        guard uid == own.uid else { return try await online.remove(id, of: uid, expecting: revision) }
        let seen = try shown(id, revision)
        try own.perform { (outbox) throws(TodoError) in
            try outbox.remove(seen, key: RandomID.next(), at: now())
        }
        own.send()
        return TodoChange(id: nil, kind: .removed, todo: seen)
    }

    private func shown(_ id: String, _ revision: ExpectedRevision?) throws(TodoError) -> Todo {
        try TodoBounds.id(id)
        guard let todo = own.shown[id] else { throw .notFound("\(own.uid) has no todo with the id \(id)") }
        if let revision, !revision.matches(todo) {
            throw .conflict("the todo is now at revision \(todo.revision): read it again and retry", current: todo)
        }
        return todo
    }

    private func changed(_ kind: ChangeKind, _ todo: Todo?) throws(TodoError) -> TodoWrite {
        guard let todo else { throw .broken("what was just written is not there") }
        return .changed(TodoChange(id: nil, kind: kind, todo: todo))
    }

    func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
        guard uid == own.uid, own.isKnown else { return try await online.record(id, of: uid) }
        return TodoRecord(try shown(id, nil))
    }

    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        guard uid == own.uid else { return try await online.snapshot(of: uid, in: days) }
        return try await board.snapshot(of: uid, in: days)
    }

    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try await online.latestChangeID(of: uid)
    }

    func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]? {
        try await online.changes(of: uid, since: id, within: bytes)
    }

    func openChannel(of uid: String, _ listener: any TodoChannelListener) {
        channels[uid]?.close()
        let channel = BoardChannel(uid, board, listener)
        channels[uid] = channel
        channel.open()
    }

    func closeChannel(of uid: String) { channels.removeValue(forKey: uid)?.close() }

    func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> { online.observeTodoChanges() }
}
