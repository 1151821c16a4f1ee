import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate

@Suite("The view model of what a user has decided")
@LoopActor
struct SettingsViewModelTests {
    private let repository = InMemoryTodoRepository()
    private let container: DIContainer
    private let today = CalendarDate(Date(), in: .gmt)

    init() { container = DIContainer(repository: repository) }

    private var routines: any RoutineStoreType { repository.stores.routines }

    private func model() -> SettingsViewModel {
        SettingsViewModel(
            service: container.todoRealtimeService,
            relations: repository.stores.relations,
            uid: "alice"
        )
    }

    private func make(_ id: String, _ content: String, for uid: String = "alice") async throws {
        let patch = RoutinePatch(id: id, content: content, rule: RoutineRule(.daily), from: today)
        try await routines.set([patch], of: uid)
    }

    private func left(_ model: SettingsViewModel, besides todos: [Todo] = []) -> [String] {
        model.withRoutines(todos, in: today...today.adding(days: 1), today: today).map {
            "\($0.content) \($0.date.day)"
        }
    }

    @Test("knows nothing before it was read, and follows each change at once")
    func follows() async throws {
        let (model, service) = (model(), container.todoService)
        let (first, second) = (today.day, today.adding(days: 1).day)
        try await make("r1", "Run")
        #expect(model.settings == nil && model.goals.isEmpty && left(model).isEmpty)
        model.onAppear()
        model.onAppear()
        try await eventually("it was read") { model.settings != nil }
        #expect(left(model) == ["Run \(first)", "Run \(second)"])
        // Without another read.
        try await make("r2", "Bob's", for: "bob")
        try await make("r3", "Read")
        #expect(left(model) == ["Run \(first)", "Read \(first)", "Run \(second)", "Read \(second)"])
        try await service.update(Routine.id(of: "r1", on: today), of: "alice", with: TodoPatch(status: .complete))
        #expect(left(model) == ["Read \(first)", "Run \(second)", "Read \(second)"])
        try await service.remove(Routine.id(of: "r1", on: today), of: "alice")
        #expect(left(model) == ["Read \(first)", "Run \(second)", "Read \(second)"], "it does not come back")
        try await routines.skip(today, of: "r1", of: "alice", isBack: true)
        try await routines.set([RoutinePatch(id: "r3", isEnded: true)], of: "alice")
        #expect(left(model) == ["Run \(first)", "Run \(second)"])
        try await repository.stores.goals.set(GoalPatch(id: "g1", name: "Body"), of: "alice")
        #expect(model.goals.map(\.name) == ["Body"])
        model.onDisappear()
        try await make("r4", "Unseen")
        #expect(left(model) == ["Run \(first)", "Run \(second)"])
        model.onAppear()
        try await eventually("it was read again") { left(model).contains("Unseen \(first)") }
        model.onDisappear()
    }

    @Test("puts days among todos in list order, and shows none twice")
    func order() async throws {
        let model = model()
        try await make("r1", "Run")
        model.onAppear()
        try await eventually("it was read") { model.settings != nil }
        var todos: [Todo] = []
        for (id, position) in [("before", 0.0), ("behind", 9)] {
            let draft = TodoDraft(id: id, date: today, content: id, position: position)
            todos.append(try await container.todoService.create(draft, for: "alice"))
        }
        let day = today...today
        #expect(model.withRoutines(todos, in: day, today: today).map(\.content) == ["before", "Run", "behind"])
        // One that has come to a list before its change is known here.
        todos.append(try #require(model.settings?.routineTodos(in: day, today: today).first))
        #expect(model.withRoutines(todos, in: day, today: today).count == 3)
        model.onDisappear()
    }
}
