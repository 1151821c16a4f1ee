import TerminalUI
import TodoMate

/// One user's month as a calendar, as lines of a screen.
struct MonthPage {
    var month: CalendarMonth
    /// Each day's todos, as far as they show.
    var todos: [CalendarDate: [Todo]]
    var today: CalendarDate
    /// The day whose list is shown.
    var day: CalendarDate
    /// Whose month it is, where there are several users.
    var person: PublicPerson?
    /// What the todos may be for, in list order.
    var goals: [Goal] = []
    var language: BoardLanguage

    /// Title, weekdays and a rule.
    static let headHeight = 3
    /// Narrower, days and their counts do not fit.
    static let narrowest = 42
    private static let widestCell = 16
    /// A day narrower than this has no room for words.
    private static let narrowestText = 9
    /// A day narrower than this has no room for a time before them.
    private static let narrowestTime = 14

    /// The page in exactly `height` lines of at most `width` columns.
    func lines(width: Int, height: Int) -> [ScreenLine] {
        let cell = max(min(width / 7, Self.widestCell), 3)
        var lines = head(width: min(cell * 7, width), cell: cell)
        let weeks = self.weeks
        let room = height - lines.count
        let rows = max(room / weeks.count, 1)
        // Where not all weeks fit, the one of the day shown does.
        let current = weeks.firstIndex { $0.contains(day) } ?? 0
        let first = max(min(current - room / 2, weeks.count - room), 0)
        for week in weeks.dropFirst(first) {
            for row in 0..<rows {
                var line = ScreenLine()
                for (index, date) in week.enumerated() {
                    line.add(square(date, row: row, rows: rows, width: cell), at: index * cell)
                }
                lines.append(line)
            }
        }
        return lines.fitted(toHeight: height)
    }

    /// The weeks that have days of the month.
    private var weeks: [[CalendarDate]] {
        let days = month.grid(firstWeekday: language.firstWeekday)
        return stride(from: 0, to: days.count, by: 7).map { Array(days[$0..<$0 + 7]) }
            .filter { $0.contains { month.days.contains($0) } }
    }

    private func head(width: Int, cell: Int) -> [ScreenLine] {
        let open = todos.values.joined().count { $0.isOpen }
        let count = open == 0 ? "" : language.words.open(open)
        let name = language.title(month)
        let who = person.map { " · " + $0.label(within: max(width - name.displayWidth - 4, 1)) } ?? ""
        let title = name + who
        var first = ScreenLine()
        first.add(title.truncated(toWidth: width - 1), at: 1, [.bold])
        if title.displayWidth + count.displayWidth + 3 <= width {
            first.add(count, at: width - count.displayWidth, [.dim])
        }
        var weekdays = ScreenLine()
        let names = language.weekdays
        for index in 0..<7 {
            let weekday = (index + language.firstWeekday) % 7
            weekdays.add(
                names[weekday].truncated(toWidth: cell - 2),
                at: index * cell + 1,
                weekday == 0 ? [.dim, .givenUp] : [.dim]
            )
        }
        return [first, weekdays, ScreenLine(String(repeating: "─", count: width), .dim)]
    }

    /// One line of a day: on the first its number and how many todos are open, below it the first of them.
    private func square(_ date: CalendarDate, row: Int, rows: Int, width: Int) -> ScreenLine {
        let todos = todos[date] ?? []
        guard month.days.contains(date) else {
            return row == 0 ? ScreenLine(number(date, width), .dim) : ScreenLine()
        }
        guard row > 0 else { return dayLine(date, todos, width: width) }
        guard row <= todos.count else { return ScreenLine() }
        guard width >= Self.narrowestText else { return row == 1 ? marks(of: todos, width: width - 1) : ScreenLine() }
        var line = ScreenLine()
        if row == rows - 1, row > 1, todos.count > row {
            line.add("+\(todos.count - row + 1)".truncated(toWidth: width - 2), at: 1, [.dim])
            return line
        }
        let todo = todos[row - 1]
        line.add(todo.status.mark, at: 1, markStyles(todo))
        // The words come first: a time that would leave no more than their beginning is left out.
        let time = width >= Self.narrowestTime ? todo.time.map { "\($0) " } ?? "" : ""
        line.add(time, at: 3, todo.status.isOpen ? [.here] : todo.status.textStyles)
        let words = todo.content.sanitized().truncated(toWidth: width - 4 - time.displayWidth)
        line.add(words, at: 3 + time.displayWidth, todo.status.textStyles)
        return line
    }

    /// Where there is no room for words: a mark for each todo.
    private func marks(of todos: [Todo], width: Int) -> ScreenLine {
        var line = ScreenLine()
        let shown = todos.count > width ? width - 1 : todos.count
        for (index, todo) in todos.prefix(shown).enumerated() {
            line.add(todo.status.mark, at: index + 1, markStyles(todo))
        }
        if shown < todos.count { line.add("+", at: shown + 1, [.dim]) }
        return line
    }

    /// The mark itself says the status: its colour is that of the goal, where there is one.
    private func markStyles(_ todo: Todo) -> [TextStyle] {
        guard let goal = GoalGroups(goals).goal(of: todo) else { return todo.status.markStyles }
        return (todo.status == .inProgress ? [.bold] : []) + [goal.color.style]
    }

    private func dayLine(_ date: CalendarDate, _ todos: [Todo], width: Int) -> ScreenLine {
        let held: [TextStyle] = date == day ? [.reverse] : []
        var line = ScreenLine()
        if date == day { line.add(String(repeating: " ", count: max(width - 1, 2)), at: 0, held) }
        let look: [TextStyle] =
            date == today ? [.bold, .here] : date.weekday == 0 ? [.givenUp] : []
        line.add(number(date, width), at: 0, held + look)
        let open = todos.count { $0.isOpen }
        let count = todos.isEmpty ? "" : open == 0 ? "✓" : "\(open)"
        // "[21]" and then the count, one column short of the next day.
        let room = width - 5
        let shown = count.displayWidth <= room ? count : room > 0 ? "+" : ""
        line.add(shown, at: width - 1 - shown.displayWidth, date == day ? held : open == 0 ? [.done] : [.underWay])
        return line
    }

    /// The number of a day; today's stands in brackets.
    private func number(_ date: CalendarDate, _ width: Int) -> String {
        let digits = "\(date.day)".padded(toWidth: 2, alignment: .trailing)
        guard width > 3 else { return digits }
        return date == today ? "[\(digits)]" : " \(digits)"
    }
}

extension Todo {
    /// Whether something is left to do about it.
    var isOpen: Bool { status == .todo || status == .inProgress }
}
