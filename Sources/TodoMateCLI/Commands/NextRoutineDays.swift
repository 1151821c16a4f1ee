import EventLoop
import TodoMate

extension RelationStoreType {
    /// The next day of each of a user's routines on which nobody did anything yet, where its todo is one that is looked for; the
    /// latest days first, as searches have them.
    ///
    /// Days of routines are not stored before something is done, so that no store finds them.
    func nextRoutineDays(
        _ search: TodoSearch,
        of uid: String,
        today: CalendarDate
    ) async throws(TodoError) -> [Todo] {
        do throws(TodoError) {
            return try await profile(of: uid).settings.nextRoutineTodos(from: today).filter(search.matches)
                .sorted { Todo.isInListOrder($1, $0) }
        } catch .refused {
            // Others' routines are theirs alone to see.
            return []
        }
    }
}
