import EventLoop
import Foundation
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("An add that is sent again, with its key forgotten", .serialized)
@LoopActor
struct RepeatedAddTests {
    enum Past: CaseIterable {
        case nothing, removed, removedAfterMany, otherWords, before, stillThere, changed
    }

    private let day = CalendarDate("2026-11-20")!

    /// What the server has of a todo, and the last change that was known when it was added.
    private func make(_ past: Past, _ todos: any TodoRepositoryType) async throws -> ChangeID {
        guard past != .nothing else { return .zero }
        let words = past == .otherWords ? "else" : "typed"
        _ = try await todos.add(TodoDraft(id: "n", date: day, content: words), for: "alice")
        for count in 0..<(past == .removedAfterMany ? 250 : 0) {
            _ = try await todos.update("n", of: "alice", with: TodoPatch(content: "\(count)"), expecting: nil)
        }
        if past == .changed {
            _ = try await todos.update("n", of: "alice", with: TodoPatch(content: "edited"), expecting: nil)
        }
        if ![.stillThere, .changed].contains(past) { _ = try await todos.remove("n", of: "alice", expecting: nil) }
        return past == .before ? try await todos.snapshot(of: "alice", in: nil).id : .zero
    }

    @Test(
        "is not done again where it was done, also when it was removed or changed since, and is done otherwise",
        arguments: Past.allCases
    )
    func looked(_ past: Past) async throws {
        try await withClientGateway { gateway in
            let todos = gateway.stores.todos
            let since = try await make(past, todos)
            let server = Server(gateway.url, FixedToken(gateway.token("alice")))
            defer { server.close() }
            let request = Outbox.Request(
                number: 1,
                todo: "n",
                key: "k",
                intent: .add(TodoDraft(id: "n", date: day, content: "typed")),
                repeatedSince: since
            )
            let answer = await HTTPOutboxDoor(server).send(request, of: "alice")
            let now = try await todos.snapshot(of: "alice", in: nil)
            let isThere = now.todos.map(\.content) == ["typed"]
            switch (past, answer.outcome) {
            case (.removed, .written(let id, nil)), (.removedAfterMany, .written(let id, nil)):
                #expect(!isThere && id == now.id, "as of the removal")
            case (.nothing, .written), (.otherWords, .written), (.before, .written): #expect(isThere)
            case (.stillThere, .unchanged): #expect(isThere)
            case (.changed, .unchanged(let todo)): #expect(todo.content == "edited", "not offered as another's")
            default: Issue.record("\(past): \(answer.outcome)")
            }
        }
    }
}
