import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate

private func bobsTodo(_ id: String, _ visibility: Visibility) -> Todo {
    Todo(
        id: id,
        uid: "bob",
        date: CalendarDate("2026-11-20")!,
        content: "x",
        position: 1,
        revision: 1,
        createdAt: .distantPast,
        updatedAt: .distantPast,
        visibility: visibility
    )
}

/// What Redis would say: all that happened to one owner's todos, and the todos as they are now.
private struct History {
    private(set) var todos: [String: Todo] = [:]
    private var times: [String: [FeedItem.Event: Int]] = [:]
    private var version = 0

    /// Items that anybody else may see, newest first.
    var shared: [FeedItem] {
        let items = todos.values.filter { $0.visibility != .private }.flatMap { todo in
            (times[todo.id] ?? [:]).filter { $0.key == .added || todo.status == .complete }.map { type, at in
                FeedItem(id: "\(at)-\(at)", type: type, at: at, todo: TodoDTO(todo))
            }
        }
        return Array(items.sorted { $0.at > $1.at }.prefix(FeedTally.most))
    }

    @LoopActor
    mutating func change(_ random: inout some RandomNumberGenerator, of todos: Int) -> TodoChange {
        version += 1
        let id = "t\(Int.random(in: 0..<todos, using: &random))"
        let change = ChangeID(version: version, microseconds: version)
        guard let old = self.todos[id] else {
            let todo = bobsTodo(id, Visibility.allCases.randomElement(using: &random)!)
            self.todos[id] = todo
            times[id] = [.added: version]
            return TodoChange(id: change, kind: .added, todo: todo)
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
            self.todos[id] = nil
            return TodoChange(id: change, kind: .removed, todo: old)
        }
        var todo = old
        if Bool.random(using: &random) { todo.visibility = Visibility.allCases.randomElement(using: &random)! }
        if Bool.random(using: &random) { todo.status = TodoStatus.allCases.randomElement(using: &random)! }
        if todo.status == .complete, old.status != .complete { times[id]?[.finished] = version }
        self.todos[id] = todo
        return TodoChange(
            id: change,
            kind: .modified,
            todo: todo,
            visibilityBefore: todo.visibility == old.visibility ? nil : old.visibility,
            statusBefore: todo.status == old.status ? nil : old.status
        )
    }
}

@Suite("The tally of a feed")
@LoopActor
struct FeedTallyTests {
    @Test("counts after any changes what reading anew would count", arguments: 0..<4, [12, 600])
    func history(_ seed: Int, _ todos: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var history = History()
        var tally = FeedTally()
        var reads = 0
        for step in 1...800 {
            let change = history.change(&random, of: todos)
            if tally.apply(change, now: .max) == .unknown {
                tally = FeedTally(history.shared)
                reads += 1
            }
            let (shared, since) = (history.shared, step / 2)
            for access in Access.allCases where access != .own {
                let expected = shared.count { $0.at >= since && access.covers($0.todo.toModel().visibility) }
                let count = tally.count(since: since, access)
                // A tally may hold more than is read at a time.
                #expect(shared.count < FeedTally.most ? count == expected : count >= expected, "\(step) \(access)")
            }
        }
        #expect(reads < 400, "most changes need no reading")
    }

    @Test("is not moved by reactions, edits and plain publishes")
    func calm() {
        var tally = FeedTally()
        let todo = bobsTodo("t1", .followers)
        #expect(
            tally.apply(TodoChange(id: ChangeID(version: 1, microseconds: 1), kind: .added, todo: todo), now: .max)
                == .changed
        )
        for change in [
            TodoChange(id: ChangeID(version: 2, microseconds: 2), kind: .modified, todo: todo),
            TodoChange(id: nil, kind: .added, todo: todo), TodoChange(id: nil, kind: .removed, todo: todo),
        ] {
            #expect(tally.apply(change, now: .max) == .unchanged)
        }
    }

    @Test("counts no notes of days, whoever may see them")
    func notes() {
        var tally = FeedTally()
        for (version, kind, before) in [
            (1, ChangeKind.added, nil), (2, .modified, nil), (3, .modified, .private), (4, .removed, nil),
        ] as [(Int, ChangeKind, Visibility?)] {
            let change = TodoChange(
                id: ChangeID(version: version, microseconds: version),
                kind: kind,
                todo: bobsTodo("note-of-2026-11-20", .public),
                visibilityBefore: before
            )
            #expect(tally.apply(change, now: 10) == .unchanged && tally.count(since: 0, .own) == 0)
        }
    }
}
