import EventLoop
import TestServers
import Testing

@testable import TodoMate

@Suite("Many todos in list order")
@LoopActor
struct ListOrderTests {
    private nonisolated static let lengths = [0, 1, 2, 63, 64, 65, 127, 128, 129, 192, 1000, 4097]

    /// Todos of few days, positions and times, so that each part of the order decides somewhere.
    private func todos(_ count: Int, _ random: inout SeededRandom) throws -> TodoParts {
        var parts = TodoParts()
        for number in 0..<count {
            let (day, position) = (Int.random(in: 1...3, using: &random), Int.random(in: 0...4, using: &random))
            let second = Int.random(in: 0...2, using: &random)
            let time = "2026-11-20T09:00:0\(second)Z"
            let texts = #""content":"Buy milk","detail":"","status":"todo""#
            let times = #""createdAt":"\#(time)","updatedAt":"\#(time)""#
            let places = #""position":\#(position),"revision":1,"micros":1763677123456789"#
            let name = #""id":"t\#(number)","uid":"alice","date":"2026-11-0\#(day)""#
            let hour = ["", #","time":"08:00""#, #","time":"21:15""#][Int.random(in: 0..<3, using: &random)]
            try parts.append(Array("{\(name),\(texts),\(places),\(times),\"visibility\":\"public\"\(hour)}".utf8))
        }
        return parts
    }

    @Test("are sorted as a short list is, however they come", arguments: lengths, ["as it is", "sorted", "reversed"])
    func sorted(_ count: Int, _ beginning: String) async throws {
        var random = SeededRandom(seed: UInt64(count))
        let parts = try todos(count, &random)
        let due = parts.todos.sorted(by: ListedTodo.isInListOrder)
        let given = ["sorted": due, "reversed": due.reversed()][beginning] ?? parts.todos
        let sorted = await ListOrder.sorted(given)
        #expect(sorted.map(\.name) == due.map(\.name))
        #expect(Set(sorted.map(\.name)).count == count)
    }

    @Test("have changes put in their places, as if all had been read anew", arguments: 0..<20)
    func applied(_ seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let database = InMemoryTodoRepository()
        for number in 0..<40 { _ = try await database.add(Self.draft(number, &random), for: "alice") }
        var list = try await Self.read(database)
        var changes: [TodoChange] = []
        for step in 0..<30 {
            let id = "t\(Int.random(in: 0..<60, using: &random))"
            // What is not there any more, or is there already, is refused, and no change.
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                try? changes.append(#require(await database.add(Self.draft(40 + step, &random), for: "alice").change))
            case 1:
                let patch = TodoPatch(date: CalendarDate("2026-11-0\(step % 9 + 1)")!, position: Double(step % 5))
                try? changes.append(
                    #require(await database.update(id, of: "alice", with: patch, expecting: nil).change)
                )
            default: try? changes.append(await database.remove(id, of: "alice", expecting: nil))
            }
        }
        #expect(changes.count > 10)
        list = try await list.applying(changes)
        let due = try await Self.read(database)
        #expect(list.id == due.id)
        #expect(list.text(for: .own) == due.text(for: .own))
    }

    private static func draft(_ number: Int, _ random: inout SeededRandom) -> TodoDraft {
        let day = CalendarDate("2026-11-0\(Int.random(in: 1...4, using: &random))")!
        let time = TimeOfDay(hour: Int.random(in: 21..<27, using: &random), minute: 0)
        return TodoDraft(id: "t\(number)", date: day, time: time, content: "c\(number)")
    }

    private static func read(_ database: InMemoryTodoRepository) async throws -> TodoList {
        let read = try await database.stores.shared.list(of: "alice", for: "alice", in: nil).read
        return try #require(read).list
    }
}
