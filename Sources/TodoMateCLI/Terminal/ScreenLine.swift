/// One row of the screen: texts at columns, each in its styles; later ones stand over earlier ones.
///
/// Each part is put at a column of its own rather than behind spaces: a terminal that takes an emoji for wider or narrower than
/// it is measured here shifts the rest of that part and nothing else.
struct ScreenLine: Equatable, Sendable {
    /// A text somewhere in the row.
    struct Span: Equatable, Sendable {
        var column: Int
        var text: String
        var styles: [TextStyle]
    }

    private(set) var spans: [Span] = []

    /// A row with one text at its left edge.
    init(_ text: String = "", _ styles: TextStyle...) {
        add(text, at: 0, styles)
    }

    /// Puts a text at a column.
    mutating func add(_ text: String, at column: Int, _ styles: [TextStyle] = []) {
        if !text.isEmpty { spans.append(Span(column: column, text: text, styles: styles)) }
    }

    /// Puts all of another row beginning at a column.
    mutating func add(_ line: ScreenLine, at column: Int) {
        spans += line.spans.map { Span(column: $0.column + column, text: $0.text, styles: $0.styles) }
    }
}

extension [ScreenLine] {
    /// These rows cut or filled up to `height`.
    func fitted(toHeight height: Int) -> [ScreenLine] {
        prefix(Swift.max(height, 0)) + Array(repeating: ScreenLine(), count: Swift.max(height - count, 0))
    }

    /// These rows and, beginning at a column, those of another part of the screen.
    func beside(_ others: [ScreenLine], at column: Int) -> [ScreenLine] {
        var rows = fitted(toHeight: Swift.max(count, others.count))
        for (row, other) in others.enumerated() { rows[row].add(other, at: column) }
        return rows
    }
}
