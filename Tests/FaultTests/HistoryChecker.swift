import Foundation
import TodoMate

/// Holds all that was seen in a run, over all that was lost in it, against the promise that one id names one state, and that
/// what one write made of a todo is one set of words. Reactions are left out: they move neither.
struct HistoryChecker {
    /// What one reader has of a user: each todo's hash by its id.
    struct State {
        fileprivate var todos: [String: Int] = [:]

        fileprivate mutating func set(_ id: String, _ hash: Int?) { todos[id] = hash }
    }

    /// What a write made of a todo.
    private struct Write: Hashable {
        var uid: String
        var id: String
        var written: ExpectedRevision
    }

    private struct Moment: Hashable {
        var uid: String
        var id: ChangeID
    }

    private var words: [Write: Todo] = [:]
    private var seen: [Moment: (todos: [String: Int], by: String, record: StreamClient.Record)] = [:]
    /// What was read already, by its text: most readers are told the same.
    private var read: [String: [Todo]] = [:]
    private(set) var objections: [String] = []

    /// How many states were seen, each by its id.
    var states: Int { seen.count }

    /// Takes in a snapshot.
    mutating func check(
        snapshot text: String,
        _ id: ChangeID,
        of record: StreamClient.Record,
        _ state: inout State,
        _ name: String
    ) {
        state = State()
        for todo in todos(text, name) { state.set(todo.id, Self.hash(todo)) }
        note(state, id, record, name)
    }

    /// Takes in a change.
    mutating func check(
        change event: SeenEvent,
        _ id: ChangeID,
        of record: StreamClient.Record,
        _ state: inout State,
        _ name: String
    ) {
        for todo in todos(event.data, name) { state.set(todo.id, event.kind == "removed" ? nil : Self.hash(todo)) }
        note(state, id, record, name)
    }

    /// Takes in the todos of a message or list.
    mutating func check(words text: String, _ name: String) { _ = todos(text, name) }

    /// Takes in a todo.
    mutating func check(words todo: Todo, _ name: String) {
        guard todo.revision > 0 else { return }
        let write = Write(uid: todo.uid, id: todo.id, written: todo.written)
        let bare = Self.withoutReactions(todo)
        if let other = words.updateValue(bare, forKey: write), other != bare {
            objections.append("\(name): \(todo.id) at \(todo.written) is \(bare), and was \(other)")
        }
    }

    private mutating func note(_ state: State, _ id: ChangeID, _ record: StreamClient.Record, _ name: String) {
        // A reader of one day has a part of it; and todos without a log have no name.
        guard record.day == nil, id != .lost else { return }
        let moment = Moment(uid: record.uid, id: id)
        guard let other = seen[moment] else { return seen[moment] = (state.todos, name, record) }
        guard other.todos != state.todos else { return }
        let differing = Set(state.todos.keys).union(other.todos.keys).filter { state.todos[$0] != other.todos[$0] }
            .sorted()
        let marks = differing.prefix(5).map {
            "\($0) \(state.todos[$0] == nil ? "is missing" : other.todos[$0] == nil ? "should not be there" : "has other words")"
        }
        objections.append(
            "\(name): shows \(state.todos.count) todos as of \(id), where \(other.by) was shown others: \(marks); it was told "
                + "\(Self.way(of: record, to: id)), and the other \(Self.way(of: other.record, to: id))"
        )
    }

    /// The last events of a reader up to a change, and the next.
    private static func way(of record: StreamClient.Record, to id: ChangeID) -> [String] {
        let place = record.events.firstIndex { $0.id == "\(id)" } ?? 0
        return record.events.prefix(place + 4).suffix(11).map { "\($0.kind) \($0.id ?? "-")" }
    }

    private struct Message: Decodable {
        var todo: TodoDTO?
        var todos: [TodoDTO]?
    }

    private mutating func todos(_ text: String, _ name: String) -> [Todo] {
        if let known = read[text] { return known }
        let message = try? JSONDecoder().decode(Message.self, from: Data(text.utf8))
        let todos = (message?.todos ?? message?.todo.map { [$0] } ?? []).map { $0.toModel() }
        read[text] = todos
        for todo in todos { check(words: todo, name) }
        return todos
    }

    private static func hash(_ todo: Todo) -> Int { withoutReactions(todo).hashValue }

    private static func withoutReactions(_ todo: Todo) -> Todo {
        var todo = todo
        todo.reactions = [:]
        return todo
    }
}
