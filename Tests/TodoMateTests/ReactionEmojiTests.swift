import Testing
import TodoMate

@Suite("A reaction")
struct ReactionEmojiTests {
    @Test(
        "may be any emoji",
        arguments: [
            "👍", "🎉", "❤️", "☺️", "1️⃣", "#️⃣", "*️⃣", "🇰🇷", "👍🏿", "👩🏻‍❤️‍💋‍👩🏿", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🧑‍🚀", "🏳️‍🌈", "🤷🏽‍♀️", "❤️‍🔥", "🫠", "⌚", "©️",
            "\u{1F937}\u{200D}\u{2640}", "\u{1F469}\u{200D}\u{2695}",
        ]
    )
    func emoji(_ text: String) throws {
        #expect(try ReactionEmoji.check(text) == text)
    }

    @Test(
        "may be nothing else",
        arguments: [
            "", " ", "a", "1", "#", "ok", "👍👍", "👍 ", " 👍", "👍a", "한", "é", "🇰", "🇰🇷🇯", "😀\u{301}", "\u{FE0F}",
            "\u{200D}", "👍\u{200D}", "\u{1F3FB}a", "1\u{20E3}x", "<b>", "\"", "\\", "\u{0}", "👍\n", "©",
            "🏴\u{E0067}\u{E0062}",
            "👍\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}",
            "🏴\u{E0048}\u{E0049}\u{E0021}\u{E007F}", String(repeating: "👨‍", count: 20) + "👦",
        ]
    )
    func other(_ text: String) {
        #expect(throws: TodoError.invalid("a reaction must be one emoji, such as 👍")) { try ReactionEmoji.check(text) }
    }
}
