import TerminalUI
import TodoMate

/// What became of a todo, or which todos were removed of late, in place of the board; one of the changes has the keys.
struct BoardPast: Equatable {
    let uid: String
    /// Nil for the removals.
    let id: String?
    /// Nil until it is read.
    private(set) var history: TodoHistory?
    private(set) var problem: TodoError?
    private(set) var selected = 0
    private var isReading = true

    init(of uid: String, id: String?) { (self.uid, self.id) = (uid, id) }

    /// The change that has the keys.
    var entry: TodoHistory.Entry? {
        guard let entries = history?.entries, entries.indices.contains(selected) else { return nil }
        return entries[selected]
    }

    /// Walks through the changes.
    ///
    /// - Returns: the change to read on before, at the end of what was read.
    mutating func walk(by count: Int) -> ChangeID? {
        guard let history, !history.entries.isEmpty else { return nil }
        let last = history.entries.count - 1
        selected = selected.walked(by: count, of: history.entries.count)
        guard selected == last, history.hasMore, !isReading else { return nil }
        isReading = true
        return history.entries[last].id
    }

    /// Takes what was read.
    mutating func take(_ answer: Result<TodoHistory, TodoError>) {
        isReading = false
        switch answer {
        case .success(let part):
            problem = nil
            guard var known = history else {
                history = part
                return
            }
            // A todo that was removed twice comes again with its older removal.
            let seen = id == nil ? Set(known.entries.map(\.todo.id)) : []
            known.entries += part.entries.filter { !seen.contains($0.todo.id) }
            (known.since, known.reach, known.hasMore) = (part.since, part.reach, part.hasMore)
            history = known
        case .failure(let error):
            problem = error
            // What is known stays; it does not go on from there.
            history?.hasMore = false
        }
    }

    /// Title, changes and what the todo was after the one with the keys, in at most `height` lines.
    func lines(width: Int, height: Int, _ content: BoardContent, _ language: BoardLanguage) -> [ScreenLine] {
        let words = language.words
        let named = history?.todo ?? history?.entries.first?.todo ?? content.todo(id ?? "", of: uid)
        let title = id == nil ? words.removedTitle : words.historyTitle(words.short(named?.name ?? id ?? ""))
        var lines = [ScreenLine(title.truncated(toWidth: width), .bold, .here)]
        if let problem {
            lines.append(ScreenLine(words.unread(problem).truncated(toWidth: width), .bold, .trouble))
        }
        guard let history else {
            if problem == nil { lines.append(ScreenLine(words.loading, .dim)) }
            return lines
        }
        let ending = reachLines(history, width: width, language)
        let state = entry.map { stateLines($0, width: width, content, language) } ?? []
        let room = max(height - lines.count - ending.count, 1)
        // The changes get half of the room at least, and what the state leaves.
        let listRoom = min(history.entries.count, max(room / 2, room - state.count - 1))
        lines += rows(history, width: width, height: listRoom, content, language)
        let rest = height - lines.count - ending.count - 1
        if rest > 0, !state.isEmpty {
            lines.append(ScreenLine(String(repeating: "─", count: width), .dim))
            lines += state.prefix(rest)
        }
        return lines + ending
    }

    private func rows(
        _ history: TodoHistory,
        width: Int,
        height: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        let start = min(max(selected - height / 2, 0), max(history.entries.count - height, 0))
        return history.entries.indices.dropFirst(start).prefix(height).map { index in
            let isSelected = index == selected
            let held: [TextStyle] = isSelected ? [.reverse] : []
            var line = ScreenLine()
            if isSelected { line.add(String(repeating: " ", count: width), at: 0, held) }
            if isSelected { line.add("▸", at: 0, held + [.bold]) }
            let time = language.time(history.entries[index].at)
            line.add(time.truncated(toWidth: width - 2), at: 2, held + [.dim])
            let column = time.displayWidth + 4
            if column < width {
                line.add(what(history, index, content, language).truncated(toWidth: width - column), at: column, held)
            }
            return line
        }
    }

    private func what(
        _ history: TodoHistory,
        _ index: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> String {
        if id == nil { return history.entries[index].todo.name }
        return history.what(at: index, language.words) { language.name($0, today: content.today) }
    }

    private func stateLines(
        _ entry: TodoHistory.Entry,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        let todo = entry.todo
        var status = ScreenLine()
        status.add(todo.status.mark, at: 0, todo.status.markStyles)
        let facts = [
            language.words.status(todo.status), language.name(todo.date, today: content.today),
            todo.time?.description, language.words.visibility(todo.visibility),
            entry.device.map(language.words.device),
        ].compactMap(\.self)
        status.add(facts.joined(separator: " · ").truncated(toWidth: width - 2), at: 2)
        let detail = todo.detail.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            String($0).sanitized().folded(toWidth: width)
        }
        return todo.name.folded(toWidth: width).map { ScreenLine($0, .bold) } + [status]
            + detail.map { ScreenLine($0) }
    }

    private func reachLines(_ history: TodoHistory, width: Int, _ language: BoardLanguage) -> [ScreenLine] {
        guard !history.hasMore else { return [] }
        let text = history.reachText(language.words) { language.time($0) }
        let nothing =
            history.entries.isEmpty ? [id == nil ? language.words.nothingRemoved : language.words.nothingKnown] : []
        return (nothing + [text]).flatMap { $0.folded(toWidth: width) }.map { ScreenLine($0, .dim) }
    }
}

extension BoardState {
    /// Obeys a key while the past is shown.
    mutating func turn(_ past: BoardPast, _ command: BoardCommand) -> [BoardEffect] {
        if let stride = command.stride {
            var past = past
            let before = past.walk(by: stride)
            mode = .past(past)
            return before.map { [.read(past, before: $0)] } ?? []
        }
        switch command {
        case .leave, .help, .quit:
            mode = .board
            return []
        case .open, .history:
            guard past.id == nil, let todo = past.entry?.todo else { return [] }
            return look(at: BoardPast(of: past.uid, id: todo.id))
        case .bringBack: return bringBack(past)
        default: return []
        }
    }

    /// Shows the past in place of the board, as soon as it is read.
    mutating func look(at past: BoardPast) -> [BoardEffect] {
        mode = .past(past)
        return [.read(past, before: nil)]
    }

    /// Takes what was read, if it is still wanted.
    mutating func read(_ answer: Result<TodoHistory, TodoError>, of past: BoardPast) {
        guard case .past(var shown) = mode, shown.uid == past.uid, shown.id == past.id else { return }
        shown.take(answer)
        mode = .past(shown)
    }

    /// Makes the todo what it was after the change that has the keys.
    private mutating func bringBack(_ past: BoardPast) -> [BoardEffect] {
        guard let entry = past.entry else { return [] }
        let now = past.history?.todo
        mode = .board
        notice = .broughtBack(entry.todo.content)
        let change: BoardWrite.Change =
            switch TodoReturn(to: entry.todo, from: now) {
            case .add(let draft): .add(draft)
            case .update(let patch, let revision): .patch(patch, expecting: revision)
            }
        return write(change, id: entry.todo.id, uid: past.uid, before: now, isReturn: true)
    }
}
