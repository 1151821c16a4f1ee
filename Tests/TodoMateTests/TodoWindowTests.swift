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
}
