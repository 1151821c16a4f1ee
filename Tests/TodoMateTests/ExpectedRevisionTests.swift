import Foundation
import TestServers
import Testing
import TodoMate

@Suite("What a todo must still be at")
struct ExpectedRevisionTests {
    private func todo(_ revision: Int, _ micros: Int) throws -> Todo {
        let date = try #require(CalendarDate("2026-11-20"))
        let now = Date(timeIntervalSince1970: 0)
        return Todo(
            id: "t",
            uid: "alice",
            date: date,
            content: "x",
            position: 1,
            revision: revision,
            micros: micros,
            createdAt: now,
            updatedAt: now
        )
    }

    @Test(
        "is read as it is written",
        arguments: [
            ("57-1763677123456789", ExpectedRevision(57, micros: 1_763_677_123_456_789)), ("57", 57), ("0", 0),
            ("57-0", ExpectedRevision(57, micros: 0)),
        ]
    )
    func spelling(_ text: String, _ revision: ExpectedRevision) {
        #expect(ExpectedRevision(text) == revision && revision.description == text)
    }

    @Test("is nothing else", arguments: ["", "-", "57-", "-57", "x", "57-x", "5 7", "57-1-1", "99999999999999999"])
    func refusals(_ text: String) { #expect(ExpectedRevision(text) == nil) }

    @Test("fits the one write that it names, or a revision of any history")
    func matches() throws {
        for (expected, fits) in [
            (ExpectedRevision(2, micros: 5), [true, false, false, false]), (2, [true, true, false, true]),
            (ExpectedRevision(2, micros: 0), [false, false, false, true]), (3, [false, false, true, false]),
        ] as [(ExpectedRevision, [Bool])] {
            let todos = [try todo(2, 5), try todo(2, 6), try todo(3, 5), try todo(2, 0)]
            #expect(todos.map { expected.matches($0) } == fits, "\(expected)")
        }
        #expect(try todo(2, 5).written == ExpectedRevision(2, micros: 5))
    }
}
