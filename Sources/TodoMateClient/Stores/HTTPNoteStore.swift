import EventLoop
import TodoMate

/// Notes of days, over HTTP.
@LoopActor
final class HTTPNoteStore: NoteStoreType {
    private let server: Server
    private let todos: HTTPTodoRepository

    init(_ server: Server, _ todos: HTTPTodoRepository) { (self.server, self.todos) = (server, todos) }

    @discardableResult
    func set(
        _ detail: String?,
        visibility: Visibility?,
        on day: CalendarDate,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        let path = try HTTPTodoRepository.path(uid, "notes", day.description)
        let mustBeNew = revision?.number == 0
        let tag = mustBeNew ? ["If-None-Match": "*"] : try await todos.tag(revision, DayNote.id(of: day), of: uid)
        let body = JSONObject(["detail": detail, "visibility": visibility?.rawValue]).text
        let fields = HTTPTodoRepository.change.merging(tag) { $1 }
        return try await todos.write(ServerRequest(.put, path, fields: fields, body: body), of: uid)
    }
}
