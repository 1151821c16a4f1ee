/// The answer of `todomate_list`, `{"id":"57-…","todos":[{…},…]}`, when every todo in it is spelled as the functions do.
///
/// Nil, and nothing said about the bytes, for any other spelling: that one is for the JSON decoder.
package struct CanonicalList {
    /// The change that the list is as of.
    package let id: ChangeID
    private let bytes: [UInt8]
    private let todos: [CanonicalTodo]

    package init?(_ bytes: [UInt8]) {
        let bytes = LineSeparators.escaped(in: bytes)
        guard let list = bytes.withUnsafeBufferPointer({ Self($0, of: bytes) }) else { return nil }
        self = list
    }

    private init?(_ memory: UnsafeBufferPointer<UInt8>, of bytes: [UInt8]) {
        var scanner = MessageScanner(memory)
        guard
            let id = scanner.string(after: #"{"id":""#).flatMap({ ChangeID(bytes: $0) }),
            scanner.skip(#","todos":["#)
        else { return nil }
        var todos: [CanonicalTodo] = []
        while !scanner.skip("]") {
            guard todos.isEmpty || scanner.skip(","), let todo = CanonicalTodo(&scanner, of: bytes) else { return nil }
            todos.append(todo)
        }
        guard scanner.ends(with: "}") else { return nil }
        self.id = id
        self.bytes = bytes
        self.todos = todos
    }

    /// The list with its todos in list order; as it came, when they are.
    package var text: TodoListText {
        let pairs = zip(todos, todos.dropFirst())
        if pairs.allSatisfy({ CanonicalTodo.isInListOrder($0, $1) }) { return TodoListText(id: id, json: bytes) }
        var json: [UInt8] = []
        json.reserveCapacity(bytes.count)
        json += Array("{\"id\":\"\(id)\",\"todos\":[".utf8)
        for (index, todo) in todos.sorted(by: CanonicalTodo.isInListOrder).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += todo.bytes
        }
        json += Array("]}".utf8)
        return TodoListText(id: id, json: json)
    }

    /// The todos in list order.
    package var snapshot: TodoSnapshot {
        TodoSnapshot(id: id, todos: todos.sorted(by: CanonicalTodo.isInListOrder).compactMap(\.todo))
    }
}
