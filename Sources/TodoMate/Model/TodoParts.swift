import Foundation

/// Stored todos that are read one by one, to become a ``TodoList``.
package struct TodoParts: Sendable {
    private(set) var todos: [ListedTodo] = []
    /// How much their JSON takes.
    private(set) var byteCount = 0

    /// None so far.
    package init() {}

    /// Adds a todo as it is stored.
    ///
    /// - Throws: ``TodoError/broken(_:)`` when it is none.
    package mutating func append(_ stored: [UInt8]) throws(TodoError) {
        let todo = ListedTodo(try Self.read(stored))
        todos.append(todo)
        byteCount += todo.byteCount
    }

    static func read(_ stored: [UInt8]) throws(TodoError) -> CanonicalTodo {
        let bytes = LineSeparators.escaped(in: stored)
        return if let todo = canonical(bytes) { todo } else { try ForeignTodos.todo(bytes) }
    }

    static func canonical(_ bytes: [UInt8]) -> CanonicalTodo? {
        bytes.withUnsafeBufferPointer { memory in
            var scanner = MessageScanner(memory)
            guard let todo = CanonicalTodo(&scanner, of: bytes), scanner.next == bytes.count else { return nil }
            return todo
        }
    }
}

/// Todos in another spelling than the functions', such as those written by hand: read by the JSON decoder, and encoded again.
enum ForeignTodos {
    static func todo(_ bytes: [UInt8]) throws(TodoError) -> CanonicalTodo {
        try written((try? JSONDecoder().decode(TodoDTO.self, from: Data(bytes)))?.toModel())
    }

    static func list(_ bytes: [UInt8]) throws(TodoError) -> (ChangeID, [CanonicalTodo]) {
        struct Wire: Decodable {
            var id: String
            var todos: [TodoDTO]
        }
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(bytes)), let id = ChangeID(wire.id) else {
            throw unreadable
        }
        var todos: [CanonicalTodo] = []
        for todo in wire.todos { todos.append(try written(todo.toModel())) }
        return (id, todos)
    }

    private static func written(_ todo: Todo?) throws(TodoError) -> CanonicalTodo {
        guard let json = todo.map({ Array(TodoDTO($0).json.utf8) }), let todo = TodoParts.canonical(json) else {
            throw unreadable
        }
        return todo
    }

    static let unreadable = TodoError.broken(
        "Redis holds todos that cannot be read: run 'redis-cli HGETALL' on them and repair or remove the broken one"
    )
}
