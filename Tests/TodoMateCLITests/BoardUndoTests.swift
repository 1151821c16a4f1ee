import EventLoop
import Foundation
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("What the board's u takes back")
@LoopActor
struct BoardUndoTests {
    /// What was done on the board.
    enum Act: CaseIterable, Sendable { case status, words, order, day, add, delete, make }
    /// What became of the todo elsewhere between that and `u`.
    enum Since: CaseIterable, Sendable { case nothing, sameField, otherField, removed, broughtBack }
    /// What `u` comes to.
    enum Outcome: Sendable { case undone, changed, gone, there }

    nonisolated static let table: [(act: Act, since: Since, outcome: Outcome)] = Act.allCases.flatMap { act in
        Since.allCases.map { since in
            let outcome: Outcome =
                switch (act, since) {
                case (.delete, .sameField), (.delete, .otherField): .there
                case (.delete, _): .undone
                case (_, .sameField), (.add, .otherField): .changed
                case (_, .removed): .gone
                case (_, .nothing), (_, .otherField), (_, .broughtBack): .undone
                }
            return (act, since, outcome)
        }
    }

    private let today = CalendarDate(Date(), in: .gmt)
    private let repository = InMemoryTodoRepository()
    private let service: TodoService
    private var state = BoardState(users: 1, makeID: { "t0" })

    init() {
        service = TodoService(repository)
    }

    private func change(_ act: Act) -> BoardWrite.Change {
        switch act {
        case .status, .make: .patch(TodoPatch(status: .complete))
        case .words: .patch(TodoPatch(content: "oat milk"))
        case .order: .place(.after("t1"))
        case .day: .patch(TodoPatch(date: today.adding(days: 1)))
        case .add: .add(TodoDraft(id: "t0", date: today, content: "milk"))
        case .delete: .remove
        }
    }

    /// Another device writes.
    private func happens(_ since: Since, after act: Act) async throws {
        func again(_ todo: Todo, content: String? = nil, detail: String? = nil) async throws {
            let draft = TodoDraft(
                id: todo.id,
                date: todo.date,
                content: content ?? todo.content,
                detail: detail ?? todo.detail,
                status: todo.status,
                position: todo.position
            )
            try await service.create(draft, for: "alice")
        }
        let milk = sampleTodo("milk", id: "t0", on: today)
        switch (since, act) {
        case (.nothing, _), (.removed, .delete): break
        case (.sameField, .delete): try await again(milk, content: "soy milk")
        case (.otherField, .delete): try await again(milk, detail: "theirs")
        case (.broughtBack, .delete): try await again(milk)
        case (.sameField, .status), (.sameField, .make):
            try await service.update(id(act), of: "alice", with: TodoPatch(status: .incomplete))
        case (.sameField, .words), (.sameField, .add):
            try await service.update("t0", of: "alice", with: TodoPatch(content: "soy milk"))
        case (.sameField, .order): try await service.move("t0", of: "alice", to: .after("t2"))
        case (.sameField, .day):
            try await service.update("t0", of: "alice", with: TodoPatch(date: today.adding(days: 3)))
        case (.otherField, _): try await service.update(id(act), of: "alice", with: TodoPatch(detail: "theirs"))
        case (.removed, _): try await service.remove(id(act), of: "alice")
        case (.broughtBack, _): try await again(service.remove(id(act), of: "alice"))
        }
    }

    private mutating func perform(_ effects: [BoardEffect]) async throws {
        for case .write(let write) in effects {
            do throws(TodoError) {
                let placed = try await service.perform(write, repository.stores.routines)
                state.finished(write, nil, placed: placed)
            } catch {
                state.finished(write, error)
            }
        }
    }

    /// The todo, or the routine's day that is not made yet.
    private func now(_ act: Act) async throws -> Todo? {
        let stored = try await service.todos(of: "alice").first { $0.id == id(act) }
        if let stored { return stored }
        return try await repository.stores.relations.profile(of: "alice").settings.unmade(id(act))
    }

    private func id(_ act: Act) -> String { act == .make ? Routine.id(of: "r1", on: today) : "t0" }

    @Test("Only what nobody has changed since is taken back, and the rest is told", arguments: table)
    mutating func undo(act: Act, since: Since, outcome: Outcome) async throws {
        for (index, content) in ["milk", "bread", "eggs"].enumerated() where ![.add, .make].contains(act) || index > 0 {
            try await service.create(TodoDraft(id: "t\(index)", date: today, content: content), for: "alice")
        }
        let routine = RoutinePatch(id: "r1", content: "milk", rule: RoutineRule(.daily), from: today)
        if act == .make { try await repository.stores.routines.set([routine], of: "alice") }
        let before = try await now(act)
        #expect(before?.isUnmade ?? false == (act == .make))
        try await perform(state.write(change(act), id: id(act), uid: "alice", before: before))
        try await happens(since, after: act)
        let left = try await now(act)
        try await perform(state.undo())
        let end = try await now(act)
        switch outcome {
        case .undone:
            #expect(state.notice == .undone("milk"))
            #expect(end?.content == before?.content && end?.status == before?.status && end?.date == before?.date)
            #expect(end?.position == before?.position)
            #expect(end?.isUnmade == before.map { $0.isUnmade && since != .otherField })
            #expect(end?.detail == before.map { since == .otherField ? "theirs" : $0.detail })
        case .changed, .gone, .there:
            #expect(end == left, "nothing of it is written")
            guard case .notUndone("milk", let error) = state.notice else {
                Issue.record("it says that it is not undone")
                return
            }
            let told: Outcome? =
                switch error {
                case .conflict: .changed
                case .notFound: .gone
                case .exists: .there
                default: nil
                }
            #expect(told == outcome)
            for words in [EnglishWords(), KoreanWords()] as [any BoardWords] {
                #expect(words.notice(.notUndone("milk", error), day: \.description).contains("milk"))
            }
            #expect(state.undo().isEmpty, "asking again changes nothing")
        }
    }
}
