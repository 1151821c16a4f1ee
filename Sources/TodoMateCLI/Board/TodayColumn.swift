import TodoMate

/// One user's list of today, as lines of text.
struct TodayColumn {
    var uid: String
    var date: CalendarDate
    var todos: [Todo]
    var phase: ViewModelPhase

    /// The column in exactly `height` lines of exactly `width` columns.
    func lines(width: Int, height: Int, style: StyleSupport) -> [String] {
        let done = todos.count { $0.status == .complete }
        let title = "\(uid) · \(date) · \(done)/\(todos.count)"
        var lines = [
            style.apply(.bold, to: title.fitted(toWidth: width)),
            style.apply(.dim, to: String(repeating: "─", count: width)),
        ]
        if case .failed = phase, !todos.isEmpty {
            lines.append(style.apply(.bold, to: ("not current: " + emptyNote).fitted(toWidth: width)))
        }
        lines += todos.map { $0.boardLine(width: width, style: style) }
        if todos.isEmpty { lines.append(style.apply(.dim, to: emptyNote.fitted(toWidth: width))) }
        return lines.cropped(to: height, width: width)
    }

    private var emptyNote: String {
        switch phase {
        case .loading: "loading …"
        case .live: "nothing to do"
        case .failed(let error): error.description.sanitized()
        }
    }
}

extension Todo {
    /// A mark for the status, and the content.
    fileprivate func boardLine(width: Int, style: StyleSupport) -> String {
        let text = "\(status.mark) \(content.sanitized())".fitted(toWidth: width)
        return switch status {
        case .todo: text
        case .inProgress: style.apply(.color(.yellow), to: text)
        case .complete: style.apply(.dim, .color(.green), to: text)
        case .incomplete: style.apply(.dim, to: text)
        }
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
}

extension [String] {
    /// Exactly `height` lines: the first ones, with a note of how many are left out, or filled up with empty ones.
    func cropped(to height: Int, width: Int) -> [String] {
        guard count > height else {
            return self + repeatElement(String(repeating: " ", count: width), count: height - count)
        }
        guard height > 0 else { return [] }
        return prefix(height - 1) + ["… \(count - height + 1) more".fitted(toWidth: width)]
    }
}
