import TerminalUI
import TodoMate

/// Lays the board out on a screen: lists and calendar, or a page in their place, above the footer.
struct BoardLayout {
    var state: BoardState
    var content: BoardContent
    var footer: BoardFooter
    var language: BoardLanguage

    init(
        state: BoardState,
        content: BoardContent,
        connection: BoardFooter.Connection,
        hasKeys: Bool = true,
        language: BoardLanguage
    ) {
        self.state = state
        self.content = content
        self.language = language
        footer = BoardFooter(
            state: state,
            content: content,
            connection: connection,
            hasKeys: hasKeys,
            language: language
        )
    }

    /// A list narrower than this cannot be read.
    private static let narrowest = 24
    /// Where calendar and lists stand above one another, the lists get at least this height.
    private static let lowest = 6
    /// " │ "
    private static let gap = 3

    /// The whole screen, and where the cursor stands while something is being typed.
    func screen(_ size: TerminalSize) -> (lines: [ScreenLine], cursor: ScreenPainter.Position?) {
        let (bottom, column) = footer.lines(width: size.columns)
        let height = max(size.rows - bottom.count, 0)
        // In a window of one row, what is being typed is what is left.
        let rest = column == nil ? bottom.suffix(size.rows) : bottom.prefix(size.rows)
        let lines = body(width: size.columns, height: height).fitted(toHeight: height) + rest
        let cursor = column.map { ScreenPainter.Position(row: max(size.rows - bottom.count, 0), column: $0) }
        return (lines, cursor)
    }

    /// How far a page can be scrolled down.
    func lastScroll(of page: BoardPage, _ size: TerminalSize) -> Int {
        max(page.lines(width: size.columns - 2, content, language).count - (size.rows - BoardFooter.height), 0)
    }

    private func body(width: Int, height: Int) -> [ScreenLine] {
        if case .page(let page, let scroll) = state.mode {
            let lines = page.lines(width: width - 2, content, language).dropFirst(scroll)
            return [].beside(Array(lines), at: 1)
        }
        if case .past(let past) = state.mode {
            return [].beside(past.lines(width: width - 2, height: height, content, language), at: 1)
        }
        if case .unsent(let unsent) = state.mode {
            return [].beside(unsent.lines(width: width - 2, height: height, content, language), at: 1)
        }
        if case .found(let found) = state.mode {
            return [].beside(found.lines(width: width - 2, height: height, content, language), at: 1)
        }
        // The calendar gets what the lists leave, up to three fifths.
        let left = width - content.users.count * (Self.narrowest + Self.gap)
        if left >= MonthPage.narrowest {
            let calendarWidth = min(max(width * 3 / 5, MonthPage.narrowest), left) / 7 * 7
            let listWidth = width - calendarWidth - Self.gap
            return columns(
                [lists(width: listWidth, height: height), month(width: calendarWidth, height: height)],
                [listWidth]
            )
        }
        let weeks = height - MonthPage.headHeight - 6
        guard weeks >= Self.lowest else { return lists(width: width, height: height) }
        let longest = content.users.indices.map(length).max() ?? 0
        // A short list leaves more room to the calendar, which is at most as high as the list may be.
        let listHeight = min(max(longest + TodayColumn.headHeight + 1, Self.lowest), max(height / 2, weeks))
        return lists(width: width, height: listHeight) + month(width: width, height: height - listHeight)
    }

    /// How many lines a list would like to have below its head.
    private func length(of user: Int) -> Int {
        let headings = state.earlier(of: user, content).isEmpty ? 0 : 2
        let groups = state.isByGoal ? GoalGroups(content.users[user].goals) : GoalGroups([])
        let goals = groups.beginnings(in: state.dayTodos(of: user, content)).count
        let note = content.note(of: user, on: state.day(content)) == nil ? 0 : TodayColumn.noteHeight
        return state.todos(of: user, content).count + headings + goals + note
    }

    /// As many lists as can be read, the one with the keys among them.
    private func lists(width: Int, height: Int) -> [ScreenLine] {
        let fitting = min(max((width + Self.gap) / (Self.narrowest + Self.gap), 1), content.users.count)
        let first = min(max(state.user - fitting + 1, 0), content.users.count - fitting)
        let hidden = content.users.count - fitting
        // The first ones are a column wider where the width cannot be shared evenly.
        let (share, rest) = (width + Self.gap).quotientAndRemainder(dividingBy: fitting)
        let widths = (0..<fitting).map { share - Self.gap + ($0 < rest ? 1 : 0) }
        let columns = widths.enumerated().map { index, width in
            column(first + index, width: width, height: height - (hidden > 0 ? 1 : 0))
        }
        var lines = self.columns(columns, widths)
        if hidden > 0 {
            lines.append(ScreenLine(" " + language.words.moreLists(hidden).truncated(toWidth: width - 1), .dim))
        }
        return lines
    }

    private func column(_ user: Int, width: Int, height: Int) -> [ScreenLine] {
        let day = state.day(content)
        let todos = state.dayTodos(of: user, content)
        return TodayColumn(
            person: content.users[user].person,
            day: day,
            today: content.today,
            todos: todos,
            earlier: state.earlier(of: user, content),
            earlierCount: state.filter.isEmpty ? content.users[user].earlierCount : 0,
            goals: content.users[user].goals,
            isByGoal: state.isByGoal,
            onlyShown: Set(todos.lazy.filter(content.isOnlyShown).map(\.id)),
            note: content.note(of: user, on: day),
            phase: content.phase(of: user, on: day),
            isFiltered: !state.filter.isEmpty,
            isReadOnly: content.users[user].isReadOnly,
            selected: state.selectedIndex(of: user, content),
            isFocused: user == state.user,
            isOneOfSeveral: content.users.count > 1,
            language: language
        ).lines(width: width, height: height)
    }

    /// The month of the user whose list has the keys.
    private func month(width: Int, height: Int) -> [ScreenLine] {
        let day = state.day(content)
        let month = CalendarMonth(containing: day)
        var todos: [CalendarDate: [Todo]] = [:]
        for date in content.users[state.user].month.keys where month.days.contains(date) {
            todos[date] = content.todos(of: state.user, on: date, matching: state.filter)
        }
        return MonthPage(
            month: month,
            todos: todos,
            today: content.today,
            day: day,
            person: content.users.count > 1 ? content.users[state.user].person : nil,
            goals: content.users[state.user].goals,
            language: language
        ).lines(width: width, height: height)
    }

    /// Parts of the screen side by side, with a line between them.
    private func columns(_ parts: [[ScreenLine]], _ widths: [Int]) -> [ScreenLine] {
        var rows = parts.first ?? []
        var column = 0
        for (part, width) in zip(parts.dropFirst(), widths) {
            column += width
            // It crosses the rule below the heads.
            let line = part.indices.map { ScreenLine($0 == TodayColumn.headHeight - 1 ? "─┼─" : " │", .dim) }
            rows = rows.beside(line, at: column).beside(part, at: column + Self.gap)
            column += Self.gap
        }
        return rows
    }
}
