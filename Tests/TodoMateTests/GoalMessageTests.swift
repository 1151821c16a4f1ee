import EventLoop
import Foundation
import Testing

@testable import TodoMate

@Suite("Goals in messages")
@LoopActor
struct GoalMessageTests {
    private func message(_ end: String) -> [UInt8] {
        Array(
            (#"{"id":"57-1763677123456789","type":"added","todo":{"id":"a","uid":"alice","date":"2026-11-20","content":"x","#
                + #""detail":"","status":"todo","position":3,"revision":57,"micros":1763677123456789,"#
                + #""createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z","visibility":"followers"\#(end)}}"#)
                .utf8
        )
    }

    @Test(
        "are passed on as they came, wherever they stand among what may be left out",
        arguments: [
            ("", nil), (#","goal":"g1""#, "g1"), (#","time":"09:30","goal":"a_-Z9""#, "a_-Z9"),
            (#","goal":"g1","reactions":{"👍":2}"#, "g1"), (#","time":"09:30","goal":"g1","reactions":{"👍":2}"#, "g1"),
        ] as [(String, String?)]
    )
    func canonical(end: String, goal: String?) throws {
        let bytes = message(end)
        #expect(CanonicalMessage(bytes) != nil, "it is read in one pass")
        let change = try TodoChange(message: bytes, uid: "alice")
        #expect(change.todo.goal == goal && change.message == bytes)
        // Written anew it is the same.
        #expect(TodoChange(id: change.id, kind: .added, todo: change.todo).message == bytes)
    }

    @Test("are read in any other order, and an empty one is none")
    func others() throws {
        for (end, goal) in [(#","goal":"g1","time":"09:30""#, "g1"), (#","goal":"""#, nil)] as [(String, String?)] {
            #expect(CanonicalMessage(message(end)) == nil)
            #expect(try TodoChange(message: message(end), uid: "alice").todo.goal == goal)
        }
    }

    @Test(
        "are refused where they are none",
        arguments: [#","goal":"a b""#, #","goal":7"#, #","goal":"\#(String(repeating: "g", count: 65))""#]
    )
    func wrong(end: String) {
        #expect(throws: MessageRefusal.self) { try TodoChange(message: message(end), uid: "alice") }
    }
}
