import EventLoop
import TodoMate

/// Notes of days with or without a network: each is a todo, and is written like one.
@LoopActor
final class OfflineNoteStore: NoteStoreType {
    private let own: OfflineTodos
    private let todos: any TodoRepositoryType
    private let online: any NoteStoreType

    init(_ own: OfflineTodos, _ todos: any TodoRepositoryType, online: any NoteStoreType) {
        (self.own, self.todos, self.online) = (own, todos, online)
    }

    @discardableResult
    func set(
        _ detail: String?,
        visibility: Visibility?,
        on day: CalendarDate,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        guard uid == own.uid, own.isKnown else {
            return try await online.set(detail, visibility: visibility, on: day, of: uid, expecting: revision)
        }
        let id = DayNote.id(of: day)
        if let detail, DayNote.isBlank(detail) {
            return .changed(try await todos.remove(id, of: uid, expecting: revision))
        }
        guard let detail, own.shown[id] == nil, revision?.number ?? 0 == 0 else {
            let patch = TodoPatch(detail: detail, visibility: visibility)
            return try await todos.update(id, of: uid, with: patch, expecting: revision)
        }
        return try await todos.add(DayNote.draft(detail, on: day, visibility: visibility), for: uid)
    }
}
