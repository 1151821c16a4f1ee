import TerminalUI
import TodoMate

extension BoardState {
    /// Asks what the routine that a todo is of is to be, from that day of it on.
    mutating func openRoutine(of todo: Todo, _ content: BoardContent) {
        guard let (routine, day) = content.routine(of: todo), routine.hasDays(from: day) else {
            notice = .noRoutine(todo.content)
            return
        }
        guard routine.rule.contains(day, from: routine.from) else {
            notice = .notItsDay(routine.content, day)
            return
        }
        guard !isBeingSplit(routine, of: todo.uid) else {
            notice = .routineSaving(routine.content)
            return
        }
        mode = .prompt(RoutineLine(routine, from: day, of: todo.uid, today: content.today, language).prompt)
    }

    /// Has a routine be what was typed, from a day on.
    mutating func change(
        _ seen: Routine,
        of uid: String,
        from day: CalendarDate,
        _ prompt: BoardPrompt,
        _ content: BoardContent
    ) -> [BoardEffect] {
        let new = prompt.newTodos(content.today, content.goals(for: prompt))
        if let problem = new.problem { return refuse(prompt, problem) }
        guard let line = new.lines.first else { return refuse(prompt, .empty) }
        guard let routine = content.routine(seen.id, of: uid), routine.hasDays(from: day) else {
            return refuse(prompt, .noRoutine(line.content))
        }
        guard prompt.overwrites || routine.saysSame(as: seen) else {
            var again = prompt
            again.overwrites = true
            return refuse(again, .routineChangedElsewhere(routine.content))
        }
        // A rule begins anew where it has such a day; on another one that would move all that come.
        let isNew = line.rule.map { $0 != routine.rest(from: day) } ?? false
        guard isNew || routine.rule.contains(day, from: routine.from) else {
            return refuse(prompt, .notItsDay(routine.content, day))
        }
        let offered = RoutineLine(seen, from: day, of: uid, today: content.today, language)
        guard let patch = offered.patch(line, of: routine, id: makeID()) else { return [] }
        notice = .routineChanged(line.content, day)
        let change = BoardWrite.Change.split(routine, on: day, into: patch, typed: prompt)
        return write(change, id: routine.id, uid: uid, before: nil)
    }

    /// Ends the routine that a todo is of, from that day of it on.
    mutating func endRoutine(of todo: Todo, _ content: BoardContent) -> [BoardEffect] {
        guard let (routine, day) = content.routine(of: todo), routine.hasDays(from: day) else {
            notice = .noRoutine(todo.content)
            return []
        }
        guard !isBeingSplit(routine, of: todo.uid) else {
            notice = .routineSaving(routine.content)
            return []
        }
        notice = .routineEnded(routine.content, day)
        return write(.split(routine, on: day, into: nil, typed: nil), id: routine.id, uid: todo.uid, before: nil)
    }
}

extension Routine {
    /// Whether a line that offers the one offers the other.
    fileprivate func saysSame(as other: Routine) -> Bool {
        content == other.content && rule == other.rule && time == other.time
    }

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
