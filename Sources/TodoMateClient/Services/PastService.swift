public import EventLoop
public import TodoMate

/// Finds todos, tells what became of them, and writes notes of days: ``TodoClient/past``.
///
/// Searching and histories need the server; a note of a day waits for it where the client has a file.
@LoopActor
public struct PastService {
    let uid: String
    let searches: any SearchStoreType
    let histories: any HistoryStoreType
    let notes: any NoteStoreType

    /// Finds todos by words: the person's own, or somebody else's as far as the person may see them.
    ///
    /// - Parameters:
    ///   - words: all of them have to be there, in any order; nil or blank for any.
    ///   - owner: whose todos; nil for the person's own.
    ///   - status: their status; nil for any.
    ///   - goal: the id of their goal, empty for those without one; nil for any.
    ///   - days: their days; nil for all.
    /// - Returns: those of the latest days first; none where nothing may be seen.
    /// - Throws: ``/TodoMate/TodoError/invalid(_:)`` for days in no order.
    public func search(
        _ words: String?,
        of owner: String? = nil,
        status: TodoStatus? = nil,
        goal: String? = nil,
        in days: ClosedRange<CalendarDate>? = nil
    ) async throws(TodoError) -> [Todo] {
        let search = TodoSearch(
            words: words.flatMap { TodoWords($0) },
            status: status,
            goal: goal,
            from: days?.lowerBound,
            to: days?.upperBound
        )
        return try await searches.all(search, of: owner ?? uid, for: uid)
    }

    /// What became of one of the person's todos, the newest change first.
    ///
    /// - Parameters:
    ///   - id: the todo's id, also of one that was removed.
    ///   - change: only what was before this change; nil for all.
    /// - Throws: ``/TodoMate/TodoError/notFound(_:)`` for a todo of which nothing is known,
    ///   ``/TodoMate/TodoError/gone(_:)`` where the log does not have that change any more.
    public func history(of id: String, before change: ChangeID? = nil) async throws(TodoError) -> TodoHistory {
        try await histories.history(of: id, of: uid, before: change)
    }

    /// The last removals of the person's todos that were not added again, the newest first.
    public func removed(before change: ChangeID? = nil) async throws(TodoError) -> TodoHistory {
        try await histories.removed(of: uid, before: change)
    }

    /// Writes the note of a day, which is among its todos, or takes it away.
    ///
    /// - Parameters:
    ///   - text: what it is to say; without any text the note is taken away.
    ///   - day: the day.
    ///   - visibility: who may see it; nil for those who may now, and for nobody else if it is new.
    @discardableResult
    public func note(
        _ text: String,
        on day: CalendarDate,
        visibility: Visibility? = nil
    ) async throws(TodoError) -> TodoWrite {
        try await notes.set(text, visibility: visibility, on: day, of: uid, expecting: nil)
    }
}
