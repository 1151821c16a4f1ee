import TerminalUI
import TodoMate

/// One user's list of the day shown, as lines of a screen.
struct TodayColumn {
    var person: PublicPerson
    var day: CalendarDate
    var today: CalendarDate
    var todos: [Todo]
    var phase: ViewModelPhase
    var isFiltered = false
    /// Whether it is read-only.
    var isReadOnly = false
    /// The todo that keys act on.
    var selected: Int?
    /// Whether keys act on this list.
    var isFocused = true
    /// Whether there are other lists.
    var isOneOfSeveral = false
    var language: BoardLanguage

    /// Name, day and progress.
    static let headHeight = 3

    /// The column in exactly `height` lines of at most `width` columns.
    func lines(width: Int, height: Int) -> [ScreenLine] {
        var lines = head(width: width)
        if case .failed(let error) = phase, !todos.isEmpty {
            let text = language.words.notCurrent(error.description.sanitized())
            lines.append(ScreenLine(text.truncated(toWidth: width), .bold, .trouble))
        }
        let room = height - lines.count
        if todos.isEmpty {
            lines += [].beside(emptyNote.folded(toWidth: width - 1).map { ScreenLine($0, .dim) }, at: 1)
        } else if room > 0 {
            lines += rows(width: width, height: room)
        }
        return lines.fitted(toHeight: height)
    }

    private func head(width: Int) -> [ScreenLine] {
        // Above the marks, which stand behind the sign of the selected todo.
        let room = width - 1
        let done = todos.count { $0.status == .complete }
        let count = todos.isEmpty ? "" : language.words.done(done, of: todos.count)
        let nameRoom = room - count.displayWidth - 2
        // In a narrow list the name counts more than the numbers, which the line below shows as well.
        let hasCount = nameRoom >= min(person.label.displayWidth, person.name == nil ? 8 : 24)
        let look: [TextStyle] = !isOneOfSeveral ? [.bold, .here] : isFocused ? [.bold, .here, .underline] : [.dim]
        var name = ScreenLine()
        name.add(person.label(within: hasCount ? nameRoom : room), at: 1, look)
        if hasCount { name.add(count, at: width - count.displayWidth, [.dim]) }

        var date = ScreenLine()
        let near = language.nearName(day, today: today).map { $0.truncated(toWidth: room) } ?? ""
        date.add(near, at: 1, day == today ? [.bold] : [])
        let column = near.isEmpty ? 1 : near.displayWidth + 3
        let long = language.long(day)
        let written = long.displayWidth <= width - column ? long : language.short(day)
        date.add(written.truncated(toWidth: width - column), at: column, near.isEmpty ? [.bold] : [.dim])

        // How much is done, as the thick part of the rule.
        let part = todos.isEmpty ? 0 : width * done / todos.count
        var rule = ScreenLine(String(repeating: "━", count: part), .done)
        rule.add(String(repeating: "─", count: width - part), at: part, [.dim])
        return [name, date, rule]
    }

    private var emptyNote: String {
        switch phase {
        case .loading: language.words.loading
        case .live where isFiltered: language.words.nothingMatches
        case .live: day == today && !isReadOnly ? language.words.nothingToday : language.words.nothingThatDay
        case .failed(let error): error.description.sanitized()
        }
    }

    /// As many todos as there is room for, around the selected one, with notes of how many are left out.
    private func rows(width: Int, height: Int) -> [ScreenLine] {
        guard todos.count > height else { return todos.indices.map { row($0, width: width) } }
        let start = min(max((selected ?? 0) - height / 2, 0), todos.count - height)
        var rows = (start..<start + height).map { row($0, width: width) }
        // The selected todo itself is never the one that makes room.
        if start > 0, selected != start {
            rows[0] = ScreenLine("   ↑ \(language.words.more(start + 1))".truncated(toWidth: width), .dim)
        }
        let rest = todos.count - start - height
        if rest > 0, selected != start + height - 1 {
            rows[height - 1] = ScreenLine("   ↓ \(language.words.more(rest + 1))".truncated(toWidth: width), .dim)
        }
        return rows
    }

    private func row(_ index: Int, width: Int) -> ScreenLine {
        let todo = todos[index]
        let isSelected = index == selected && isFocused
        let held: [TextStyle] = isSelected ? [.reverse] : []
        var line = ScreenLine()
        if isSelected { line.add(String(repeating: " ", count: width), at: 0, held) }
        if isSelected { line.add("▸", at: 0, held + [.bold]) }
        line.add(todo.status.mark, at: 1, held + todo.status.markStyles)
        let hasNote = !todo.detail.isEmpty
        // Where a terminal takes the marks for two columns wide, there is room for that.
        line.add(
            todo.content.sanitized().truncated(toWidth: width - (hasNote ? 5 : 3)),
            at: 3,
            held + todo.status.textStyles
        )
        if hasNote { line.add("≡", at: width - 1, held + [.dim]) }
        return line
    }
}

extension TodoStatus {
    /// One character for the status.
    var mark: String {
        switch self {
        case .todo: "○"
        case .inProgress: "◐"
        case .complete: "●"
        case .incomplete: "×"
        }
    }

    /// How the mark looks.
    var markStyles: [TextStyle] {
        switch self {
        case .todo: []
        case .inProgress: [.bold, .underWay]
        case .complete: [.done]
        case .incomplete: [.givenUp]
        }
    }

    /// How the words of such a todo look.
    var textStyles: [TextStyle] {
        switch self {
        case .todo: []
        case .inProgress: [.bold]
        case .complete: [.dim]
        case .incomplete: [.dim, .strikethrough]
        }
    }
}
