import Testing

@testable import TerminalUI

@Suite("Sanitized text")
struct SanitizedTextTests {
    @Test(
        "What a terminal would obey is replaced, the rest kept",
        arguments: [
            ("Buy milk 우유 👩‍👩‍👧 ❤️", "Buy milk 우유 👩‍👩‍👧 ❤️"), ("a\tb\nc\r\nd", "a b c  d"),
            ("\u{1B}[2J\u{1B}]0;title\u{7}", "␛[2J␛]0;title␇"), ("\u{0}\u{8}\u{1F}\u{7F}", "␀␈␟␡"),
            ("\u{9B}2J\u{85}\u{90}", "\u{FFFD}2J \u{FFFD}"), ("\u{2028}\u{2029}", "  "),
            ("abc\u{202E}txt\u{202C}", "abc\u{FFFD}txt\u{FFFD}"),
            ("\u{2066}x\u{2069}\u{200F}", "\u{FFFD}x\u{FFFD}\u{FFFD}"),
            ("\u{1B}[31mred", "␛[31mred"),
        ]
    )
    func replacements(text: String, expected: String) {
        #expect(text.sanitized() == expected)
    }

    @Test("No control character is left, wherever it stands")
    func completeness() {
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["\(scalar)", "a\(scalar)", "\u{1B}[1\(scalar)", "\r\(scalar)"] {
                #expect(!text.sanitized().unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }
}
