import Foundation
import TodoMate

/// What a page shows that applies each event of a stream: the todos by their ids.
struct StreamView {
    private(set) var todos: [String: Todo] = [:]
    /// The id of the last event.
    private(set) var id: String?
    /// Events that could not be read; there must be none.
    private(set) var unreadable: [SeenEvent] = []

    private struct Snapshot: Decodable { var id: String, todos: [TodoDTO] }
    private struct Change: Decodable { var todo: TodoDTO }

    mutating func apply(_ event: SeenEvent) {
        let decoder = JSONDecoder()
        let data = Data(event.data.utf8)
        id = event.id ?? id
        if event.kind == "snapshot", let snapshot = try? decoder.decode(Snapshot.self, from: data) {
            let pairs = snapshot.todos.map { ($0.toModel().id, $0.toModel()) }
            todos = Dictionary(pairs) { $1 }
        } else if event.kind == "relation" || event.kind == "settings" {
            // Of the account: no todo is another one for it.
        } else if let change = try? decoder.decode(Change.self, from: data) {
            let todo = change.todo.toModel()
            todos[todo.id] = event.kind == "removed" ? nil : todo
        } else {
            unreadable.append(event)
        }
    }
}
