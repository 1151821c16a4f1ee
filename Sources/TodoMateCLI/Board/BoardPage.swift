import TerminalUI
import TodoMate

/// What can be read in place of the board.
enum BoardPage: Equatable {
    /// The keys and the signs.
    case help
    /// All of one todo.
    case todo(id: String, uid: String)
    /// What was finished of late.
    case week(uid: String)

    /// The whole page, as many lines as it has, at most `width` columns wide.
    func lines(width: Int, _ content: BoardContent, _ language: BoardLanguage) -> [ScreenLine] {
        switch self {
        case .help: Self.help(width: width, language.words)
        case .todo(let id, let uid):
            content.todo(id, of: uid).map { Self.todo($0, width: width, content, language) } ?? []
        case .week(let uid): Self.week(of: uid, width: width, content, language)
        }
    }

    /// The signs in a line or a few, and the keys, all of which a window of 80 by 24 shows.
    private static func help(width: Int, _ words: any BoardWords) -> [ScreenLine] {
        var signs = [ScreenLine()]
        var column = 0
        for (mark, look, text) in TodoStatus.allCases.map({ ($0.mark, $0.markStyles, words.status($0)) })
            + [("≡", [.dim], words.hasNote), ("↻", [.dim], words.repeats), ("◌", [.dim], words.onlyShown)]
        {
            if column > 0, column + text.displayWidth + 2 > width {
                signs.append(ScreenLine())
                column = 0
            }
            signs[signs.count - 1].add(mark, at: column, look)
            signs[signs.count - 1].add(text.truncated(toWidth: width - column - 2), at: column + 2)
            column += text.displayWidth + 5
        }
        let keys = BoardKeymap.help.map { (keys: $0.keys, text: words.help($0.command)) }
        let textColumn = (keys.map(\.keys.displayWidth).max() ?? 0) + 2
        return signs + [ScreenLine()]
            + keys.map { entry in
                var line = ScreenLine(entry.keys, .bold, .here)
                line.add(entry.text.truncated(toWidth: width - textColumn), at: textColumn)
                return line
            }
    }

    private static func week(
        of uid: String,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        let who = content.users.count > 1 ? " · " + content.person(uid).label : ""
        let title = (language.words.weekTitle + who).truncated(toWidth: width)
        let lines = [ScreenLine(title, .bold, .here), ScreenLine()]
        guard let week = content.week else { return lines + [ScreenLine(language.words.loading, .dim)] }
        let goals = content.users.first { $0.uid == uid }?.goals ?? []
        return lines + WeekChart(week: week, goals: goals, today: content.today, language: language).lines(width: width)
    }

    /// How many reacted with what, and who, where that is known.
    private static func reactions(
        to todo: Todo,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        guard !todo.reactions.isEmpty else { return [] }
        guard let reactors = content.reactors else {
            let counts = todo.reactions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let text = counts.map { "\($0.key) \($0.value)" }.joined(separator: "  ")
            return [ScreenLine(text.truncated(toWidth: width)), ScreenLine()]
        }
        var emojis: [String] = []
        for reactor in reactors where emojis.last != reactor.emoji { emojis.append(reactor.emoji) }
        let rows = emojis.flatMap { emoji in
            let people = reactors.filter { $0.emoji == emoji }.map(\.person.label).joined(separator: ", ")
            return people.folded(toWidth: max(width - 4, 1)).enumerated().map { index, row in
                var line = ScreenLine(index == 0 ? emoji : "")
                line.add(row, at: 4)
                return line
            }
        }
        return rows.isEmpty ? [] : rows + [ScreenLine()]
    }

    private static func todo(
        _ todo: Todo,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        let words = language.words
        var status = ScreenLine()
        if !todo.isNote { status.add(todo.status.mark, at: 0, todo.status.markStyles) }
        let day = language.name(todo.date, today: content.today)
        let when = day + (todo.time.map { " \($0)" } ?? "")
        let facts = [
            todo.isNote ? words.dayNoteLabel : words.status(todo.status), when, content.person(todo.uid).label,
            words.visibility(todo.visibility),
            content.goal(of: todo).map { "#\($0.name.sanitized())" } ?? "",
            content.routine(of: todo).map {
                language.said($0.routine.rule, from: $0.routine.from, today: content.today)
            } ?? "",
            content.isOnlyShown(todo) ? words.onlyShown : "",
        ].filter { !$0.isEmpty }
        status.add(facts.joined(separator: " · ").truncated(toWidth: width - 2), at: 2)
        var lines = todo.content.sanitized().folded(toWidth: width).map { ScreenLine($0, .bold) }
        lines += [status, ScreenLine()]
        if !todo.detail.isEmpty {
            for paragraph in todo.detail.split(separator: "\n", omittingEmptySubsequences: false) {
                let rows = String(paragraph).sanitized().folded(toWidth: width)
                lines += rows.isEmpty ? [ScreenLine()] : rows.map { ScreenLine($0) }
            }
            lines.append(ScreenLine())
        }
        lines += reactions(to: todo, width: width, content, language)
        // Nobody has done anything with a routine's day yet.
        guard !todo.isUnmade, !content.isOnlyShown(todo) else { return lines }
        for text in [words.added(language.time(todo.createdAt)), words.changed(language.time(todo.updatedAt))] {
            lines.append(ScreenLine(text.truncated(toWidth: width), .dim))
        }
        return lines
    }
}
