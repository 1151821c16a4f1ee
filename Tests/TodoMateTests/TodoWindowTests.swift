import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate

@Suite("The window of a view model")
struct TodoWindowTests {
    private let days = CalendarDate("2026-11-01")!...CalendarDate("2026-11-30")!

    @Test("Whatever is put in, moved and taken out, it holds the days' todos in list order", arguments: 0..<20)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var window = TodoWindow(days: days)
        var expected: [String: Todo] = [:]
        for step in 0..<500 {
            let id = "t\(Int.random(in: 0..<40, using: &random))"
            // Some of the days are outside, half of the todos have no time, and many positions are alike.
            let todo = Todo(
                id: id,
                uid: "alice",
                date: days.lowerBound.adding(days: Int.random(in: -3..<33, using: &random)),
                time: TimeOfDay(hour: Int.random(in: 21..<27, using: &random), minute: 0),
                content: "step \(step % 7)",
                position: Double(Int.random(in: 0..<3, using: &random)),
                revision: 1,
                createdAt: Date(timeIntervalSince1970: Double(Int.random(in: 0..<2, using: &random))),
                updatedAt: Date(timeIntervalSince1970: 0)
            )
            let before = window.sorted
            if Int.random(in: 0..<4, using: &random) == 0 {
                #expect(window.contains(todo) == (expected[id] != nil))
                window.remove(todo)
                expected[id] = nil
            } else {
                let isChanged = window.isChanged(by: todo)
                window.put(todo)
                expected[id] = days.contains(todo.date) ? todo : nil
                #expect(isChanged == (window.sorted != before))
            }
            #expect(window.sorted == expected.values.sorted(by: Todo.isInListOrder))
        }
    }

    @Test(
        "What is published about a stored todo shows, and leaves it stored; else it has no revision",
        arguments: [0, 4],
        [false, true]
    )
    @LoopActor
    func published(revision: Int, isStored: Bool) throws {
        var window = TodoWindow(days: days)
        var todo = Todo(
            id: "t",
            uid: "alice",
            date: days.lowerBound,
            content: "stored",
            position: 1,
            revision: 7,
            micros: 9,
            createdAt: .distantPast,
            updatedAt: .distantPast
        )
        if isStored { window.put(todo) }
        (todo.content, todo.revision) = ("published", revision)
        let bytes = TodoChange(id: nil, kind: .modified, todo: todo).message
        let received = try TodoChange(message: bytes, uid: "alice").shownTodo
        #expect(received.content == "published" && (received.revision, received.micros) == (0, 0))
        // Another spelling of the same message is decoded elsewhere.
        #expect(try TodoChange(message: [0x20] + bytes, uid: "alice").shownTodo == received)
        window.put(received)
        #expect(window.sorted.map(\.content) == ["published"])
        #expect(
            window.sorted.map(\.revision) == [isStored ? 7 : 0] && window.sorted.map(\.micros) == [isStored ? 9 : 0]
        )
    }

    @Test("Notes of days are no part of the list, and come, change and go as todos do")
    func notes() {
        var window = TodoWindow(days: days)
        let (first, second) = (days.lowerBound, days.upperBound)
        func todo(_ id: String, _ day: CalendarDate, _ detail: String) -> Todo {
            Todo(
                id: id,
                uid: "alice",
                date: day,
                content: "x",
                detail: detail,
                position: 1,
                revision: 1,
                createdAt: .distantPast,
                updatedAt: .distantPast
            )
        }
        let note = todo(DayNote.id(of: first), first, "one")
        // Of another day than its id says, it is a todo like any other.
        let other = todo(DayNote.id(of: second), first, "no note")
        _ = window.load(TodoSnapshot(id: ChangeID(version: 1, microseconds: 1), todos: [note, other]))
        #expect(window.notes == [first: note] && window.sorted == [other])
        let changed = todo(note.id, first, "two")
        #expect(window.isChanged(by: changed) && !window.isChanged(by: note))
        window.put(changed)
        #expect(window.notes == [first: changed] && window.sorted == [other])
        window.remove(changed)
        #expect(window.notes.isEmpty && window.sorted == [other])
        window.put(changed)
        window.show(days)
        #expect(window.notes.isEmpty && window.sorted.isEmpty)
    }
}
