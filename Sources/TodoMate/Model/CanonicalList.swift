/// The answer of `todomate_list`, `{"id":"57-…","todos":[{…},…]}`, when every todo in it is spelled as the functions do.
///
/// Nil for any other spelling, which is for the JSON decoder.
struct CanonicalList {
    /// The change that the list is as of.
    let id: ChangeID
    /// The whole list, as it came.
    let bytes: [UInt8]
    /// In the order in which they came.
    let todos: [CanonicalTodo]

    init?(_ bytes: [UInt8]) {
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
}
