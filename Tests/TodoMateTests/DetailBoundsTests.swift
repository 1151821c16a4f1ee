import Testing
import TodoMate

@Suite("A detail")
struct DetailBoundsTests {
    @Test(
        "has up to 10,000 characters, whatever their bytes, and of the controls only line feed and tab",
        arguments: [
            ("", true), ("a\tb\nc", true), ("é", true), ("\u{C0}\u{A0}\u{8000}", true), ("a\u{2028}b\u{2029}", true),
            (String(repeating: "x", count: 10_000), true), (String(repeating: "x", count: 10_001), false),
            (String(repeating: "🍀", count: 10_000), true), (String(repeating: "🍀", count: 10_001), false),
            // One that people see is two scalars.
            (String(repeating: "e\u{301}", count: 5_000), true), (String(repeating: "e\u{301}", count: 5_001), false),
            ("a\u{0}", false), ("\u{B}", false), ("a\r\n", false), ("\u{1B}[1m", false), ("\u{1F}", false),
            ("\u{7F}", false), ("\u{80}", false), ("é\u{9F}", false), ("\u{A0}", true),
        ]
    )
    func bounds(_ text: String, _ isValid: Bool) {
        if isValid {
            #expect(throws: Never.self) { try TodoBounds.detail(text) }
        } else {
            #expect(throws: TodoError.self) { try TodoBounds.detail(text) }
        }
    }
}
