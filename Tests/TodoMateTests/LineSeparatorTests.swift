import EventLoop
import Foundation
import Testing

@testable import TodoMate

@Suite("U+2028 and U+2029")
@LoopActor
struct LineSeparatorTests {
    /// Details, and the inside of the JSON string that each becomes.
    nonisolated static let details: [(text: String, json: String)] = [
        ("\u{2028}", #"\u2028"#), ("\u{2029}", #"\u2029"#),
        ("\u{2028}at the start", #"\u2028at the start"#), ("at the end\u{2029}", #"at the end\u2029"#),
        ("a\u{2028}\u{2028}b\u{2029}\u{2028}", #"a\u2028\u2028b\u2029\u2028"#),
        ("\\\u{2028}\\\\\u{2029}\\", #"\\\u2028\\\\\u2029\\"#),
        ("\"\u{2028}\"\n\u{2029}\t", #"\"\u2028\"\n\u2029\t"#),
        // Not these, but the words that stand for them.
        (#"\u2028 \\u2029"#, #"\\u2028 \\\\u2029"#),
        (
            "한국어\u{2028}…–‰\u{2027}\u{202A}✅\u{200D}\u{2029}😀",
            #"한국어\u2028…–‰"# + "\u{2027}\u{202A}✅\u{200D}" + #"\u2029😀"#
        ),
        // Nothing to be done.
        ("…–“”‰\u{2027}\u{202A}✅\u{200D}€", "…–“”‰\u{2027}\u{202A}✅\u{200D}€"), ("한국어", "한국어"),
    ]

    private func todo(_ inside: String, id: String = "t1", more: String = "") -> String {
        #"{"id":"\#(id)","uid":"alice","date":"2026-11-20","content":"…","detail":"\#(inside)","status":"complete","#
            + #""position":3.50,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:01Z","#
            + #""visibility":"private"\#(more)}"#
    }

    /// The inside of the string as JSON lets it stand, and as older versions wrote it.
    private func raw(_ text: String) -> String {
        [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\t", "\\t")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    @Test("are escaped where texts are written", arguments: details)
    func writes(_ text: String, _ json: String) {
        #expect(JSONText.encode(text) == json)
        #expect(JSONText.decode(Array(json.utf8)) == text)
        #expect(JSONText.decode(Array(raw(text).utf8)) == text)
    }

    @Test("are escaped in messages that have them, and nothing else is changed", arguments: details)
    func messages(_ text: String, _ json: String) throws {
        // The position is not spelled as it would be written here: what passes was not written anew.
        for (start, end) in [(#"{"id":"58-9","#, #","was":{"status":"todo"}}"#), (#"{"id":"58-9","#, "}")] {
            let wanted = #"\#(start)"type":"modified","todo":\#(todo(json))\#(end)"#
            for inside in [json, raw(text)] {
                let message = #"\#(start)"type":"modified","todo":\#(todo(inside))\#(end)"#
                let change = try TodoChange(message: Array(message.utf8), uid: "alice")
                #expect(String(decoding: change.message, as: UTF8.self) == wanted)
                #expect(change.todo.detail == text && change.statusBefore == (end == "}" ? nil : .todo))
            }
        }
        let published =
            #"{"type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"x","detail":"\#(raw(text))"}}"#
        let change = try TodoChange(message: Array(published.utf8), uid: "alice")
        #expect(change.todo.detail == text)
        #expect(String(decoding: change.message, as: UTF8.self).contains(#""detail":"\#(json)","status""#))
    }

    @Test("are escaped in lists and in stored todos", arguments: details)
    func lists(_ text: String, _ json: String) throws {
        let second = todo("", id: "t2")
        let answer = #"{"id":"58-9","todos":[\#(todo(raw(text))),\#(second)]}"#
        let list = try TodoList(Array(answer.utf8), in: nil)
        #expect(
            String(decoding: list.text(for: .own), as: UTF8.self)
                == #"{"id":"58-9","todos":[\#(todo(json)),\#(second)]}"#
        )
        #expect(list.snapshot(for: .own).todos.map(\.detail) == [text, ""])
        let stored = try #require(StoredTodo(Array(todo(raw(text)).utf8), id: "t1", uid: "alice"))
        #expect(String(decoding: stored.json, as: UTF8.self) == todo(json) && stored.todo.detail == text)
        let spaced = try #require(StoredTodo(Array((" " + todo(raw(text))).utf8), id: "t1", uid: "alice"))
        #expect(String(decoding: spaced.json, as: UTF8.self) == todo(json).replacing("3.50", with: "3.5"))
    }

    @Test("make no message of what is none")
    func broken() {
        for inside in ["\\\u{2028}", "\\\\\\\u{2029}", "\\\u{2028}\u{2029}"] {
            let message = #"{"id":"58-9","type":"added","todo":\#(todo(inside))}"#
            #expect(throws: MessageRefusal.notJSON) { try TodoChange(message: Array(message.utf8), uid: "alice") }
        }
        let reacted = #"{"id":"58-9","type":"added","todo":\#(todo("", more: ",\"reactions\":{\"\u{2028}\":1}"))}"#
        #expect(throws: MessageRefusal.self) { try TodoChange(message: Array(reacted.utf8), uid: "alice") }
        #expect(throws: MessageRefusal.notJSON) {
            try TodoChange(message: Array("\u{2028}\(reacted)".utf8), uid: "alice")
        }
    }

    @Test("are found anywhere, and what only begins like them is left alone")
    func bytes() {
        let pieces: [[UInt8]] = [
            [], [0x61], [0xE2], [0xE2, 0x80], [0xE2, 0x80, 0xA7], [0xE2, 0x80, 0xA8], [0x5C, 0x5C],
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let json = first + second + third
                    var wanted: [UInt8] = []
                    var place = 0
                    while place < json.count {
                        let isFound = json[place...].starts(with: [0xE2, 0x80, 0xA8])
                        wanted += isFound ? Array(#"\u2028"#.utf8) : [json[place]]
                        place += isFound ? 3 : 1
                    }
                    #expect(LineSeparators.escaped(in: json) == wanted)
                }
            }
        }
    }
}
