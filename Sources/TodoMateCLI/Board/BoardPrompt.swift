import TerminalUI
import TodoMate

/// A line that is being typed, and what it is for.
struct BoardPrompt: Sendable, Equatable {
    /// What becomes of the text.
    enum Purpose: Sendable, Equatable {
        /// New todos, a line each, the first of them with this id. What the lines do not say: nil for the day that is shown, for no
        /// time and for no goal.
        case add(id: String, uid: String, date: CalendarDate?, time: TimeOfDay? = nil, goal: String? = nil)
        case edit(Todo)
        case note(Todo)
        /// The note of a day, as it was when this began.
        case dayNote(uid: String, date: CalendarDate, before: Todo?)
        case move(Todo)
        case goal(Todo)
        /// What a routine is to be from a day on, and what it was when this began.
        case routine(Routine, day: CalendarDate, uid: String)
        case filter
        /// Words to look for on all days of a list.
        case search(uid: String, FoundNarrowing = FoundNarrowing())
    }

    let purpose: Purpose
    var editor: LineEditor
    /// Why the text was not taken.
    var problem: BoardNotice?
    /// Words of new todos that say no day or time, as ``QuickLine`` takes them.
    var asText: Set<String> = []
    /// Whether `#` names a goal.
    var readsGoals = true
    /// Whether it was told what others wrote meanwhile: entered once more it is done all the same.
    var overwrites = false

    init(_ purpose: Purpose, problem: BoardNotice? = nil, text: String? = nil) {
        self.purpose = purpose
        self.problem = problem
        editor =
            switch purpose {
            case .add: LineEditor(text ?? "", limit: NewTodos.most * (TodoBounds.contentLength + 1), isMultiline: true)
            case .edit(let todo): LineEditor(text ?? todo.content, limit: TodoBounds.contentLength)
            case .note(let todo): LineEditor(text ?? todo.detail, limit: TodoBounds.detailLength, isMultiline: true)
            case .dayNote(_, _, let before):
                LineEditor(text ?? before?.detail ?? "", limit: TodoBounds.detailLength, isMultiline: true)
            case .move, .goal: LineEditor(text ?? "", limit: 40)
            case .routine: LineEditor(text ?? "", limit: TodoBounds.contentLength)
            case .filter, .search: LineEditor(text ?? "", limit: TodoBounds.contentLength)
            }
    }

    /// Offers the words of a write that was refused once more; nil when it had none.
    init?(retrying write: BoardWrite, _ error: TodoError, _ makeID: () -> String) {
        let problem = BoardNotice.notSaved(error)
        // The next try is made on top of what others wrote meanwhile.
        let current = if case .conflict(_, let current?) = error { current } else { write.before }
        switch (write.change, current) {
        case (.add(let draft), _) where DayNote.isID(write.id):
            self = .dayNote(retrying: write, draft.detail, on: draft.date, error)
        case (.routines(let patches, let typed), _) where !typed.isEmpty:
            // It says once more what it said.
            let purpose = Purpose.add(id: write.id, uid: write.uid, date: patches.first?.from)
            self.init(purpose, problem: problem, text: typed)
        case (.split(let routine, _, _, let typed?), _):
            self = typed
            overwrites = typed.overwrites || error.isOfOthers
            self.problem = error.isOfOthers ? .routineChangedElsewhere(routine.content) : problem
        case (.patch(let patch, _), let note?) where DayNote.isID(write.id):
            guard let text = patch.detail else { return nil }
            self = .dayNote(retrying: write, text, on: note.date, error)
        case (.add(let draft), _):
            // The same id once more, so that an add whose answer was lost is not added twice.
            let id = if case .exists = error { makeID() } else { write.id }
            self.init(
                .add(id: id, uid: write.uid, date: draft.date, time: draft.time, goal: draft.goal),
                problem: problem,
                text: draft.content
            )
            keepAllAsText(NewTodos.anyDay)
        case (.patch(let patch, _), let current?):
            if let text = patch.content {
                if case .notFound = error {
                    let purpose = Purpose.add(
                        id: makeID(),
                        uid: write.uid,
                        date: current.date,
                        time: current.time,
                        goal: current.goal
                    )
                    self.init(purpose, problem: .goneWhileEditing, text: text)
                    keepAllAsText(NewTodos.anyDay)
                } else {
                    self.init(.edit(current), problem: problem, text: text)
                }
            } else if let text = patch.detail {
                self.init(.note(current), problem: problem, text: text)
            } else {
                return nil
            }
        default: return nil
        }
    }
}

extension BoardState {
    /// Obeys a key while a line is being typed.
    mutating func press(_ key: KeyPress, in prompt: BoardPrompt, _ content: BoardContent) -> [BoardEffect] {
        var prompt = prompt
        prompt.problem = nil
        switch key {
        case KeyPress(.enter): return enter(prompt, content)
        case .character("t", .control) where prompt.isReadingWords:
            prompt.toggleReading(content.today, content.goals(for: prompt))
            mode = .prompt(prompt)
            return []
        case KeyPress(.escape):
            if prompt.purpose == .filter { filter = "" }
            mode = .board
            return []
        default:
            _ = prompt.editor.press(key)
            prompt.forgetWhatIsGone(content.today, content.goals(for: prompt))
            if prompt.purpose == .filter { filter = prompt.editor.text }
            mode = .prompt(prompt)
            return []
        }
    }

    private mutating func enter(_ prompt: BoardPrompt, _ content: BoardContent) -> [BoardEffect] {
        let text = prompt.editor.text
        let isBlank = text.allSatisfy(\.isWhitespace)
        mode = .board
        switch prompt.purpose {
        case .filter: return []
        case .search(let uid, let narrowing): return find(text.trimmed, of: uid, narrowing: narrowing)
        case .add(let id, let uid, let date, let time, let goal):
            let new = prompt.newTodos(content.today, content.goals(for: prompt))
            if let problem = new.problem { return refuse(prompt, problem) }
            return add(new, id: id, uid: uid, on: date ?? day(content), at: time, for: goal, content)
        case .routine(let seen, let day, let uid):
            guard !isBlank else { return refuse(prompt, .empty) }
            return change(seen, of: uid, from: day, prompt, content)
        case .edit(let todo):
            guard !isBlank else { return refuse(prompt, .empty) }
            guard text.trimmed != todo.content else { return [] }
            // A text that someone else has written meanwhile is not overwritten unseen.
            let isSame = content.todo(todo.id, of: todo.uid).map { $0.content == todo.content } ?? true
            return patch(todo, TodoPatch(content: text.trimmed), expecting: isSame ? nil : todo.written)
        case .note(let todo):
            guard text.trimmed != todo.detail else { return [] }
            let isSame = content.todo(todo.id, of: todo.uid).map { $0.detail == todo.detail } ?? true
            return patch(todo, TodoPatch(detail: text.trimmed), expecting: isSame ? nil : todo.written)
        case .dayNote(let uid, let date, let before): return write(prompt, of: uid, on: date, before: before, content)
        case .move(let todo):
            guard !isBlank else { return [] }
            guard let patch = moment(text.trimmed) else { return refuse(prompt, .noDay(text.trimmed)) }
            return move(todo, patch)
        case .goal(let todo):
            let goals = content.users.first { $0.uid == todo.uid }?.goals ?? []
            let goal = isBlank ? nil : (try? goals.named(text.trimmed)) ?? nil
            guard isBlank || goal != nil else { return refuse(prompt, .noGoal(text.trimmed)) }
            return goal?.id == todo.goal ? [] : patch(todo, TodoPatch(goal: goal?.id ?? ""))
        }
    }

    /// A day, a time or `none` (in Korean `없음`), or a day and one of those; nil when the text is neither.
    private func moment(_ text: String) -> TodoPatch? {
        func time(_ text: String) -> TimeChange? {
            ["none", "없음"].contains(text.lowercased()) ? .remove : TimeWords.time(text.lowercased()).map { .set($0) }
        }
        if let time = time(text) { return TodoPatch(time: time) }
        if let date = try? parseDay(text) { return TodoPatch(date: date) }
        for place in text.indices where text[place] == " " {
            let (first, last) = (String(text[..<place]), String(text[text.index(after: place)...]))
            if let date = try? parseDay(first), let time = time(last) { return TodoPatch(date: date, time: time) }
            if let date = try? parseDay(last), let time = time(first) { return TodoPatch(date: date, time: time) }
        }
        return nil
    }

    mutating func refuse(_ prompt: BoardPrompt, _ problem: BoardNotice) -> [BoardEffect] {
        var prompt = prompt
        prompt.problem = problem
        mode = .prompt(prompt)
        return []
    }

    private mutating func add(
        _ new: NewTodos,
        id: String,
        uid: String,
        on date: CalendarDate,
        at time: TimeOfDay?,
        for goal: String?,
        _ content: BoardContent
    ) -> [BoardEffect] {
        // What was just added is to be seen.
        if !new.lines.isEmpty { filter = "" }
        return zip(new.lines, new.typed).enumerated().flatMap { index, read in
            let (line, typed) = read
            let id = index == 0 ? id : makeID()
            if let rule = line.rule {
                let patch = RoutinePatch(
                    id: id,
                    content: line.content,
                    rule: rule,
                    from: rule.start(saidOn: line.date ?? date),
                    time: (line.time ?? time).map { .set($0) },
                    goal: line.goal?.id ?? goal
                )
                notice = .routineAdded(line.content)
                return write(.routines([patch], typed: typed), id: id, uid: uid, before: nil)
            }
            let draft = TodoDraft(
                id: id,
                date: line.date ?? date,
                time: line.time ?? time,
                content: line.content,
                goal: line.goal?.id ?? goal
            )
            if draft.date == day(content) {
                select(id, at: todos(of: user, content).count, isAwaited: true)
            } else {
                notice = .added(draft.content, draft.date, draft.time)
            }
            return write(.add(draft), id: id, uid: uid, before: nil)
        }
    }
}

extension String {
    /// Without spaces around it.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
        )
    }
}
