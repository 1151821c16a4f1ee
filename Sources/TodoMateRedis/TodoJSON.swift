import EventLoop
import Foundation
import TodoMate

/// Reads what the functions answer.
enum TodoJSON {
    /// A todo; nil when it is none.
    static func todo(_ bytes: some Collection<UInt8>) -> Todo? {
        try? JSONDecoder().decode(TodoDTO.self, from: Data(bytes)).toModel()
    }

    // Bytes, as comparing with those of a text takes ten times as long.
    private static let unchanged = Array(#"{"type":"unchanged","todo":"#.utf8)

    /// What a writing function answered: a message, or `{"type":"unchanged","todo":{…}}`.
    @LoopActor
    static func write(_ bytes: [UInt8], of uid: String, from function: String) throws(TodoError) -> TodoWrite {
        if bytes.starts(with: unchanged), let todo = todo(bytes.dropFirst(unchanged.count).dropLast()) {
            return .unchanged(todo)
        }
        do throws(MessageRefusal) {
            return .changed(try TodoChange(message: bytes, uid: uid))
        } catch {
            throw .broken("\(function) answered something that is no change: \(error)")
        }
    }

    /// The same answer as text: passed on as it came, where its spelling and order allow.
    static func list(_ bytes: [UInt8]) throws(TodoError) -> TodoListText {
        if let list = CanonicalList(bytes) { return list.text }
        return TodoListText(try snapshot(bytes))
    }

    /// The answer of `todomate_list`: `{"id":"57-…","todos":[{…},…]}`, put into list order.
    static func snapshot(_ bytes: [UInt8]) throws(TodoError) -> TodoSnapshot {
        if let list = CanonicalList(bytes) { return list.snapshot }
        struct Wire: Decodable {
            var id: String
            var todos: [TodoDTO]
        }
        do {
            let wire = try JSONDecoder().decode(Wire.self, from: Data(bytes))
            guard let id = ChangeID(wire.id) else { throw TodoError.broken("the list has the id '\(wire.id)'") }
            return TodoSnapshot(id: id, todos: wire.todos.map { $0.toModel() }.sorted(by: Todo.isInListOrder))
        } catch let error as TodoError {
            throw error
        } catch {
            throw .broken(
                "Redis holds todos that cannot be read: run 'redis-cli HGETALL' on them and mend or remove the broken one"
            )
        }
    }
}
