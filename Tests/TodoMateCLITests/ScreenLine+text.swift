import TerminalUI

@testable import TodoMateCLI

extension ScreenLine {
    /// The row as a terminal shows it: each text at its column, later ones over earlier ones.
    var text: String {
        // A wide character fills its first cell; the second one is empty.
        var cells: [String] = []
        for span in spans {
            var column = span.column
            for character in span.text {
                let width = character.displayWidth
                while cells.count < column + width { cells.append(" ") }
                cells[column] = String(character)
                for next in column + 1..<max(column + width, column + 1) { cells[next] = "" }
                column += width
            }
        }
        while cells.last == " " { cells.removeLast() }
        return cells.joined()
    }

    /// The column behind the last text.
    var width: Int { spans.map { $0.column + $0.text.displayWidth }.max() ?? 0 }
}
