import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

private let today = CalendarDate("2026-11-20")!
private let early = TimeOfDay("09:30")!
private let late = TimeOfDay("21:15")!

@Suite("The time of a todo, in every repository")
@LoopActor
struct TimeContractTests {
    @Test(
        "is stored, changed and taken away, and stays when the todo comes to another day",
        arguments: RepositoryKind.allCases
    )
    func written(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let draft = TodoDraft(id: "t1", date: today, time: early, content: "x")
            let added = try await repository.add(draft, for: "alice")
            #expect(added.todo.time == early)
            #expect(try await repository.todo("t1", of: "alice").time == early)
            func update(_ patch: TodoPatch) async throws -> TodoWrite {
                try await repository.update("t1", of: "alice", with: patch, expecting: nil)
            }
            #expect(try await update(TodoPatch(time: .set(early))).change == nil, "the same")
            #expect(try await update(TodoPatch(time: .set(late))).todo.time == late)
            #expect(try await update(TodoPatch(content: "y")).todo.time == late)
            #expect(try await update(TodoPatch(date: today.adding(days: 1))).todo.time == late)
            let without = try await update(TodoPatch(time: .remove))
            let json = String(decoding: without.json, as: UTF8.self)
            #expect(without.todo.time == nil && !json.contains("\"time\""), "\(json)")
            #expect(try await update(TodoPatch(time: .remove)).change == nil, "there was none")
            #expect(try await update(TodoPatch(time: .set(early))).todo.time == early)
            let removed = try await repository.remove("t1", of: "alice", expecting: nil)
            #expect(removed.todo.time == early)
        }
    }

    @Test("makes an add that is repeated another one", arguments: RepositoryKind.allCases)
    func addedAgain(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            var draft = TodoDraft(id: "t1", date: today, time: early, content: "x")
            _ = try await repository.add(draft, for: "alice")
            #expect(try await repository.add(draft, for: "alice").change == nil)
            for time in [nil, late] {
                draft.time = time
                await #expect(throws: TodoError.self) { _ = try await repository.add(draft, for: "alice") }
            }
        }
    }

    @Test("orders lists before the position", arguments: RepositoryKind.allCases)
    func order(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            for (id, time, position) in [
                ("none1", nil, 1.0), ("late", late, 0), ("early2", early, 9), ("early1", early, 8), ("none0", nil, -5),
            ] {
                let draft = TodoDraft(id: id, date: today, time: time, content: "x", position: position)
                _ = try await repository.add(draft, for: "u")
            }
            let due = ["early1", "early2", "late", "none0", "none1"]
            #expect(try await repository.snapshot(of: "u", in: today...today).todos.map(\.id) == due)
            #expect(try await repository.snapshot(of: "u", in: nil).todos.map(\.id) == due)
            let text = try await repository.list(of: "u", in: nil).json
            let ids = String(decoding: text, as: UTF8.self).matches(of: /\{"id":"([a-z0-9]+)"/).map { String($0.1) }
            #expect(ids == due)
        }
    }

    /// What moves, beside what, and the day then; nil where the todo's time puts it elsewhere.
    private nonisolated static let moves: [(id: String, place: TodoPlace, due: String?)] = [
        ("c", .before("b"), "a c b d e f"), ("b", .after("c"), "a c b d e f"), ("f", .before("e"), "a b c d f e"),
        ("e", .after("f"), "a b c d f e"), ("a", .before("b"), "a b c d e f"), ("d", .after("c"), "a b c d e f"),
        // The last of one time and the first of the next stand beside each other.
        ("c", .before("d"), "a b c d e f"), ("b", .before("d"), "a c b d e f"), ("f", .after("d"), "a b c d f e"),
        ("d", .before("e"), "a b c d e f"),
        ("a", .after("b"), nil), ("d", .before("c"), nil), ("b", .before("a"), nil), ("e", .before("d"), nil),
        ("e", .before("a"), nil), ("c", .after("e"), nil), ("d", .after("f"), nil), ("a", .after("f"), nil),
    ]

    @Test("lets a todo be moved among its like only", arguments: RepositoryKind.allCases)
    func moved(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let service = TodoService(repository)
            for (number, (id, place, due)) in Self.moves.enumerated() {
                let user = "u\(number)"
                for (id, time) in [
                    ("a", "08:00"), ("b", "09:30"), ("c", "09:30"), ("d", "21:15"), ("e", ""), ("f", ""),
                ] {
                    try await service.create(
                        TodoDraft(id: id, date: today, time: TimeOfDay(time), content: id),
                        for: user
                    )
                }
                let before = try await service.todos(of: user)
                if let due {
                    try await service.move(id, of: user, to: place)
                    #expect(try await service.todos(of: user).map(\.id).joined(separator: " ") == due, "\(id) \(place)")
                } else {
                    await #expect(throws: TodoError.self, "\(id) \(place)") {
                        _ = try await service.move(id, of: user, to: place)
                    }
                    #expect(try await service.todos(of: user) == before)
                }
            }
        }
    }

    @Test("stays when a todo is moved beside one of another day, and says where it may stand there")
    func movedFromElsewhere() async throws {
        let service = TodoService(InMemoryTodoRepository())
        for (id, day, time) in [("x", 0, "09:30"), ("y", 1, "08:00"), ("z", 1, "")] {
            let draft = TodoDraft(id: id, date: today.adding(days: day), time: TimeOfDay(time), content: id)
            try await service.create(draft, for: "u")
        }
        await #expect(
            throws: TodoError.invalid(
                "todos stand in the order of their times, those without one last: this one is at 09:30, so give it another time, or none"
            )
        ) { _ = try await service.move("x", of: "u", to: .after("z")) }
        await #expect(
            throws: TodoError.invalid(
                "todos stand in the order of their times, those without one last: this one has no time, so give it one"
            )
        ) { _ = try await service.move("z", of: "u", to: .before("y")) }
        let moved = try await service.move("x", of: "u", to: .before("z"))
        #expect(moved.time == early && moved.date == today.adding(days: 1))
        #expect(try await service.todos(of: "u").map(\.id) == ["y", "x", "z"])
    }

    @Test("survives that the todos of its time are numbered anew, and leaves those of other times alone")
    func renumbered() async throws {
        let service = TodoService(InMemoryTodoRepository())
        for (id, time) in [("a", "09:30"), ("b", "09:30"), ("c", "09:30"), ("n", "")] {
            try await service.create(TodoDraft(id: id, date: today, time: TimeOfDay(time), content: id), for: "u")
        }
        let alone = try await service.todo("n", of: "u")
        for round in 0..<70 { try await service.move(round % 2 == 0 ? "c" : "b", of: "u", to: .after("a")) }
        #expect(try await service.todos(of: "u").map(\.id) == ["a", "b", "c", "n"])
        #expect(try await service.todo("n", of: "u") == alone)
    }
}
