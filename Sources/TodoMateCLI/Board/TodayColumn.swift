import TerminalUI
import TodoMate

/// One user's list of the day shown, as lines of a screen.
struct TodayColumn {
    var person: PublicPerson
    var day: CalendarDate
    var today: CalendarDate
    var todos: [Todo]
    /// What is unfinished from earlier days, which stands above them.
    var earlier: [Todo] = []
    /// How many of those there are, more than are listed where they are many.
    var earlierCount = 0
    /// What the todos may be for.
    var goals: [Goal] = []
    /// Whether those of the day stand by goals.
    var isByGoal = false
    /// The ids of those that were only published.
    var onlyShown: Set<String> = []
    /// What is written about the day, which stands below them.
    var note: Todo?
    var phase: ViewModelPhase
    var isFiltered = false
    /// Whether it is read-only.
    var isReadOnly = false
    /// The todo that keys act on, counted from the first one from earlier.
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
            let text = language.words.notCurrent(language.words.unread(error))
            lines.append(ScreenLine(text.truncated(toWidth: width), .bold, .trouble))
        }
        let room = height - lines.count
        let note = noteRows(width: width, height: room / 2)
        if room > 0 { lines += rows(width: width, height: room - note.count) + note }
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
        let long = language.long(day, today: today)
        let written = long.displayWidth <= width - column ? long : language.short(day, today: today)
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
        case .failed(let error): language.words.unread(error)
        }
    }

    /// What stands in one line below the head.
    private enum Entry: Equatable {
        case heading(String)
        /// What those below it are for.
        case group(Goal?)
        case note(String)
        /// By its place among all todos, those from earlier first.
        case todo(Int)
    }

    private func entries(width: Int) -> [Entry] {
        let notes = todos.isEmpty ? emptyNote.folded(toWidth: width - 1).map { Entry.note($0) } : []
        let groups = GoalGroups(goals)
        let beginnings = isByGoal ? Set(groups.beginnings(in: todos)) : []
        let days =
            notes
            + todos.indices.flatMap { index -> [Entry] in
                let row = Entry.todo(earlier.count + index)
                guard beginnings.contains(index) else { return [row] }
                return [.group(groups.goal(of: todos[index])), row]
            }
        guard !earlier.isEmpty else { return days }
        let words = language.words
        return [.heading(words.earlier(max(earlierCount, earlier.count)))] + earlier.indices.map { .todo($0) }
            + [.heading(words.today)] + days
    }

    /// As many entries as there is room for, around the selected todo, with notes of how many todos are left out.
    private func rows(width: Int, height: Int) -> [ScreenLine] {
        let entries = entries(width: width)
        guard entries.count > height else { return entries.map { line($0, width: width) } }
        let place = selected.flatMap { entries.firstIndex(of: .todo($0)) } ?? 0
        let start = min(max(place - height / 2, 0), entries.count - height)
        let shown = start..<start + height
        var rows = shown.map { line(entries[$0], width: width) }
        let todos = { (part: ArraySlice<Entry>) in part.count { if case .todo = $0 { true } else { false } } }
        // The selected todo itself is never the one that makes room.
        let above = todos(entries[...start])
        if start > 0, above > 0, place != start {
            rows[0] = ScreenLine("   ↑ \(language.words.more(above))".truncated(toWidth: width), .dim)
        }
        let below = todos(entries[(shown.upperBound - 1)...])
        if shown.upperBound < entries.count, below > 0, place != shown.upperBound - 1 {
            rows[height - 1] = ScreenLine("   ↓ \(language.words.more(below))".truncated(toWidth: width), .dim)
        }
        return rows
    }

    private func line(_ entry: Entry, width: Int) -> ScreenLine {
        switch entry {
        case .heading(let text): ScreenLine(" " + text.truncated(toWidth: width - 1), .bold, .underWay)
        case .group(let goal): heading(of: goal, width: width)
        case .note(let text): ScreenLine(" " + text, .dim)
        case .todo(let index): row(index, width: width)
        }
    }

    private func heading(of goal: Goal?, width: Int) -> ScreenLine {
        var line = ScreenLine()
        let name = goal?.name.sanitized() ?? language.words.noGoal
        line.add(" " + name.truncated(toWidth: width - 1), at: 0, [.bold] + (goal.map { [$0.color.style] } ?? []))
        return line
    }

    /// When a todo from earlier was for, as far as there is room for it.
    private func dayNote(_ todo: Todo, width: Int) -> String {
        let name = language.name(todo.date, today: today)
        if name.displayWidth + Self.narrowestWords <= width { return name }
        return width >= Self.narrowestWords + 5 ? String(todo.date.description.suffix(5)) : ""
    }

    /// Words with less room than this, mark and note included, do not say what they are about.
    private static let narrowestWords = 23

    private func row(_ index: Int, width: Int) -> ScreenLine {
        let isEarlier = index < earlier.count
        let todo = isEarlier ? earlier[index] : todos[index - earlier.count]
        let isSelected = index == selected && isFocused
        let held: [TextStyle] = isSelected ? [.reverse] : []
        var line = ScreenLine()
        if isSelected { line.add(String(repeating: " ", count: width), at: 0, held) }
        if isSelected { line.add("▸", at: 0, held + [.bold]) }
        line.add(todo.status.mark, at: 1, held + todo.status.markStyles)
        let note = todo.isUnmade ? "↻" : onlyShown.contains(todo.id) ? "◌" : todo.detail.isEmpty ? "" : "≡"
        let hasNote = !note.isEmpty
        let day = isEarlier ? dayNote(todo, width: width) : ""
        let dayRoom = day.isEmpty ? 0 : day.displayWidth + 1
        // Where a terminal takes the marks for two columns wide, there is room for that.
        let time = todo.time.map { "\($0) " } ?? ""
        line.add(
            time.truncated(toWidth: width - 3),
            at: 3,
            held + (todo.status.isOpen ? [.here] : todo.status.textStyles)
        )
        let column = 3 + time.displayWidth
        let words = todo.content.sanitized()
        let room = width - column - dayRoom - (hasNote ? 2 : 0)
        // Where todos stand by goals, the heading says it.
        let isSaid = isByGoal && !isEarlier
        let goal = isSaid ? nil : GoalGroups(goals).goal(of: todo)
        line.add(
            words.truncated(toWidth: room),
            at: column,
            held + todo.status.textStyles
        )
        // The words come first.
        if let goal, words.displayWidth + 4 <= room {
            let name = " #\(goal.name.sanitized())".truncated(toWidth: room - words.displayWidth)
            line.add(name, at: column + words.displayWidth, held + [goal.color.style])
        }
        line.add(day, at: width - day.displayWidth - (hasNote ? 2 : 0), held + [.dim])
        if hasNote { line.add(note, at: width - 1, held + [.dim]) }
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
