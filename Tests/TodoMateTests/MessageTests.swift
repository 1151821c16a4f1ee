import Foundation
import EventLoop
import TestServers
import Testing

@testable import TodoMate

private let canonical =
    #"{"id":"57-1763677123456789","type":"modified","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"Buy milk","detail":"","status":"todo","position":3,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:01Z"}}"#

@Suite("Published messages")
@LoopActor
struct MessageTests {
    private func change(_ text: String, uid: String = "alice") throws -> TodoChange {
        try TodoChange(message: Array(text.utf8), uid: uid)
    }

    @Test("in the documented spelling pass through untouched, and decode")
    func canonicalSpelling() throws {
        #expect(CanonicalMessage(Array(canonical.utf8)) != nil)
        let change = try change(canonical)
        #expect(String(decoding: change.message, as: UTF8.self) == canonical)
        #expect(change.id == ChangeID(version: 57, microseconds: 1_763_677_123_456_789))
        #expect(change.kind == .modified)
        #expect(change.todo.content == "Buy milk")
        #expect(change.todo.position == 3)
        #expect(change.todo.date.description == "2026-11-20")
        #expect(change.todo.updatedAt.timeIntervalSince(change.todo.createdAt) == 1)
    }

    @Test(
        "may have the id of the change before behind all else, which is told apart",
        arguments: [
            (#","after":"56-1763677123456000"}"#, ChangeID(version: 56, microseconds: 1_763_677_123_456_000)),
            (#","after":"0-0"}"#, .zero), ("}", nil), (#","after":""}"#, nil), (#","after":"x"}"#, nil),
            (#","after":"56"}"#, nil), (#","after":56}"#, nil), (#","before":"56-1"}"#, nil),
            (#", "after":"56-1"}"#, nil),
            (#","after":"99999999999999999-1"}"#, nil), (#","x":"\","after":"56-1"}"#, nil),
        ] as [(String, ChangeID?)]
    )
    func after(_ ending: String, _ before: ChangeID?) throws {
        for text in [canonical, canonical.replacing(#""content":"#, with: #" "content": "#)] {
            let published = Array((text.dropLast() + ending).utf8)
            // An escaped quotation mark is no end of a key: this is no JSON at all.
            guard !ending.contains("\\") else {
                #expect(throws: MessageRefusal.notJSON) { try read(published) }
                continue
            }
            let change = try read(published)
            #expect(change.before == before, "\(ending)")
            let message = String(decoding: change.message, as: UTF8.self)
            #expect(!message.contains("after") && !message.contains("before"))
            // In the documented spelling it passes through untouched.
            if text == canonical, before != nil { #expect(message == canonical) }
        }
        #expect(throws: MessageRefusal.self) { try read([]) }
        #expect(throws: MessageRefusal.self) { try read(Array(ending.utf8)) }
        #expect(throws: MessageRefusal.self) { try read(Array(ending.dropFirst().utf8)) }
    }

    private func read(_ published: [UInt8]) throws -> TodoChange {
        try published.withUnsafeBufferPointer { try TodoChange(published: $0, uid: "alice") }
    }

    @Test("in any other spelling are written anew in the documented one")
    func otherSpelling() throws {
        let shuffled =
            #" { "todo": {"uid":"alice","id":"t1","content":"\ubc14\uB2E4 \ud83c\udf0a","x":[1,{"y":null}],"date":"2026-11-20"}, "more":1, "type":"added"}"#
        let change = try change(shuffled)
        #expect(change.id == nil)
        #expect(change.todo.content == "바다 🌊")
        let text = String(decoding: change.message, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"바다 🌊","detail":"","status":"todo","position":9007199254740991,"revision":0,"#
            )
        )
        let object = try JSONSerialization.jsonObject(with: Data(change.message)) as? [String: Any]
        #expect(object?.keys.sorted() == ["todo", "type"])
    }

    @Test(
        "survive being written and read, whatever their text",
        arguments: ["plain", "quote \" and \\ backslash", "한국어 😀 e\u{301}", "\u{FEFF}\u{10FFFF}", "a/b"]
    )
    func roundTrip(_ text: String) throws {
        let time = Date(timeIntervalSince1970: 1_763_677_123)
        let todo = Todo(
            id: "a-_9",
            uid: "a.b@c",
            date: CalendarDate("2999-12-31")!,
            content: text,
            detail: text + "\n\t",
            status: .inProgress,
            position: -2.125,
            revision: 7,
            createdAt: time,
            updatedAt: time
        )
        let bytes = CanonicalMessage.encode(ChangeID(version: 7, microseconds: 9), .added, todo)
        #expect(CanonicalMessage(bytes)?.todo == todo)
        #expect(try change(String(decoding: bytes, as: UTF8.self), uid: "a.b@c").todo == todo)
        // Foundation's decoder agrees.
        #expect(try PublishedMessage(bytes, uid: "a.b@c").todo == todo)
    }

    @Test(
        "that are not valid are refused with a reason",
        arguments: [
            ("", .notJSON), ("hello", .notJSON), ("[]", .notObject), ("null", .notObject), ("7", .notObject),
            (String(canonical.dropLast()), .notJSON),
            ("{}", .missing("type")),
            (#"{"type":"added"}"#, .missing("todo")),
            (
                #"{"type":"exploded","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"hi"}}"#,
                .badField("type")
            ),
            (#"{"type":"added","todo":{"id":"t1","uid":"bob","date":"2026-11-20","content":"hi"}}"#, .otherUser),
            (#"{"type":"added","todo":{"uid":"alice","date":"2026-11-20","content":"hi"}}"#, .missing("id")),
            (
                #"{"type":"added","todo":{"id":"t1","uid":"alice","date":"2026-02-30","content":"hi"}}"#,
                .badTodo(TodoBounds.dateAdvice)
            ),
            (
                #"{"type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":""}}"#,
                .badTodo("content must have 1 to 500 characters, not 0")
            ),
            (
                #"{"type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"a\nb"}}"#,
                .badTodo("content must be one line without control characters")
            ),
            (
                "{\"type\":\"added\",\"todo\":{\"id\":\"t1\",\"uid\":\"alice\",\"date\":\"2026-11-20\",\"content\":\"a\nb\"}}",
                .notJSON
            ),
            (
                #"{"type":"added","todo":{"id":"../t","uid":"alice","date":"2026-11-20","content":"hi"}}"#,
                .badTodo("id must be 1 to 64 of A-Z a-z 0-9 _ -")
            ),
            (
                #"{"type":"added","todo":{"id":7,"uid":"alice","date":"2026-11-20","content":"hi"}}"#,
                .badField("todo.id")
            ),
            (#"{"id":"x","type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"hi"}}"#, .badID),
            (
                #"{"id":"0-1","type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"hi"}}"#,
                .badID
            ),
            (canonical.replacingOccurrences(of: "alice", with: "bob"), .otherUser),
            (String(repeating: "x", count: 1_000_000), .tooLong(1_000_000, most: 65_536)),
        ] as [(String, MessageRefusal)]
    )
    func refusals(_ text: String, _ refusal: MessageRefusal) {
        #expect(throws: refusal) { try change(text) }
    }

    @Test("of invalid UTF-8 are refused, in the documented spelling too")
    func invalidUTF8() {
        for broken in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
            var bytes = Array(canonical.utf8)
            let place = bytes.firstRange(of: Array("milk".utf8))!
            bytes.replaceSubrange(place, with: broken)
            #expect(throws: MessageRefusal.notUTF8) { try TodoChange(message: bytes, uid: "alice") }
        }
    }

    @Test("cut off or changed in one byte never pass as the documented spelling of something else", arguments: 0..<40)
    func mutations(seed: Int) {
        var dice = SeededRandom(seed: UInt64(seed))
        for _ in 0..<200 {
            var bytes = Array(canonical.utf8)
            bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            if let message = CanonicalMessage(bytes) {
                // What passes must be JSON that Foundation reads the same way.
                let uid = String(decoding: message.uid, as: UTF8.self)
                #expect((try? PublishedMessage(bytes, uid: uid))?.todo == message.todo)
            }
            let cut = bytes.prefix(Int.random(in: 0..<bytes.count, using: &dice))
            #expect(CanonicalMessage(Array(cut)) == nil)
        }
    }
}
