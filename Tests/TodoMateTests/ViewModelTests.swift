import EventLoop
import Foundation
import Observation
import TestServers
import Testing

@testable import TodoMate

/// A clock that the test sets.
@LoopActor
private final class WallClock {
    var now: Date
    nonisolated init(_ text: String) { now = try! Date(text, strategy: .iso8601) }
}

@Suite("View models")
@LoopActor
struct ViewModelTests {
    private let repository = InMemoryTodoRepository()
    private let container: DIContainer
    private let clock = WallClock("2026-11-20T10:00:00Z")
    private let seoul = TimeZone(identifier: "Asia/Seoul")!

    init() { container = DIContainer(repository: repository) }

    private func todayList(_ uid: String = "alice") -> TodoListViewModel {
        TodoListViewModel(
            service: container.todoRealtimeService,
            uid: uid,
            timeZone: seoul,
            now: { [clock] in clock.now }
        )
    }

    @discardableResult
    private func add(_ content: String, _ date: String = "2026-11-20", for uid: String = "alice") async throws -> Todo {
        try await container.todoService.create(TodoDraft(date: CalendarDate(date)!, content: content), for: uid)
    }

    private func untilLive(_ model: LiveTodosViewModel) async throws {
        try await eventually("the view model is live") { model.phase == .live }
    }

    @Test("of a day load what is there and follow what comes, by position")
    func loads() async throws {
        let first = try await add("first")
        try await add("other day", "2026-11-21")
        let model = todayList()
        #expect(model.todos.isEmpty)
        model.onAppear()
        try await untilLive(model)
        let second = try await add("second")
        try await add("bob's", for: "bob")
        #expect(model.todos.map(\.content) == ["first", "second"])
        try await container.todoService.move(second.id, of: "alice", to: .before(first.id))
        #expect(model.todos.map(\.content) == ["second", "first"])
        try await container.todoService.remove(first.id, of: "alice")
        #expect(model.todos.map(\.content) == ["second"])
    }

    @Test("of a day let go of a todo that moves away and take in one that moves in")
    func moves() async throws {
        let stays = try await add("stays")
        let comes = try await add("comes", "2026-11-25")
        let model = todayList()
        model.onAppear()
        try await untilLive(model)
        let service = container.todoService
        try await service.update(comes.id, of: "alice", with: TodoPatch(date: model.date))
        #expect(model.todos.map(\.content) == ["stays", "comes"])
        try await service.update(
            stays.id,
            of: "alice",
            with: TodoPatch(date: CalendarDate("2026-12-01")!),
            expecting: nil
        )
        #expect(model.todos.map(\.content) == ["comes"])
    }

    @Test("of a day turn over at midnight of their time zone")
    func midnight() async throws {
        try await add("friday")
        try await add("saturday", "2026-11-21")
        let model = todayList()
        model.onAppear()
        try await untilLive(model)
        clock.now = try Date("2026-11-20T14:59:59Z", strategy: .iso8601)
        model.checkDay()
        #expect(model.todos.map(\.content) == ["friday"])
        clock.now = try Date("2026-11-20T15:00:00Z", strategy: .iso8601)
        model.checkDay()
        #expect(model.date.description == "2026-11-21")
        try await untilLive(model)
        #expect(model.todos.map(\.content) == ["saturday"])
        try await add("late for friday")
        try await add("more", "2026-11-21")
        #expect(model.todos.map(\.content) == ["saturday", "more"])
    }

    @Test("of a day turn over by themselves, within a moment")
    func turns() async throws {
        try await add("saturday", "2026-11-21")
        let model = todayList()
        model.onAppear()
        try await untilLive(model)
        clock.now = try Date("2026-11-20T15:00:00Z", strategy: .iso8601)
        let midnight = ContinuousClock.now
        try await eventually("the morning shows") { model.todos.map(\.content) == ["saturday"] }
        #expect(ContinuousClock.now - midnight < .seconds(6))
    }

    @Test("read again when a change is from before their snapshot, as after a clock was set back")
    func clockSetBack() async throws {
        let repository = InMemoryTodoRepository(now: { [clock] in clock.now })
        let container = DIContainer(repository: repository)
        let day = CalendarDate("2026-11-20")!
        clock.now += 3600
        _ = try await container.todoService.create(TodoDraft(id: "a", date: day, content: "first"), for: "alice")
        let models = (0..<2).map { _ in
            TodosInMonthViewModel(
                service: container.todoRealtimeService,
                uid: "alice",
                month: CalendarMonth(containing: day)
            )
        }
        models[0].onAppear()
        try await untilLive(models[0])
        clock.now -= 3600
        // The other one's snapshot is on its way when the change comes.
        models[1].onAppear()
        _ = try await container.todoService.create(TodoDraft(id: "b", date: day, content: "second"), for: "alice")
        for model in models {
            try await eventually("both show") { model.todos.map(\.content) == ["first", "second"] }
            try await untilLive(model)
        }
        _ = try await container.todoService.create(TodoDraft(id: "c", date: day, content: "third"), for: "alice")
        for model in models { #expect(model.todos.map(\.content) == ["first", "second", "third"]) }
    }

    @Test("stop with onDisappear, and are up to date again after the next onAppear")
    func disappear() async throws {
        let model = todayList()
        model.onAppear()
        try await untilLive(model)
        model.onDisappear()
        try await add("unseen")
        #expect(model.todos.isEmpty)
        model.onAppear()
        try await eventually("it is loaded again") { model.todos.map(\.content) == ["unseen"] }
    }

    @Test("are let go of without onDisappear")
    func weak() async throws {
        weak var gone: TodoListViewModel?
        do {
            let model = todayList()
            model.onAppear()
            try await untilLive(model)
            gone = model
        }
        try await eventually("nothing holds the view model") { gone == nil }
    }

    @Test("of a month group by day and lay out 42 squares")
    func month() async throws {
        for (content, date) in [("a", "2026-11-01"), ("b", "2026-11-20"), ("c", "2026-11-20"), ("d", "2026-12-01")] {
            try await add(content, date)
        }
        let month = CalendarMonth("2026-11")!
        let model = TodosInMonthViewModel(service: container.todoRealtimeService, uid: "alice", month: month)
        model.onAppear()
        try await untilLive(model)
        #expect(
            model.todosByDay.mapValues { $0.map(\.content) } == [
                CalendarDate("2026-11-01")!: ["a"], CalendarDate("2026-11-20")!: ["b", "c"],
            ]
        )
        #expect(model.grid.count == 42)
        #expect(model.grid.filter(\.isInMonth).count == 30)
        #expect(model.grid[19].todos.map(\.content) == ["b", "c"])
        // December's todo is not November's, though its square is on the page.
        #expect(model.grid[30].date.description == "2026-12-01")
        #expect(model.grid[30].todos.isEmpty)
        model.show(month.next)
        try await untilLive(model)
        #expect(model.todos.map(\.content) == ["d"])
        try await add("e", "2026-11-30")
        try await add("f", "2026-12-31")
        #expect(model.todos.map(\.content) == ["d", "f"])
    }

    @Test("tell SwiftUI and other readers through Observation")
    func observable() async throws {
        let model = todayList()
        model.onAppear()
        try await untilLive(model)
        await confirmation { changed in
            withObservationTracking {
                _ = model.todos
            } onChange: {
                changed()
            }
            _ = try? await add("seen")
        }
    }

    @Test("do not wake for a change that shows nowhere")
    func quiet() async throws {
        let model = todayList()
        model.onAppear()
        try await untilLive(model)
        await confirmation(expectedCount: 0) { changed in
            withObservationTracking {
                _ = model.todos
            } onChange: {
                changed()
            }
            _ = try? await add("elsewhere", "2026-12-24")
        }
    }
}
