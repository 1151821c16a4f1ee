import Testing

@testable import TerminalUI

@Suite("The line that is being typed")
struct LineEditorTests {
    private func editor(_ text: String, _ keys: [KeyPress], limit: Int = 500, isMultiline: Bool = false) -> LineEditor {
        var editor = LineEditor(text, limit: limit, isMultiline: isMultiline)
        for key in keys { _ = editor.press(key) }
        return editor
    }

    @Test(
        "Keys change the text before and after the cursor",
        arguments: [
            ("ab", [.character("c")], "abc", ""), ("ab", [KeyPress(.left), .character("c")], "ac", "b"),
            ("ab", [KeyPress(.backspace)], "a", ""),
            ("", [KeyPress(.backspace), KeyPress(.left), KeyPress(.delete)], "", ""),
            ("ab", [KeyPress(.home), KeyPress(.delete)], "", "b"), ("ab", [KeyPress(.home), KeyPress(.end)], "ab", ""),
            ("ab", [.character("a", .control), .character("f", .control)], "a", "b"),
            ("ab", [.character("b", .control), .character("d", .control)], "a", ""),
            ("buy oat milk", [.character("w", .control)], "buy oat ", ""),
            ("buy oat  ", [.character("w", .control)], "buy ", ""), ("buy", [.character("w", .control)], "", ""),
            ("buy oat", [KeyPress(.backspace, .alt)], "buy ", ""),
            ("buy oat", [KeyPress(.left, .control), .character("k", .control)], "buy ", ""),
            ("buy oat", [KeyPress(.left), .character("u", .control)], "", "t"),
            ("buy oat", [KeyPress(.home), KeyPress(.right, .alt)], "buy", " oat"),
            ("buy oat", [KeyPress(.home), .character("f", .alt), .character("d", .alt)], "buy", ""),
            ("buy oat", [.character("b", .alt), .character("x")], "buy x", "oat"),
            ("우유🥛", [KeyPress(.backspace)], "우유", ""), ("👩‍👩‍👧", [KeyPress(.backspace)], "", ""),
            ("e\u{301}", [KeyPress(.left)], "", "e\u{301}"), ("a", [.character("\u{301}")], "a\u{301}", ""),
            ("a", [KeyPress(.paste("b\r\nc\td\u{1B}[A"))], "ab c d [A", ""),
            ("a", [KeyPress(.up), KeyPress(.pageDown), .character("g", .control)], "a", ""),
        ] as [(String, [KeyPress], String, String)]
    )
    func keys(text: String, keys: [KeyPress], before: String, after: String) {
        let editor = editor(text, keys)
        #expect(editor.before == before && editor.after == after)
        #expect(editor.text == before + after)
    }

    @Test("The parts of one character join as they come")
    func joining() {
        let family = "👩‍👩‍👧🇰🇷❤️"
        let editor = editor("", family.unicodeScalars.map { .character(Character($0)) })
        #expect(editor.text == family && editor.text.count == 3)
        var shorter = editor
        _ = shorter.press(KeyPress(.backspace))
        #expect(shorter.text == "👩‍👩‍👧🇰🇷")
    }

    @Test("No more is taken than there is room for")
    func limit() {
        #expect(editor("ab", [.character("c"), .character("d")], limit: 3).text == "abc")
        #expect(editor("ab", [KeyPress(.paste("xyz"))], limit: 4).text == "abxy")
        #expect(editor("toolong", [.character("x")], limit: 3).text == "toolong")
        #expect(editor("ab", [], limit: 5).room == 3)
    }

    @Test("A note may have several lines")
    func lines() {
        let keys: [KeyPress] = [KeyPress(.enter, .alt), KeyPress(.paste("b\r\nc\td"))]
        #expect(editor("a", keys, isMultiline: true).text == "a\nb\nc\td")
        #expect(editor("a", keys).text == "ab c d")
    }

    @Test(
        "The window shows the text around the cursor",
        arguments: [
            ("abc", "", 10, "abc", 3), ("abc", "def", 10, "abcdef", 3), ("abcdef", "", 6, "…cdef", 5),
            ("abcde", "", 6, "abcde", 5), ("abc", "defghi", 6, "abcde…", 3), ("", "abcdef", 4, "abc…", 0),
            ("우유우유", "", 6, "…우유", 5), ("우유우유", "", 7, "…우유", 5), ("a\nb", "", 9, "a↵b", 3), ("ab", "", 1, "…", 1),
        ]
    )
    func window(before: String, after: String, width: Int, text: String, cursor: Int) {
        var editor = LineEditor(before + after, limit: 500, isMultiline: true)
        for _ in after { _ = editor.press(KeyPress(.left)) }
        let window = editor.window(width: width)
        #expect(window.text == text && window.cursor == cursor)
    }

    @Test("The window never leaves its columns", arguments: ["", "plain text", "우유 사기 🥛 👩‍👩‍👧 e\u{301}\nx", "\u{1B}[2J"])
    func windowFits(text: String) {
        for width in 2...20 {
            var editor = LineEditor(text, limit: 500)
            for _ in 0...text.count {
                let window = editor.window(width: width)
                #expect(window.text.displayWidth <= width && window.cursor < max(width, 2))
                _ = editor.press(KeyPress(.left))
            }
        }
    }
}
