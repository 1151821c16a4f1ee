import Foundation
import TodoMate

/// What a page shows that applies each event of a board: of each owner the todos, with the access, or nothing.
struct BoardView {
    /// One owner's todos, as far as the viewer may see them.
    struct Share: Equatable {
        var access: Access
        var todos: [String: Todo]
    }

    private(set) var shares: [String: Share] = [:]
    /// Events that must not come.
    private(set) var objections: [String] = []

    private struct Snapshot: Decodable { var uid: String, access: Access, todos: [TodoDTO] }
    private struct Change: Decodable { var todo: TodoDTO }
    /// Of a todo that may not be seen any more there is no more than this.
    private struct Removal: Decodable {
        struct Todo: Decodable { var id: String, uid: String }
        var todo: Todo
    }
    private struct Closed: Decodable { var uid: String }

    /// What is shown otherwise than it may be seen; an owner who is in neither is closed.
    func disagreements(with due: [String: Share], of owners: [String]) -> [String] {
        let words = { (share: Share?) in
            share.map { "\($0.todos.count) todos by the access \($0.access)" } ?? "nothing"
        }
        return owners.filter { shares[$0] != due[$0] }
            .map { "\(words(shares[$0])) of \($0), and should show \(words(due[$0]))" }
    }

    mutating func apply(_ event: SeenEvent) {
        do {
            try take(event, Data(event.data.utf8))
        } catch {
            objections.append("cannot be read: \(event)")
        }
    }

    private mutating func take(_ event: SeenEvent, _ data: Data) throws {
        let decoder = JSONDecoder()
        switch event.kind {
        case "snapshot":
            let snapshot = try decoder.decode(Snapshot.self, from: data)
            let todos = snapshot.todos.map { $0.toModel() }
            shares[snapshot.uid] = Share(
                access: snapshot.access,
                todos: Dictionary(todos.map { ($0.id, $0) }) { $1 }
            )
            for todo in todos { check(todo, snapshot.access) }
        case "added", "modified":
            let todo = try decoder.decode(Change.self, from: data).todo.toModel()
            guard let share = shares[todo.uid] else { return objections.append("told of a closed share: \(event)") }
            shares[todo.uid]?.todos[todo.id] = todo
            check(todo, share.access)
        case "removed":
            let todo = try decoder.decode(Removal.self, from: data).todo
            guard shares[todo.uid] != nil else { return objections.append("told of a closed share: \(event)") }
            shares[todo.uid]?.todos[todo.id] = nil
        case "closed": shares[try decoder.decode(Closed.self, from: data).uid] = nil
        case "relation", "settings", "badges": break
        default: objections.append("of another kind: \(event)")
        }
    }

    private mutating func check(_ todo: Todo, _ access: Access) {
        if !access.covers(todo.visibility) { objections.append("told somebody with the access \(access) of \(todo)") }
    }
}
