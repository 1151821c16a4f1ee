import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate

@Suite("The view model of what is left from earlier")
@LoopActor
struct EarlierTodosViewModelTests {
    private let repository = InMemoryTodoRepository()
    private let container: DIContainer
    private let today = CalendarDate("2026-11-20")!

    init() { container = DIContainer(repository: repository) }

    private func model() -> EarlierTodosViewModel {
        EarlierTodosViewModel(
            service: container.todoRealtimeService,
            feeds: repository.stores.feeds,
            uid: "alice",
            before: today
        )
    }

    @discardableResult
    private func add(_ content: String, _ offset: Int = -1, for uid: String = "alice") async throws -> Todo {
        let draft = TodoDraft(
            id: content.filter(\.isLetter) + content.filter(\.isNumber),
            date: today.adding(days: offset),
            content: content
        )
        return try await container.todoService.create(draft, for: uid)
    }

    private func shows(_ model: EarlierTodosViewModel, _ contents: [String], _ count: Int? = nil) async throws {
        try await eventually("\(contents) of \(count ?? contents.count)") {
            model.todos.map(\.content) == contents && model.count == count ?? contents.count
        }
    }

    @Test("reads what is there, and follows each change at once")
    func follows() async throws {
        let (model, service) = (model(), container.todoService)
        try await add("old", -400)
        model.onAppear()
        try await shows(model, ["old"])
        try await add("today", 0)
        try await add("new")
        try await add("bob's", for: "bob")
        // Without another read: what has come in order is there.
        #expect(model.todos.map(\.content) == ["new", "old"] && model.count == 2)
        func update(_ id: String, _ patch: TodoPatch) async throws {
            try await service.update(id, of: "alice", with: patch)
        }
        try await update("new", TodoPatch(status: .complete))
        #expect(model.todos.map(\.content) == ["old"])
        try await update("new", TodoPatch(status: .inProgress))
        try await update("old", TodoPatch(content: "older"))
        #expect(model.todos.map(\.content) == ["new", "older"])
        try await update("old", TodoPatch(date: today))
        try await update("today", TodoPatch(date: today.adding(days: -3)))
        #expect(model.todos.map(\.content) == ["new", "today"])
        try await service.remove("new", of: "alice")
        #expect(model.todos.map(\.content) == ["today"] && model.count == 1)
        model.onDisappear()
        try await service.remove("today", of: "alice")
        #expect(model.todos.map(\.content) == ["today"], "it stays as it was")
        model.onAppear()
        try await shows(model, [])
    }

    @Test("takes no todo that was only published")
    func published() async throws {
        let model = model()
        model.onAppear()
        try await add("stored")
        try await shows(model, ["stored"])
        let todo = #"{"id":"shown","uid":"alice","date":"2026-11-19","content":"x"}"#
        repository.publish(Array(#"{"type":"added","todo":\#(todo)}"#.utf8), for: "alice")
        let gone = #"{"id":"stored","uid":"alice","date":"2026-11-19","content":"x"}"#
        repository.publish(Array(#"{"type":"removed","todo":\#(gone)}"#.utf8), for: "alice")
        #expect(model.todos.map(\.content) == ["stored"])
    }

    @Test("turns to the next day at midnight")
    func midnight() async throws {
        let model = model()
        try await add("yesterday")
        try await add("today", 0)
        model.onAppear()
        try await shows(model, ["yesterday"])
        model.show(before: today.adding(days: 1))
        try await shows(model, ["today", "yesterday"])
        model.show(before: today)
        #expect(model.todos.map(\.content) == ["yesterday"])
    }

    @Test("lists the latest where there are too many, counts all, and fills up what leaves")
    func many() async throws {
        let model = model()
        for number in 1...EarlierTodos.most + 2 { try await add("\(number)", -number) }
        model.onAppear()
        let most = EarlierTodos.most
        try await shows(model, (1...most).map(String.init), most + 2)
        try await container.todoService.remove("1", of: "alice")
        try await shows(model, (2...most + 1).map(String.init), most + 1)
        try await container.todoService.remove("\(most + 2)", of: "alice")
        try await shows(model, (2...most + 1).map(String.init), most)
        try await add("onemore", 0)
        try await container.todoService.update("onemore", of: "alice", with: TodoPatch(date: today.adding(days: -1)))
        try await shows(model, ["onemore"] + (2...most).map(String.init), most + 1)
    }
}
