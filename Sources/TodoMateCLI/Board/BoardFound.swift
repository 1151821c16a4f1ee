import TerminalUI
import TodoMate

/// What was found by words on all days of a list, in place of the board; one of the todos has the keys.
struct BoardFound: Equatable {
    let uid: String
    /// What is looked for, as it was typed.
    let text: String
    /// What it is narrowed to besides.
    let narrowing: FoundNarrowing
    /// The latest days first; nil until the first part is read.
    private(set) var todos: [Todo]?
    private(set) var problem: TodoError?
    private(set) var selected = 0
    /// Where the next part begins; nil at the end.
    private var next: SearchPlace?
    private var isReading = true

    init(_ text: String, of uid: String, narrowing: FoundNarrowing = FoundNarrowing()) {
        (self.text, self.uid, self.narrowing) = (text, uid, narrowing)
    }

    /// What is looked for.
    var search: TodoSearch {
        TodoSearch(
            words: TodoWords(text),
            status: narrowing.status,
            goal: narrowing.goal?.id,
            from: narrowing.month?.firstDay,
            to: narrowing.month?.lastDay
        )
    }

    /// The todo that has the keys.
    var todo: Todo? {
        guard let todos, todos.indices.contains(selected) else { return nil }
        return todos[selected]
    }

    /// Walks through the todos.
    ///
    /// - Returns: where to read on, at the end of what was read.
    mutating func walk(by count: Int) -> SearchPlace? {
        guard let todos, !todos.isEmpty else { return nil }
        selected = selected.walked(by: count, of: todos.count)
        guard selected == todos.count - 1, !isReading, let next else { return nil }
        isReading = true
        return next
    }

    /// Takes a part that was read.
    ///
    /// - Parameter routines: days that are not stored, beside the first part.
    /// - Returns: where to read on, where all that was looked at had none of them.
    mutating func take(_ answer: Result<FoundTodos?, TodoError>, _ routines: [Todo]) -> SearchPlace? {
        isReading = false
        switch answer {
        case .success(let part):
            // One that was changed meanwhile may come twice.
            let known = Set((todos ?? []).map(\.id))
            var new = (part?.todos ?? []).map(\.todo).filter { !known.contains($0.id) }
            let stored = Set(new.map(\.id))
            for day in routines where !stored.contains(day.id) {
                new.insert(day, at: new.firstIndex { $0.date < day.date } ?? new.count)
            }
            (todos, next, problem) = ((todos ?? []) + new, part?.next, nil)
            guard new.isEmpty, let next else { return nil }
            isReading = true
            return next
        case .failure(let error):
            // What is known stays; the next step downwards tries again.
            problem = error
            return nil
        }
    }

    /// Title and todos, in at most `height` lines.
    func lines(width: Int, height: Int, _ content: BoardContent, _ language: BoardLanguage) -> [ScreenLine] {
        let words = language.words
        let who = content.users.count > 1 ? " · " + content.person(uid).label : ""
        let found = text.isEmpty ? words.foundAnything : words.foundTitle(words.short(text))
        let title = (found + who + narrowing.said(language)).truncated(toWidth: width)
        var lines = [ScreenLine(title, .bold, .here)]
        if let problem {
            lines.append(ScreenLine(words.unread(problem).truncated(toWidth: width), .bold, .trouble))
        }
        guard let todos, !todos.isEmpty || !isReading else {
            if problem == nil { lines.append(ScreenLine(words.loading, .dim)) }
            return lines
        }
        guard !todos.isEmpty else {
            return lines + [ScreenLine(words.nothingFound.truncated(toWidth: width), .dim)]
        }
        let room = max(height - lines.count, 1)
        let start = min(max(selected - room / 2, 0), max(todos.count - room, 0))
        return lines
            + todos.indices.dropFirst(start).prefix(room).map { row($0, todos[$0], width: width, content, language) }
    }

    private func row(
        _ index: Int,
        _ todo: Todo,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> ScreenLine {
        let held: [TextStyle] = index == selected ? [.reverse] : []
        var line = ScreenLine()
        if index == selected {
            line.add(String(repeating: " ", count: width), at: 0, held)
            line.add("▸", at: 0, held + [.bold])
        }
        let note = todo.isUnmade ? "↻" : ""
        line.add(note, at: width - 1, held + [.dim])
        if !todo.isNote { line.add(todo.status.mark, at: 1, held + todo.status.markStyles) }
        let day = language.name(todo.date, today: content.today) + (todo.time.map { " \($0)" } ?? "")
        line.add(day.truncated(toWidth: width - 3), at: 3, held + [.dim])
        let column = 3 + day.displayWidth + 2
        guard column < width else { return line }
        let text = todo.isNote ? "≡ " + todo.detail : todo.content
        line.add(text.sanitized().truncated(toWidth: width - column - 2), at: column, held + todo.status.textStyles)
        return line
    }
}

extension BoardState {
    /// Looks for words in place of the board.
    mutating func find(
        _ text: String,
        of uid: String,
        narrowing: FoundNarrowing = FoundNarrowing()
    ) -> [BoardEffect] {
        let found = BoardFound(text, of: uid, narrowing: narrowing)
        mode = .found(found)
        return [.find(found, after: nil)]
    }

    /// Obeys a key while it is shown what was found.
    mutating func turn(_ found: BoardFound, _ command: BoardCommand, _ content: BoardContent) -> [BoardEffect] {
        if let stride = command.stride {
            var found = found
            let next = found.walk(by: stride)
            mode = .found(found)
            return next.map { [.find(found, after: $0)] } ?? []
        }
        var narrowing = found.narrowing
        if narrowing.turn(by: command, goals: content.users.first { $0.uid == found.uid }?.goals ?? [], content.today) {
            return find(found.text, of: found.uid, narrowing: narrowing)
        }
        switch command {
        case .search: mode = .prompt(BoardPrompt(.search(uid: found.uid, found.narrowing), text: found.text))
        case .leave, .help, .quit: mode = .board
        case .open:
            guard let todo = found.todo else { break }
            // It shows whatever the list was filtered by.
            (mode, filter) = (.board, "")
            chosenDay = todo.date == content.today ? nil : todo.date
            // The month that it is in may have to be read first.
            select(todo.id, at: 0, isAwaited: true)
        default: break
        }
        return []
    }

    /// Takes a part of what was found, if it is still wanted.
    mutating func take(
        _ answer: Result<FoundTodos?, TodoError>,
        _ routines: [Todo] = [],
        of found: BoardFound
    ) -> [BoardEffect] {
        guard case .found(var shown) = mode, shown.uid == found.uid, shown.search == found.search else { return [] }
        let next = shown.take(answer, routines)
        mode = .found(shown)
        return next.map { [.find(shown, after: $0)] } ?? []
    }
}
