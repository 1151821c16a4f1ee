import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate

@Suite("What is read live")
@LoopActor
struct LiveReadingTests {
    private let repository = InMemoryTodoRepository()
    private let container: DIContainer
    private let today = CalendarDate("2026-11-24")!

    init() { container = DIContainer(repository: repository) }

    private func week(_ failures: Int = 0) -> LiveReading<Week> {
        let (feeds, today) = (repository.stores.feeds, today)
        var left = failures
        return LiveReading(service: container.todoRealtimeService, uid: "alice") { () throws(TodoError) in
            left -= 1
            guard left < 0 else { throw .unavailable("not yet") }
            return try await feeds.week(of: "alice", until: today)
        }
    }

    private func add(_ id: String, _ status: TodoStatus = .complete) async throws {
        let draft = TodoDraft(id: id, date: today, content: id, status: status, visibility: .public)
        try await container.todoService.create(draft, for: "alice")
    }

    private func shows(_ reading: LiveReading<Week>, _ count: Int?) async throws {
        try await eventually("\(count ?? -1) finished") { reading.value?.count == count }
    }

    @Test("is read at the beginning and after each change, until it is not shown any more")
    func follows() async throws {
        let (reading, service) = (week(), container.todoService)
        try await add("a")
        #expect(reading.value == nil)
        var told = 0
        reading.onChange = { told += 1 }
        reading.onAppear()
        reading.onAppear()
        try await shows(reading, 1)
        try await add("b", .todo)
        try await service.update("b", of: "alice", with: TodoPatch(status: .complete))
        try await shows(reading, 2)
        try await service.remove("a", of: "alice")
        try await shows(reading, 1)
        #expect(told >= 3)
        reading.onDisappear()
        #expect(container.todoRealtimeService.observerCount(of: "alice") == 0)
        try await service.remove("b", of: "alice")
        #expect(reading.value?.count == 1, "it stays as it was")
        reading.onAppear()
        try await shows(reading, 0)
        reading.onDisappear()
    }

    @Test("is tried again where it cannot be read")
    func retries() async throws {
        let reading = week(2)
        try await add("a")
        reading.onAppear()
        try await shows(reading, 1)
        reading.onDisappear()
    }

    @Test("of a todo follows its reactions and blocks, and is gone with it")
    func reactors() async throws {
        let stores = repository.stores
        let reader = ReactionReader(stores.personal)
        let reading = LiveReading(
            service: container.todoRealtimeService,
            uid: "alice",
            isConcerned: { $0.todo.id == "a" }
        ) { () throws(TodoError) in try await reader.reactors(to: "a", of: "alice").map(\.person.uid) }
        try await add("a")
        reading.onAppear()
        try await eventually("nobody") { reading.value == [] }
        for person in ["bob", "carol"] { try await stores.feeds.react("🎉", to: "a", of: "alice", by: person) }
        try await eventually("both") { reading.value == ["bob", "carol"] }
        _ = try await stores.relations.block("bob", by: "alice")
        try await eventually("the other one") { reading.value == ["carol"] }
        try await container.todoService.remove("a", of: "alice")
        try await eventually("nothing") { reading.value == nil }
        reading.onDisappear()
    }
}
