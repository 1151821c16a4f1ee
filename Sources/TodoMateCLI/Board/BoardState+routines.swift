import TerminalUI
import TodoMate

extension BoardState {
    /// Asks what the routine that a todo is of is to be, from that day of it on.
    mutating func openRoutine(of todo: Todo, _ content: BoardContent) {
        guard let (routine, day) = content.routine(of: todo), routine.hasDays(from: day) else {
            notice = .noRoutine(todo.content)
            return
        }
        mode = .prompt(RoutineLine(routine, from: day, of: todo.uid, language).prompt)
    }

    /// Has a routine be what was typed, from a day on.
    mutating func change(
        _ id: String,
        of uid: String,
        from day: CalendarDate,
        seen: RoutineRule?,
        _ prompt: BoardPrompt,
        _ content: BoardContent
    ) -> [BoardEffect] {
        let new = prompt.newTodos(content.today, content.goals(for: prompt))
        if let problem = new.problem { return refuse(prompt, problem) }
        guard let line = new.lines.first else { return refuse(prompt, .empty) }
        guard let routine = content.routine(id, of: uid), routine.hasDays(from: day) else {
            return refuse(prompt, .noRoutine(line.content))
        }
        guard seen == nil || seen == routine.rule else {
            // Entered once more it is done all the same.
            var again = BoardPrompt(.routine(id: id, day: day, uid: uid, seen: nil), text: prompt.editor.text)
            again.asText = prompt.asText
            return refuse(again, .routineChangedElsewhere(routine.content))
        }
        let old = RoutineLine(routine, from: day, of: uid, language)
        guard let patch = old.patch(line, id: makeID()) else { return [] }
        notice = .routineChanged(line.content, day)
        let change = BoardWrite.Change.split(routine, on: day, into: patch, typed: prompt.editor.text)
        return write(change, id: routine.id, uid: uid, before: nil)
    }

    /// Ends the routine that a todo is of, from that day of it on.
    mutating func endRoutine(of todo: Todo, _ content: BoardContent) -> [BoardEffect] {
        guard let (routine, day) = content.routine(of: todo), routine.hasDays(from: day) else {
            notice = .noRoutine(todo.content)
            return []
        }
        notice = .routineEnded(routine.content, day)
        guard !isBeingSplit(routine, of: todo.uid) else { return [] }
        return write(.split(routine, on: day, into: nil, typed: ""), id: routine.id, uid: todo.uid, before: nil)
    }
}

extension Routine {
    /// Whether it has a day from this one on.
    func hasDays(from day: CalendarDate) -> Bool { rule.last(from: from).map { $0 >= day } ?? false }

    /// What makes it what it is now, after it was split on a day, and takes away what began there; unless somebody else has given one
    /// of them another rule since.
    func restored(afterSplitOn day: CalendarDate, into other: RoutinePatch?) -> [RoutinePatch] {
        var (patch, left) = (RoutinePatch(self), rule)
        if hasDays(from: day) { left.end = .until(day.adding(days: -1)) }
        // Without a day before, it was taken away.
        patch.seen = day > .earliest && left.last(from: from) != nil ? left : nil
        guard let other else { return [patch] }
        // It hands back its days, also those on which something was done meanwhile.
        patch.made = []
        return [patch, RoutinePatch(id: other.id, isEnded: true, heir: id, seen: other.rule)]
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
