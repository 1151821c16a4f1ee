import Foundation
import Testing

@testable import TodoMate

@Suite("The words that a todo is looked for by")
struct TodoWordsTests {
    private func matches(_ words: String, _ content: String, _ detail: String = "") throws -> Bool {
        let todo = Todo(
            id: "t",
            uid: "alice",
            date: try #require(CalendarDate("2026-11-20")),
            content: content,
            detail: detail,
            position: 1,
            revision: 1,
            createdAt: .distantPast,
            updatedAt: .distantPast
        )
        return try #require(TodoWords(words)).match(todo)
    }

    @Test(
        "are met in any case, order and spelling, and all of them",
        arguments: [
            ("milk", "Buy MILK", true), ("milk buy", "Buy MILK", true), ("milk rent", "Buy milk", false),
            ("cafe", "Café", true), ("café", "CAFE", true), ("café", "Cafe\u{301}", true),
            // Marks of Latin letters alone, whether or not there is one letter with them; and none that are letters of their own.
            ("tran hung dao", "Trần Hưng đạo", false), ("tran hung", "TRẦN HƯNG", true), ("m", "m\u{30C}", true),
            ("istanbul", "İstanbul", true), ("angstrom", "Ångström", true), ("ox", "øx", false), ("ss", "ß", false),
            ("か", "が", false), ("и", "й", false), ("α", "ά", false), ("\u{5E9}", "\u{5E9}\u{5C1}x", true),
            ("CAFE\u{301}", "café", true),
            // A letter whose lower case is one with its mark, and the two small forms of one letter.
            ("\u{390}", "\u{3AA}\u{301}", true), ("οδός", "ΟΔΌΣ", true), ("ΟΔΌΣ", "οδός", true), ("οδόσ", "οδός", true),
            ("우유", "우유 사기", true),
            ("\u{110B}\u{116E}\u{110B}\u{1172}", "우유", true), ("ﬁn", "finish", true), ("ilk", "milk", true),
            ("x", "milk", false),
        ]
    )
    func spellings(_ words: String, _ text: String, _ isFound: Bool) throws {
        #expect(try matches(words, text) == isFound)
        #expect(try matches(words, "other", text) == isFound)
    }

    /// Each of these took a tenth of a second to bring into one form.
    @Test("are met beside letters with thousands of marks, of which no more count than any language has")
    func marks() throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 4999)
        for _ in 0..<200 {
            #expect(try matches("milk", "milk", "a" + marks))
            #expect(try !matches("zzz", "milk", "a" + marks))
        }
        #expect(try matches("a" + marks, "b", "a" + marks))
        #expect(try matches("a\u{316}", "a\u{316}"))
        #expect(try !matches("milk\0x", "milk"))
    }
}
