package import EventLoop
import RedisClient
package import TodoMate

/// Notes of days in Redis.
@LoopActor
package final class RedisNoteStore: NoteStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    @discardableResult
    package func set(
        _ detail: String?,
        visibility: Visibility?,
        on day: CalendarDate,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        let (id, expected) = (DayNote.id(of: day), revision.map { [$0.description] } ?? [])
        // To take away or to hide must work when memory is full, which these can.
        if let detail, DayNote.isBlank(detail) {
            return try await functions.writeTodo("todomate_remove", uid, [id] + expected)
        }
        let json = JSONObject(["detail": detail, "visibility": visibility?.rawValue]).text
        guard detail != nil else {
            return try await functions.writeTodo("todomate_update", uid, [id, json] + expected)
        }
        return try await functions.writeTodo("todomate_set_note", uid, [day.description, json] + expected)
    }
}
