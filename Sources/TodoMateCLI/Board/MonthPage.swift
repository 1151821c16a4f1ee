import TodoMate

/// One user's month, as a calendar of text.
struct MonthPage {
    var month: CalendarMonth
    var cells: [TodosInMonthViewModel.Cell]
    var today: CalendarDate

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// The page in exactly `height` lines of exactly `width` columns.
    func lines(width: Int, height: Int, style: StyleSupport) -> [String] {
        let cell = max(width / 7, 3)
        // Six weeks below title, rule and weekdays; what room is left over shows todos.
        let rowHeight = max((height - 3) / 6, 1)
        let weekdays = cells.prefix(7).map { Self.weekdays[$0.date.weekday].fitted(toWidth: cell) }.joined()
        var lines = [
            style.apply(.bold, to: month.description.fitted(toWidth: width)),
            style.apply(.dim, to: String(repeating: "─", count: width)),
            style.apply(.dim, to: weekdays.fitted(toWidth: width)),
        ]
        for week in 0..<6 {
            let days = cells.dropFirst(week * 7).prefix(7)
            for row in 0..<rowHeight {
                let parts = days.map { text(of: $0, row: row, rows: rowHeight, width: cell, style: style) }
                lines.append(parts.joined() + String(repeating: " ", count: max(width - cell * 7, 0)))
            }
        }
        return lines.cropped(to: height, width: width)
    }

    /// Row 0 is the day and how many todos it has; the rows below show the first of them.
    private func text(
        of cell: TodosInMonthViewModel.Cell,
        row: Int,
        rows: Int,
        width: Int,
        style: StyleSupport
    ) -> String {
        guard row > 0 else {
            let count = cell.todos.isEmpty ? "" : " •\(cell.todos.count)"
            let text = "\(cell.date.day)\(count)".fitted(toWidth: width - 1)
            if cell.date == today { return style.apply(.bold, .reverse, to: text) + " " }
            return (cell.isInMonth ? text : style.apply(.dim, to: text)) + " "
        }
        guard row <= cell.todos.count else { return String(repeating: " ", count: width) }
        let todo = cell.todos[row - 1]
        if row == rows - 1, cell.todos.count > row {
            return style.apply(.dim, to: "+\(cell.todos.count - row + 1)".fitted(toWidth: width - 1)) + " "
        }
        let text = "\(todo.status.mark)\(todo.content.sanitized())".fitted(toWidth: width - 1)
        return (todo.status == .complete ? style.apply(.dim, to: text) : text) + " "
    }
}
