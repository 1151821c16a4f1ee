import EventLoop

/// What one reader receives of one owner's changes: as far as the access covers them, within the days that the reader shows.
@LoopActor
struct VisibilityFilter {
    /// Nil for all days.
    let days: ClosedRange<CalendarDate>?
    /// The todos within the days; nil without a filter by days.
    private var shown: ShownTodos?

    nonisolated init(days: ClosedRange<CalendarDate>?) { self.days = days }

    /// The reader begins with a list.
    mutating func begin(with list: TodoList, _ access: Access) {
        if days != nil { shown = ShownTodos(list.todoIDs(for: access)) }
    }

    /// How a change is seen; nil when it is not. A todo that leaves the days is seen as removed, one that comes into them as
    /// added.
    mutating func view(of change: TodoChange, _ access: Access) -> ChangeView? {
        guard let days, change.kind.isOfTodo else {
            return ChangeView(change.kind, before: change.visibilityBefore, now: change.visibility, access: access)
        }
        let todo = change.todo
        let isVisible = access.covers(change.visibility)
        let wasShown = shown?.contains(todo.id) ?? false
        let isShown = isVisible && change.kind != .removed && days.contains(todo.date)
        if isShown { shown?.insert(todo.id) } else { shown?.remove(todo.id) }
        return switch (wasShown, isShown) {
        case (false, false): nil
        case (true, false): ChangeView(kind: .removed, isRedacted: !isVisible)
        case (false, true): ChangeView(kind: .added)
        case (true, true): ChangeView(kind: change.kind == .added ? .added : .modified)
        }
    }
}
