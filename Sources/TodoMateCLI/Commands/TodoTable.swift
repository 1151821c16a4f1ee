import TerminalUI
import TodoMate

/// Todos for a terminal: day by day and by their goals, each with a mark, its text and as much of its id as identifies it.
struct TodoTable {
    /// In list order.
    let todos: [Todo]
    /// What they may be for, in list order.
    var goals: [Goal] = []
    let today: CalendarDate
    let width: Int
    let style: StyleSupport
    var language = BoardLanguage()

    private var words: any BoardWords { language.words }
    /// Shorter ones would soon be those of several todos.
    private static let shortestID = 6

    /// The lines, with line feeds.
    var text: String {
        guard !todos.isEmpty else { return style.apply(.dim, to: words.nothingListed) + "\n" }
        let (todos, headings) = byGoals
        let ids = shortIDs(of: todos)
        let column = ids.map(\.count).max() ?? 0
        var lines: [String] = []
        var day: CalendarDate?
        for (index, (todo, id)) in zip(todos, ids).enumerated() {
            if todo.date != day {
                if day != nil { lines.append("") }
                day = todo.date
                lines.append(style.apply(.bold, to: title(of: todo.date)))
            }
            if let heading = headings[index] { lines.append("  " + heading) }
            lines.append("  " + line(todo, id.padded(toWidth: column)))
        }
        let (done, count) = (todos.count { $0.status == .complete }, todos.count { !$0.isNote })
        if count > 0 { lines += ["", style.apply(.dim, to: words.done(done, of: count))] }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The todos of each day by goals, its note last, and what stands above the first of each goal.
    private var byGoals: (todos: [Todo], headings: [Int: String]) {
        let groups = GoalGroups(goals)
        var (ordered, headings): ([Todo], [Int: String]) = ([], [:])
        var rest = todos.withNotesLast[...]
        while let day = rest.first?.date {
            let ofDay = rest.prefix { $0.date == day }
            rest = rest.dropFirst(ofDay.count)
            let todos = groups.ordered(ofDay.filter { !$0.isNote })
            for index in groups.beginnings(in: todos) {
                let name = groups.goal(of: todos[index])?.name.sanitized()
                headings[ordered.count + index] =
                    name.map { style.apply(.bold, to: $0) } ?? style.apply(.dim, to: words.noGoal)
            }
            ordered += todos + ofDay.filter(\.isNote)
        }
        return (ordered, headings)
    }

    private func line(_ todo: Todo, _ id: String) -> String {
        let room = max(width - id.count - 6, 10)
        let seen =
            (todo.isUnmade ? "  ↻" : "") + (todo.visibility == .private ? "  (\(words.visibility(.private)))" : "")
        let more = (todo.detail.isEmpty || todo.isNote ? "" : " ≡") + seen + todo.reactionCounts
        let content = todo.timedContent
        let left = max(room - more.displayWidth, 1)
        let text = (content.displayWidth <= left ? content : content.fitted(toWidth: left)) + more
        guard !todo.isNote else { return "\(style.apply(.dim, to: id))    \(text)" }
        let styled =
            switch todo.status {
            case .todo: text
            case .inProgress: style.apply(.color(.yellow), to: text)
            case .complete: style.apply(.dim, .color(.green), to: text)
            case .incomplete: style.apply(.dim, .strikethrough, to: text)
            }
        return "\(style.apply(.dim, to: id))  \(todo.status.mark) \(styled)"
    }

    private func title(of day: CalendarDate) -> String {
        let near = language.nearName(day, today: today).map { " · " + $0.lowercased() }
        return language.long(day, today: today) + (near ?? "")
    }

    /// The beginning of each id, long enough that no other todo here has it; short ids whole, as `remove` wants them.
    private func shortIDs(of todos: [Todo]) -> [String] {
        let sorted = todos.map(\.id).sorted()
        var needed: [String: Int] = [:]
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            let common = zip(left, right).prefix { $0 == $1 }.count
            for id in [left, right] { needed[id] = max(needed[id] ?? 0, common + 1) }
        }
        return todos.map { todo in
            // Those of one routine differ at their ends.
            guard todo.id.count >= Todo.longID, !todo.isUnmade else { return todo.id }
            return String(todo.id.prefix(max(needed[todo.id] ?? 0, Self.shortestID)))
        }
    }
}
