import EventLoop

/// Notes of days, in this process alone.
@LoopActor
final class InMemoryNoteStore: NoteStoreType {
    private let database: InMemoryDatabase
    private unowned let todos: InMemoryTodoRepository

    init(_ database: InMemoryDatabase, _ todos: InMemoryTodoRepository) {
        (self.database, self.todos) = (database, todos)
    }

    @discardableResult
    func set(
        _ detail: String?,
        visibility: Visibility?,
        on day: CalendarDate,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        try TodoBounds.uid(uid)
        let id = DayNote.id(of: day)
        if let detail, DayNote.isBlank(detail) {
            return .changed(try await todos.remove(id, of: uid, expecting: revision))
        }
        guard let detail, database[uid].todos[id] == nil, revision?.number ?? 0 == 0 else {
            let patch = TodoPatch(detail: detail, visibility: visibility)
            return try await todos.update(id, of: uid, with: patch, expecting: revision)
        }
        return try await todos.add(DayNote.draft(detail, on: day, visibility: visibility), for: uid)
    }
}
