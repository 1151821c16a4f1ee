import TodoMate

/// What can be read in place of the board.
enum BoardPage: Equatable {
    /// The keys and the signs.
    case help
    /// All of one todo.
    case todo(id: String, uid: String)

    /// The whole page, as many lines as it has, at most `width` columns wide.
    func lines(width: Int, _ content: BoardContent, _ language: BoardLanguage) -> [ScreenLine] {
        switch self {
        case .help: Self.help(width: width, language.words)
        case .todo(let id, let uid):
            content.todo(id, of: uid).map { Self.todo($0, width: width, content, language) } ?? []
        }
    }

    private static func help(width: Int, _ words: any BoardWords) -> [ScreenLine] {
        let keys = BoardKeymap.help.map { (term: $0.keys, text: words.help($0.command)) }
        let note = (term: "≡", text: words.hasNote)
        let signs = TodoStatus.allCases.map { (term: $0.mark, text: words.status($0)) } + [note]
        guard width >= 100 else {
            return list(words.helpTitle, keys, width: width) + [ScreenLine()]
                + list(words.statusTitle, signs, width: width)
        }
        // Beside one another where there is room.
        let half = width * 3 / 5
        return list(words.helpTitle, keys, width: half)
            .beside(list(words.statusTitle, signs, width: width - half - 2), at: half + 2)
    }

    private static func list(_ title: String, _ entries: [(term: String, text: String)], width: Int) -> [ScreenLine] {
        let column = (entries.map(\.term.displayWidth).max() ?? 0) + 2
        return [ScreenLine(title.truncated(toWidth: width), .bold)]
            + entries.map { entry in
                var line = ScreenLine(entry.term, .here)
                line.add(entry.text.truncated(toWidth: width - column), at: column)
                return line
            }
    }

    private static func todo(
        _ todo: Todo,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        let words = language.words
        var status = ScreenLine()
        status.add(todo.status.mark, at: 0, todo.status.markStyles)
        let day = language.name(todo.date, today: content.today)
        status.add("\(words.status(todo.status)) · \(day) · \(todo.uid)".truncated(toWidth: width - 2), at: 2)
        var lines = todo.content.sanitized().folded(toWidth: width).map { ScreenLine($0, .bold) }
        lines += [status, ScreenLine()]
        for paragraph in todo.detail.split(separator: "\n", omittingEmptySubsequences: false) {
            let rows = String(paragraph).sanitized().folded(toWidth: width)
            lines += rows.isEmpty ? [ScreenLine()] : rows.map { ScreenLine($0) }
        }
        if !todo.detail.isEmpty { lines.append(ScreenLine()) }
        for text in [words.added(language.time(todo.createdAt)), words.changed(language.time(todo.updatedAt))] {
            lines.append(ScreenLine(text.truncated(toWidth: width), .dim))
        }
        return lines
    }
}
