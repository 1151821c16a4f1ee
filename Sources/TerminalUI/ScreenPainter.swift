/// Shows a list of lines on a terminal and redraws it in place.
///
/// Between `open()` and `close()` the painter owns the alternate screen, with the cursor hidden. Each frame is one write
/// that holds only the rows that differ from the frame before; a frame that changes nothing writes nothing. Rows beyond the
/// height are left out, and columns beyond the width are cut off by the terminal. No control character of a text passes, so
/// a line can never move the cursor or wreck another line.
///
/// Curses would measure by the C library's locale, which knows neither families nor flags, and would own the process's signals.
public final class ScreenPainter {
    /// A cell of the screen, counted from 0 at the top left.
    public struct Position: Sendable, Equatable {
        /// The row, 0 at the top.
        public var row: Int
        /// The column, 0 at the left.
        public var column: Int

        /// Names a cell.
        public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
    }

    /// What restores the terminal, for a signal handler, which cannot use the painter.
    static let restoreSequence = synchronizedEnd + "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private static let openSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
    private static let synchronizedBegin = "\u{1B}[?2026h"
    private static let synchronizedEnd = "\u{1B}[?2026l"

    private let write: (String) -> Void
    private let styles: StyleSupport
    private var size: TerminalSize
    /// Whether the painter owns the screen.
    public private(set) var isOpen = false
    private var needsClear = true
    private var shown: [ScreenLine] = []
    private var shownCursor: Position?

    /// Makes a painter that is still closed.
    ///
    /// - Parameters:
    ///   - size: The size of the screen, to be kept up to date by `resize(to:)`.
    ///   - styles: The styles that the terminal shows.
    ///   - write: Takes what goes to the terminal.
    public init(size: TerminalSize, styles: StyleSupport, write: @escaping (String) -> Void) {
        self.size = size
        self.styles = styles
        self.write = write
    }

    deinit {
        if isOpen { write(Self.restoreSequence) }
    }

    /// Takes the screen over; the first frame follows with `draw`.
    public func open() {
        guard !isOpen else { return }
        isOpen = true
        invalidate()
        write(Self.openSequence)
    }

    /// Gives the terminal back as it was found; closing again does nothing.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        write(Self.restoreSequence)
    }

    /// Takes note of a new window size; the next frame is drawn whole.
    public func resize(to size: TerminalSize) {
        self.size = size
        invalidate()
    }

    /// Forgets what is on the screen, after something else has written to it; the next frame is drawn whole.
    public func invalidate() {
        needsClear = true
        shown = []
        shownCursor = nil
    }

    /// Shows the lines from the top row down, and below them nothing.
    ///
    /// - Parameters:
    ///   - lines: The rows of the screen.
    ///   - cursor: The cell in which the cursor shows, as for text that is being typed; hidden without one.
    public func draw(_ lines: [ScreenLine], cursor: Position? = nil) {
        guard isOpen else { return }
        let lines = Array(lines.prefix(size.rows))
        var frame = needsClear ? "\u{1B}[?25l\u{1B}[2J" : ""
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ScreenLine()
            let old = row < shown.count ? shown[row] : ScreenLine()
            // Cleared before it is written: in the last column the cursor would stand on the text that it clears.
            if line != old { frame += "\u{1B}[\(row + 1);1H\u{1B}[2K" + text(of: line) }
        }
        if !frame.isEmpty || cursor != shownCursor { frame += cursorSequence(cursor) }
        needsClear = false
        shown = lines
        shownCursor = cursor
        if !frame.isEmpty { write(Self.synchronizedBegin + frame + Self.synchronizedEnd) }
    }

    /// A row as the terminal takes it, each part at its column.
    private func text(of line: ScreenLine) -> String {
        line.spans.filter { $0.column < size.columns }
            .map { "\u{1B}[\($0.column + 1)G" + styles.apply($0.styles, to: $0.text.sanitized()) }
            .joined()
    }

    private func cursorSequence(_ cursor: Position?) -> String {
        guard let cursor else { return shownCursor == nil ? "" : "\u{1B}[?25l" }
        return "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H" + (shownCursor == nil ? "\u{1B}[?25h" : "")
    }
}
