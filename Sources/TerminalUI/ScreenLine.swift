/// One row of the screen: texts at columns, each in its styles; later ones stand over earlier ones.
///
/// Each part is put at a column of its own rather than behind spaces: a terminal that takes an emoji for wider or narrower than
/// it is measured here shifts the rest of that part and nothing else.
public struct ScreenLine: Equatable, Sendable {
    /// A text somewhere in the row.
    public struct Span: Equatable, Sendable {
        /// Where it begins, 0 at the left.
        public var column: Int
        /// What stands there; the painter shows none of its control characters.
        public var text: String
        /// How it looks.
        public var styles: [TextStyle]
    }

    /// The texts, in the order in which they are drawn.
    public private(set) var spans: [Span] = []

    /// A row with one text at its left edge.
    public init(_ text: String = "", _ styles: TextStyle...) {
        add(text, at: 0, styles)
    }

    /// Puts a text at a column.
    public mutating func add(_ text: String, at column: Int, _ styles: [TextStyle] = []) {
        if !text.isEmpty { spans.append(Span(column: column, text: text, styles: styles)) }
    }

    /// Puts all of another row beginning at a column.
    public mutating func add(_ line: ScreenLine, at column: Int) {
        spans += line.spans.map { Span(column: $0.column + column, text: $0.text, styles: $0.styles) }
    }
}

extension [ScreenLine] {
    /// These rows cut or filled up to `height`.
    public func fitted(toHeight height: Int) -> [ScreenLine] {
        prefix(Swift.max(height, 0)) + Array(repeating: ScreenLine(), count: Swift.max(height - count, 0))
    }

    /// These rows and, beginning at a column, those of another part of the screen.
    public func beside(_ others: [ScreenLine], at column: Int) -> [ScreenLine] {
        var rows = fitted(toHeight: Swift.max(count, others.count))
        for (row, other) in others.enumerated() { rows[row].add(other, at: column) }
        return rows
    }
}
