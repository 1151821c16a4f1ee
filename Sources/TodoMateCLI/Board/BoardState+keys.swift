import TerminalUI
import TodoMate

extension BoardState {
    /// Obeys a key.
    mutating func press(_ key: KeyPress, _ content: BoardContent) -> [BoardEffect] {
        let effects = obey(key, content)
        offerRefused()
        return effects
    }

    private mutating func obey(_ key: KeyPress, _ content: BoardContent) -> [BoardEffect] {
        if case .prompt(let prompt) = mode { return press(key, in: prompt, content) }
        notice = nil
        // A syllable may stand for several keys, and the first of them may open a prompt: the rest is then no command.
        var effects: [BoardEffect] = []
        for command in BoardKeymap.commands(for: key) {
            switch mode {
            case .board: effects += perform(command, content)
            case .page(let page, let scroll): turn(page, scroll, command)
            case .past(let past): effects += turn(past, command)
            case .unsent(let unsent): effects += turn(unsent, command, content)
            case .found(let found): effects += turn(found, command, content)
            case .prompt: return effects
            }
        }
        return effects
    }

    /// Scrolls a page, or closes it.
    private mutating func turn(_ page: BoardPage, _ scroll: Int, _ command: BoardCommand) {
        switch command {
        case .nextTodo: mode = .page(page, scroll: scroll + 1)
        case .previousTodo: mode = .page(page, scroll: max(scroll - 1, 0))
        case .nextMonth: mode = .page(page, scroll: scroll + 10)
        case .previousMonth: mode = .page(page, scroll: max(scroll - 10, 0))
        case .leave, .help, .open, .quit, .week: mode = .board
        default: break
        }
    }

    private mutating func perform(_ command: BoardCommand, _ content: BoardContent) -> [BoardEffect] {
        guard !command.isForOwners || !content.users[user].isReadOnly else {
            notice = .readOnly(content.users[user].uid)
            return []
        }
        switch command {
        case .nextTodo: walk(by: 1, content)
        case .previousTodo: walk(by: -1, content)
        case .firstTodo: walk(by: .min, content)
        case .lastTodo: walk(by: .max, content)
        case .nextDay: show(day(content).adding(days: 1), content)
        case .previousDay: show(day(content).adding(days: -1), content)
        case .today: show(content.today, content)
        case .nextMonth: show(day(content).addingMonth(1), content)
        case .previousMonth: show(day(content).addingMonth(-1), content)
        case .nextUser: turn(by: 1)
        case .previousUser: turn(by: -1)
        case .add:
            let uid = content.users[user].uid
            mode = .prompt(BoardPrompt(.add(id: makeID(), uid: uid, date: nil)))
        case .dayNote: openNote(content)
        case .filter: mode = .prompt(BoardPrompt(.filter, text: filter))
        case .search: mode = .prompt(BoardPrompt(.search(uid: content.users[user].uid)))
        case .undo: return undo()
        case .allToToday: return moveAllToToday(content)
        case .bringBack: return look(at: BoardPast(of: content.users[user].uid, id: nil))
        case .byGoal:
            isByGoal.toggle()
            notice = .byGoal(isByGoal)
        case .leave: filter = ""
        case .unsent: mode = .unsent(BoardUnsent())
        case .help: mode = .page(.help, scroll: 0)
        case .week: mode = .page(.week(uid: content.users[user].uid), scroll: 0)
        case .redraw: return [.redraw]
        case .quit: return [.quit]
        case .edit, .note, .goal, .finish, .begin, .notDone, .move, .toToday, .toNextDay, .toPreviousDay, .down, .up,
            .delete, .changeRoutine, .endRoutine,
            .open, .history:
            guard let todo = selected(content) else {
                notice = .nothingSelected
                return []
            }
            return perform(command, on: todo, content)
        }
        return []
    }

    private mutating func perform(_ command: BoardCommand, on todo: Todo, _ content: BoardContent) -> [BoardEffect] {
        guard command == .open || !content.isOnlyShown(todo) else {
            notice = .onlyShown(todo.content)
            return []
        }
        switch command {
        case .edit: mode = .prompt(BoardPrompt(.edit(todo)))
        case .note: mode = .prompt(BoardPrompt(.note(todo)))
        case .goal: mode = .prompt(BoardPrompt(.goal(todo), text: content.goal(of: todo)?.name))
        case .move: mode = .prompt(BoardPrompt(.move(todo)))
        case .open: mode = .page(.todo(id: todo.id, uid: todo.uid), scroll: 0)
        case .history: return look(at: BoardPast(of: todo.uid, id: todo.id))
        case .finish: return mark(todo, as: .complete)
        case .begin: return mark(todo, as: .inProgress)
        case .notDone: return mark(todo, as: .incomplete)
        case .toToday: return moveToToday(todo, content)
        case .toNextDay: return move(todo, TodoPatch(date: todo.date.adding(days: 1)))
        case .toPreviousDay: return move(todo, TodoPatch(date: todo.date.adding(days: -1)))
        case .down: return shift(todo, by: 1, content)
        case .up: return shift(todo, by: -1, content)
        case .changeRoutine: openRoutine(of: todo, content)
        case .endRoutine: return endRoutine(of: todo, content)
        case .delete:
            notice =
                isUnmade(todo)
                ? .skipped(todo.content)
                : todo.reactions.isEmpty ? .deleted(todo.content) : .deletedForGood(todo.content)
            guard !isBeingRemoved(todo) else { return [] }
            return write(isUnmade(todo) ? .skip(isBack: false) : .remove, id: todo.id, uid: todo.uid, before: todo)
        default: break
        }
        return []
    }

    /// Gives a todo a status, or takes it away again.
    private mutating func mark(_ todo: Todo, as status: TodoStatus) -> [BoardEffect] {
        let todo = known(todo)
        return patch(todo, TodoPatch(status: todo.status == status ? .todo : status))
    }

    /// Changes parts of a todo.
    mutating func patch(_ todo: Todo, _ patch: TodoPatch, expecting revision: ExpectedRevision? = nil) -> [BoardEffect]
    {
        write(.patch(patch, expecting: revision), id: todo.id, uid: todo.uid, before: todo)
    }

    /// Moves a todo to another day or time.
    mutating func move(_ todo: Todo, _ asked: TodoPatch) -> [BoardEffect] {
        var asked = asked
        if asked.date == todo.date { asked.date = nil }
        if asked.time?.time == todo.time { asked.time = nil }
        guard asked != TodoPatch() else { return [] }
        notice = .moved(todo.content, asked.date ?? todo.date, asked.time.map(\.time) ?? todo.time)
        return patch(todo, asked)
    }

    /// Moves a todo to today; of those from earlier, the keys turn to the next one.
    private mutating func moveToToday(_ todo: Todo, _ content: BoardContent) -> [BoardEffect] {
        let earlier = earlier(of: user, content)
        if let index = earlier.firstIndex(where: { $0.id == todo.id }), earlier.count > 1 {
            let next = index + 1 < earlier.count ? index + 1 : index - 1
            select(earlier[next].id, at: next)
        }
        return move(todo, TodoPatch(date: content.today))
    }

    /// Moves all that is listed from earlier to today, to be taken back at once.
    private mutating func moveAllToToday(_ content: BoardContent) -> [BoardEffect] {
        let uid = content.users[user].uid
        // The oldest day first, and those of a day in their order; what is on its way already is not sent again.
        let todos = earlier(of: user, content).filter { !isBeingMoved($0, to: content.today) }
            .sorted { $0.date < $1.date }
        guard !todos.isEmpty else {
            notice = .nothingEarlier
            return []
        }
        notice = .movedAll(todos.count)
        return write(todos.map { (.patch(TodoPatch(date: content.today)), $0.id, uid, $0) })
    }

    /// Moves a todo within its day; among todos that the filter hides, beside the next one that shows.
    private mutating func shift(_ todo: Todo, by count: Int, _ content: BoardContent) -> [BoardEffect] {
        // What is only shown has no place that another one could take.
        let todos = todos(of: user, content).filter { !content.isOnlyShown($0) }
        guard let index = todos.firstIndex(where: { $0.id == todo.id }), todos.indices.contains(index + count),
            todos[index + count].date == todo.date
        else { return [] }
        let other = todos[index + count]
        let isEarlier = index < earlier(of: user, content).count
        guard !isByGoal || isEarlier || content.goal(of: other) == content.goal(of: todo) else {
            notice = .orderedByGoal(todo.content)
            return []
        }
        guard other.time == todo.time else {
            notice = .orderedByTime(todo.content)
            return []
        }
        guard !todo.isUnmade, !other.isUnmade else {
            // What is not stored has no place that another one could take.
            let beyond = todos.indices.contains(index + 2 * count) ? todos[index + 2 * count] : nil
            let isBeside = beyond.map {
                let isOfGoal = !isByGoal || content.goal(of: $0) == content.goal(of: other)
                return $0.date == other.date && $0.time == other.time && isOfGoal
            }
            let next = isBeside == true ? beyond?.position : nil
            return patch(
                todo,
                TodoPatch(position: next.map { ($0 + other.position) / 2 } ?? other.position + Double(count))
            )
        }
        return write(.place(count > 0 ? .after(other.id) : .before(other.id)), id: todo.id, uid: todo.uid, before: todo)
    }

    private mutating func walk(by count: Int, _ content: BoardContent) {
        let todos = todos(of: user, content)
        guard let index = selectedIndex(of: user, content) else { return }
        let goal = index.walked(by: count, of: todos.count)
        select(todos[goal].id, at: goal)
    }

    private mutating func show(_ day: CalendarDate, _ content: BoardContent) {
        chosenDay = day == content.today ? nil : day
        select(nil, at: 0)
    }
}

extension CalendarDate {
    /// The same day of the next month or the one before, or that month's last day.
    fileprivate func addingMonth(_ count: Int) -> CalendarDate {
        let month = CalendarMonth(containing: self)
        let other = count > 0 ? month.next : month.previous
        return other.firstDay.adding(days: min(day, other.lastDay.day) - 1)
    }
}
