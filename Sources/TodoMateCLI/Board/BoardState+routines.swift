import TodoMate

extension BoardState {
    /// Ends the routine that a todo is of, from that day of it on.
    mutating func endRoutine(of todo: Todo, _ content: BoardContent) -> [BoardEffect] {
        guard let (routine, day) = content.routine(of: todo), routine.hasDays(from: day) else {
            notice = .noRoutine(todo.content)
            return []
        }
        notice = .routineEnded(routine.content, day)
        guard !isBeingEnded(routine, of: todo.uid) else { return [] }
        return write(.endRoutine(routine, from: day), id: routine.id, uid: todo.uid, before: nil)
    }
}

extension Routine {
    /// Whether it has a day from this one on.
    fileprivate func hasDays(from day: CalendarDate) -> Bool { rule.last(from: from).map { $0 >= day } ?? false }

    /// What makes it what it is now, after it was ended from a day on; unless somebody else has given it another rule since.
    func restored(afterEndFrom day: CalendarDate) -> RoutinePatch {
        var (patch, left) = (RoutinePatch(self), rule)
        if hasDays(from: day) { left.end = .until(day.adding(days: -1)) }
        // Without a day before, it was taken away.
        patch.seen = day > .earliest && left.last(from: from) != nil ? left : nil
        return patch
    }
}

extension TodoError {
    /// Whether somebody else has come first.
    var isOfOthers: Bool {
        switch self {
        case .conflict, .notFound: true
        default: false
        }
    }
}
