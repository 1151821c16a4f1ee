import EventLoop
import TodoMate

extension RelationStoreType {
    /// A user's settings, goals and routines among them; nil where those are not shown to who asks.
    func shownSettings(of uid: String) async throws(TodoError) -> AccountSettings? {
        do throws(TodoError) {
            return try await profile(of: uid).settings
        } catch .refused {
            return nil
        }
    }

    /// The next day of each of a user's routines on which nobody did anything yet, where its todo is one that is looked for; the
    /// latest days first, as searches have them.
    ///
    /// Days of routines are not stored before something is done, so that no store finds them.
    func nextRoutineDays(
        _ search: TodoSearch,
        of uid: String,
        today: CalendarDate
    ) async throws(TodoError) -> [Todo] {
        let next = try await shownSettings(of: uid)?.nextRoutineTodos(from: today) ?? []
        return next.filter(search.matches).sorted { Todo.isInListOrder($1, $0) }
    }
}

extension PersonalStores {
    /// The todos of a user's days, and those of routines that nobody did anything with yet, in list order.
    ///
    /// - Parameter days: nil for all that are stored.
    @LoopActor
    func todosAndRoutines(
        of uid: String,
        in days: ClosedRange<CalendarDate>?,
        today: CalendarDate
    ) async throws(TodoError) -> [Todo] {
        let stored = try await todos.snapshot(of: uid, in: days).todos
        guard let days, let settings = try await relations.shownSettings(of: uid) else { return stored }
        let unmade = settings.routineTodos(in: days, today: today, besides: Set(stored.map(\.id)))
        return unmade.isEmpty ? stored : (stored + unmade).sorted(by: Todo.isInListOrder)
    }

    /// The todos that a text may name: all that are stored, and those of routines around today.
    @LoopActor
    func nameable(of uid: String, today: CalendarDate) async throws(TodoError) -> [Todo] {
        let stored = try await todos.snapshot(of: uid, in: nil).todos.filter { !$0.isNote }
        guard let settings = try await relations.shownSettings(of: uid) else { return stored }
        let around = today.adding(days: -Routine.shownBack)...today.adding(days: Routine.shownBack)
        return stored + settings.routineTodos(in: around, today: today, besides: Set(stored.map(\.id)))
    }
}
