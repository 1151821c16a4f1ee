import Testing

@testable import TerminalUI

@Suite("Display width")
struct DisplayWidthTests {
    /// Agreed with the Python package wcwidth, except for the skin tone on ⛹, which it counts as 1.
    static let widths: [(text: String, width: Int)] = [
        ("", 0), ("a", 1), ("Buy milk", 8), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("①", 1), ("…", 1), ("─", 1),
        ("a\u{AD}b", 3),
        // East Asian
        ("우유 사기", 9), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1112}", 2), ("\u{1161}", 0), ("ㅎ", 2),
        ("\u{A960}\u{D7B0}\u{D7CB}", 2), ("\u{115F}", 2), ("漢字", 4), ("かな", 4), ("か\u{3099}", 2), ("ｶﾞ", 2), ("Ａ！", 4),
        ("、。", 4), ("\u{3000}", 2), ("葛\u{E0100}", 2), ("𠀀", 2), ("\u{3FFFD}", 2), ("\u{303F}", 1),
        // Emoji
        ("🙂", 2), ("👍🏽", 2), ("🏽", 2), ("⛹🏽", 2), ("→🏽", 3), ("👩‍👩‍👧", 2), ("🏃🏿‍♀️", 2), ("🏳️‍🌈", 2), ("❤", 1), ("❤️", 2),
        ("❤\u{FE0E}", 1), ("⌚", 2), ("⌚\u{FE0E}", 1), ("©", 1), ("©️", 2), ("™", 1), ("✅", 2), ("☐", 1), ("1️⃣", 2),
        ("#️⃣", 2),
        ("1\u{20E3}", 1), ("🇰🇷", 2), ("🇰", 2), ("🇰🇷🇯", 4),
        ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
        ("a\u{FE0F}", 1), ("🙂a한", 5),
        // Other scripts
        ("का", 2), ("क्ष", 2), ("நி", 2), ("กำ", 2), ("ที่", 1), ("မြန်မာ", 5), ("שָׁלוֹם", 4), ("السَّلام", 6), ("\u{600}", 1),
        // Nothing to see
        ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0), ("a\u{2060}b", 2), ("\u{3164}", 0), ("\u{FFA0}", 0),
        ("\u{0}\t\n\r\n", 0),
    ]

    @Test("Text takes the columns that terminals give it", arguments: widths)
    func width(text: String, width: Int) {
        #expect(text.displayWidth == width)
        #expect("a\(text)"[...].dropFirst().displayWidth <= width, "a substring is measured alike")
    }

    @Test(
        "A wide block ends where Unicode says",
        arguments: [
            "\u{1100}", "\u{2329}", "\u{232A}", "\u{2630}", "\u{268F}", "\u{2E80}", "\u{303E}", "\u{3041}", "\u{3247}",
            "\u{3250}", "\u{A4C6}", "\u{A97C}", "\u{AC00}", "\u{D7A3}", "\u{F900}", "\u{FE10}", "\u{FE6B}", "\u{FF01}",
            "\u{FF60}", "\u{FFE0}", "\u{FFE6}", "\u{16FE0}", "\u{1B2FB}", "\u{1D300}", "\u{1D376}", "\u{1F202}",
            "\u{1F265}", "\u{20000}", "\u{2FFFD}", "\u{30000}",
        ] as [Character]
    )
    func wideBlocks(character: Character) {
        #expect(character.displayWidth == 2)
    }

    @Test(
        "Beside a wide block all is narrow",
        arguments: [
            "\u{10FF}", "\u{2328}", "\u{232B}", "\u{262F}", "\u{2638}", "\u{2E7F}", "\u{303F}", "\u{3248}", "\u{324F}",
            "\u{A4D0}", "\u{A980}", "\u{FB00}", "\u{FF61}", "\u{FFE8}", "\u{1D2F3}", "\u{1D377}", "\u{1F170}",
        ] as [Character]
    )
    func narrowNeighbours(character: Character) {
        #expect(character.displayWidth <= 1)
    }

    @Test(
        "What is too wide is cut, with an ellipsis in the last column",
        arguments: [
            ("Buy milk", 8, "Buy milk"), ("Buy milk", 7, "Buy mi…"), ("Buy milk", 1, "…"), ("Buy milk", 0, ""),
            ("Buy milk", -1, ""), ("", 0, ""), ("", 3, ""), ("우유 사기", 9, "우유 사기"), ("우유 사기", 8, "우유 사…"),
            ("우유 사기", 4, "우…"), ("우유 사기", 3, "우…"), ("우유 사기", 2, "…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("👩‍👩‍👧👩‍👩‍👧", 4, "👩‍👩‍👧👩‍👩‍👧"),
            ("ab\u{301}", 2, "ab\u{301}"), ("ab\u{301}c", 2, "a…"), ("ab\u{200B}", 2, "ab\u{200B}"),
        ]
    )
    func truncation(text: String, width: Int, expected: String) {
        #expect(text.truncated(toWidth: width) == expected)
    }

    @Test("However it is cut, the result fits", arguments: widths.map(\.text))
    func truncationFits(text: String) {
        for width in 0...(text.displayWidth + 1) {
            let line = "\(text)\(text)"
            #expect(line.truncated(toWidth: width).displayWidth <= width)
            #expect(line.fitted(toWidth: width).displayWidth == width)
        }
    }

    @Test(
        "Padding fills up to the width and leaves what is wider alone",
        arguments: [
            ("한", 5, .leading, "한   "), ("한", 5, .trailing, "   한"), ("한", 5, .center, " 한  "),
            ("한글", 3, .leading, "한글"),
            ("", 2, .leading, "  "), ("x", -1, .center, "x"),
        ] as [(String, Int, TextAlignment, String)]
    )
    func padding(text: String, width: Int, alignment: TextAlignment, expected: String) {
        #expect(text.padded(toWidth: width, alignment: alignment) == expected)
    }
}
