import Testing

@testable import TerminalUI

@Suite("Screen painter")
struct ScreenPainterTests {
    let screen = FakeScreen(rows: 4)

    func painter() -> ScreenPainter {
        let screen = screen
        return ScreenPainter(size: TerminalSize(columns: 20, rows: 4), styles: .weight) { screen.receive($0) }
    }

    private func rows(_ texts: String...) -> [ScreenLine] { texts.map { ScreenLine($0) } }

    @Test("Opening takes the screen over, closing gives it back once")
    func lifetime() {
        let painter = painter()
        painter.draw(rows("too early"))
        #expect(screen.writes == [])
        painter.open()
        painter.open()
        #expect(screen.isAlternate && !screen.showsCursor && !screen.wraps && screen.bracketsPastes)
        painter.close()
        painter.close()
        painter.draw(rows("too late"))
        #expect(!screen.isAlternate && screen.showsCursor && screen.wraps && !screen.bracketsPastes)
        #expect(screen.writes.count == 2)
    }

    @Test("A painter that is let go of gives the screen back")
    func letGo() {
        do {
            let painter = painter()
            painter.open()
            painter.draw(rows("a"))
        }
        #expect(!screen.isAlternate && screen.showsCursor)
    }

    @Test("The screen shows the lines of the last frame, whatever was there before")
    func frames() {
        let painter = painter()
        painter.open()
        let frames = [
            ["a", "b", "c"], ["a", "B", "c"], ["a"], [], ["", "x"], ["한글", "🙂", "3", "4"],
            ["1", "2", "3", "4", "beyond"],
        ]
        for frame in frames {
            painter.draw(frame.map { ScreenLine($0) })
            let expected = frame.prefix(4) + Array(repeating: "", count: max(0, 4 - frame.count))
            #expect(screen.lines == Array(expected))
        }
    }

    @Test("Only what has changed is written, in one write, and nothing for nothing")
    func economy() {
        let painter = painter()
        painter.open()
        painter.draw(rows("a", "b", "c"))
        screen.writes = []
        painter.draw(rows("a", "B", "c"))
        #expect(screen.writes == ["\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2K\u{1B}[1GB\u{1B}[?2026l"])
        painter.draw(rows("a", "B", "c"))
        #expect(screen.writes.count == 1)
    }

    @Test("After a new size or foreign output the frame is drawn whole")
    func invalidation() {
        let painter = painter()
        painter.open()
        painter.draw(rows("a", "b", "c", "d"))
        screen.lines = ["noise", "noise", "", ""]
        painter.invalidate()
        painter.draw(rows("a", "b"))
        #expect(screen.lines == ["a", "b", "", ""])

        painter.resize(to: TerminalSize(columns: 20, rows: 1))
        painter.draw(rows("a", "b"))
        #expect(screen.lines == ["a", "", "", ""])
    }

    @Test("The cursor shows where it is asked for and is hidden again")
    func cursor() {
        let painter = painter()
        painter.open()
        painter.draw(rows("> ab"), cursor: .init(row: 0, column: 4))
        #expect(screen.showsCursor && screen.cursor == .init(row: 0, column: 4))
        painter.draw(rows("> ab", "more"), cursor: .init(row: 0, column: 4))
        #expect(screen.showsCursor && screen.cursor == .init(row: 0, column: 4))
        painter.draw(rows("> ab", "more"), cursor: .init(row: 0, column: 2))
        #expect(screen.cursor == .init(row: 0, column: 2))
        painter.draw(rows("> ab", "more"))
        #expect(!screen.showsCursor)
        painter.draw(rows("> ab", "more"), cursor: .init(row: 1, column: 0))
        painter.resize(to: TerminalSize(columns: 10, rows: 4))
        painter.draw(rows("> ab"))
        #expect(!screen.showsCursor, "a resize does not leave the cursor behind")
    }

    @Test("Styles reach the screen, control characters do not")
    func sanitizing() {
        let painter = painter()
        painter.open()
        painter.draw([ScreenLine("bold", .bold), ScreenLine("\u{1B}[2J\u{7}evil\n\u{1B}[1m")])
        #expect(screen.writes.last?.contains("\u{1B}[1mbold\u{1B}[0m") == true)
        #expect(screen.lines == ["bold", "␛[2J␇evil ␛[1m", "", ""])
    }

    @Test("Each text stands at its column, and none beyond the last one")
    func columns() {
        let painter = painter()
        painter.open()
        var line = ScreenLine("우유")
        line.add("right", at: 10, [.bold])
        line.add("beyond", at: 20)
        painter.draw([line])
        #expect(screen.writes.last?.contains("\u{1B}[1G우유\u{1B}[11G\u{1B}[1mright\u{1B}[0m\u{1B}[?2026l") == true)
    }
}

/// As much of a terminal as the painter relies on; text replaces a whole row.
final class FakeScreen {
    var lines: [String]
    var writes: [String] = []
    var isAlternate = false
    var showsCursor = true
    var wraps = true
    var bracketsPastes = false
    var cursor = ScreenPainter.Position(row: 0, column: 0)

    init(rows: Int) {
        lines = Array(repeating: "", count: rows)
    }

    func receive(_ text: String) {
        writes.append(text)
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                lines[cursor.row].append(character)
                continue
            }
            let parameters = rest.dropFirst().prefix { !$0.isLetter }
            rest = rest[parameters.endIndex...]
            if let final = rest.popFirst() { obey(final, parameters) }
        }
    }

    private func obey(_ final: Character, _ parameters: Substring) {
        switch (parameters, final) {
        case ("?1049", _): isAlternate = final == "h"
        case ("?25", _): showsCursor = final == "h"
        case ("?7", _): wraps = final == "h"
        case ("?2004", _): bracketsPastes = final == "h"
        case ("?2026", _), (_, "m"), (_, "G"): break
        case ("2", "J"): lines = lines.map { _ in "" }
        case ("2", "K"): lines[cursor.row] = ""
        case (_, "H"):
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            cursor = ScreenPainter.Position(row: numbers[0] - 1, column: numbers[1] - 1)
        default: Issue.record("unknown sequence \(parameters)\(final)")
        }
    }
}
