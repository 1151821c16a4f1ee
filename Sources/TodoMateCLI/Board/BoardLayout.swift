import TodoMate

/// Lays lists and calendar out on a screen.
struct BoardLayout {
    var columns: [TodayColumn]
    /// Shown when there is one user alone.
    var month: MonthPage?
    /// What the last line says.
    var status: String

    /// A list narrower than this cannot be read.
    private static let narrowest = 20
    /// Calendar and list stand side by side from this width on.
    private static let wide = 72
    private static let gap = 2

    /// The whole screen.
    func lines(_ size: TerminalSize, style: StyleSupport) -> [String] {
        let height = max(size.rows - 1, 1)
        return body(width: size.columns, height: height, style: style)
            + [style.apply(.dim, to: (hiddenNote(size) + status.sanitized()).fitted(toWidth: size.columns))]
    }

    private func body(width: Int, height: Int, style: StyleSupport) -> [String] {
        guard let month, let list = columns.first else {
            return sideBySide(columns, width: width, height: height, style: style)
        }
        guard width >= Self.wide else {
            let listHeight = min(max(list.todos.count + 3, 5), height / 2)
            return list.lines(width: width, height: listHeight, style: style)
                + month.lines(width: width, height: height - listHeight, style: style)
        }
        let listWidth = width * 2 / 5
        let calendar = month.lines(width: width - listWidth - Self.gap, height: height, style: style)
        return zip(list.lines(width: listWidth, height: height, style: style), calendar).map {
            $0 + String(repeating: " ", count: Self.gap) + $1
        }
    }

    private static func fitting(_ width: Int) -> Int { max((width + gap) / (narrowest + gap), 1) }

    /// Says that there are lists for which the screen is too narrow.
    private func hiddenNote(_ size: TerminalSize) -> String {
        let hidden = month == nil ? columns.count - Self.fitting(size.columns) : 0
        return hidden > 0 ? "\(hidden) more do not fit: widen the window · " : ""
    }

    /// As many lists as can be read, one a user.
    private func sideBySide(_ lists: [TodayColumn], width: Int, height: Int, style: StyleSupport) -> [String] {
        let shown = lists.prefix(Self.fitting(width))
        guard !shown.isEmpty else { return [] }
        let listWidth = (width + Self.gap) / shown.count - Self.gap
        let texts = shown.map { $0.lines(width: listWidth, height: height, style: style) }
        return (0..<height).map { row in
            texts.map { $0[row] }.joined(separator: String(repeating: " ", count: Self.gap))
        }
    }
}
