import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("How the terminal calls people")
struct PersonLabelTests {
    @Test(
        "is by name and uid, and the uid stays where there is little room",
        arguments: [
            ("Alice Kim", "🦊", 40, "🦊 Alice Kim (alice)"), ("Alice Kim", "🦊", 20, "🦊 Alice Kim (alice)"),
            ("Alice Kim", "🦊", 19, "🦊 Alice K… (alice)"), ("Alice Kim", "🦊", 13, "🦊 A… (alice)"),
            ("Alice Kim", "🦊", 12, "Ali… (alice)"), ("Alice Kim", "🦊", 10, "A… (alice)"),
            ("Alice Kim", "🦊", 9, "alice"), ("Alice Kim", "🦊", 4, "ali…"), ("Alice Kim", nil, 17, "Alice Kim (alice)"),
            (nil, "🦊", 8, "🦊 alice"), (nil, "🦊", 7, "alice"), (nil, nil, 5, "alice"), (nil, nil, 0, ""),
            ("김앨리스", nil, 16, "김앨리스 (alice)"), ("김앨리스", nil, 15, "김앨리… (alice)"), ("bob", nil, 30, "bob (alice)"),
            ("a\u{1B}[31m\u{202E}b", nil, 40, "a␛[31m\u{FFFD}b (alice)"), ("x (bob)", nil, 40, "x (bob) (alice)"),
        ] as [(String?, String?, Int, String)]
    )
    func labels(_ name: String?, _ face: String?, _ width: Int, _ label: String) {
        let person = PublicPerson(uid: "alice", name: name, face: face)
        #expect(person.label(within: width) == label)
        #expect(person.label(within: width).displayWidth <= max(width, 0))
    }

    @Test("keeps to every width, whatever the name is made of", arguments: -1...60)
    func widths(_ width: Int) {
        for name in [nil, "👩‍👩‍👧👩‍👩‍👧", "e\u{301}e\u{301}e\u{301}", "한글 이름", String(repeating: "가", count: 40), "🇰🇷🇰🇷"] {
            for face in [nil, "👍🏽", "🇰🇷", "❤️"] {
                let person = PublicPerson(uid: "someone-with-a.long_uid", name: name, face: face)
                #expect(person.label(within: width).displayWidth <= max(width, 0), "\(person)")
            }
        }
    }
}
