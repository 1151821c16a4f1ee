import EventLoop
import RedisClient
public import TodoMate

extension RedisTodoRepository {
    /// One `FCALL todomate_add`, repeated once with the same id when the answer was lost.
    public func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        var draft = draft
        // With its id, saying it again cannot do it twice; a write with an operation is to be the same each time.
        if RepeatableWrite.current == nil { draft.id = draft.id ?? RandomID.next() }
        return try await functions.writeTodo("todomate_add", uid, [try Self.json(draft.json)], isRepeatable: true)
    }

    /// One `FCALL todomate_update`.
    public func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        try await functions.writeTodo(
            "todomate_update",
            uid,
            [id, try Self.json(patch.json)] + revision.map { [$0.description] }.orEmpty
        )
    }

    /// One `FCALL todomate_remove`.
    public func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange
    {
        let words = [id] + revision.map { [$0.description] }.orEmpty
        guard let change = try await functions.writeTodo("todomate_remove", uid, words).change else {
            throw .broken("todomate_remove answered something that is no change")
        }
        return change
    }

    private static func json(_ text: String?) throws(TodoError) -> String {
        guard let text else { throw .invalid("position must be a number between -2^53 and 2^53") }
        return text
    }
}

extension Optional where Wrapped == [String] {
    fileprivate var orEmpty: [String] { self ?? [] }
}
