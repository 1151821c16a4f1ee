/// A todo with the JSON that it is stored as.
public struct TodoRecord: Sendable {
    /// The todo.
    public let todo: Todo
    /// Its JSON in the documented spelling.
    public let json: [UInt8]

    /// A todo of this process, encoded.
    public init(_ todo: Todo) {
        self.todo = todo
        json = Array(TodoDTO(todo).json.utf8)
    }

    /// A todo as it is stored.
    ///
    /// - Throws: ``TodoError/broken(_:)`` when it is none.
    package init(json stored: [UInt8]) throws(TodoError) {
        let read = try TodoParts.read(stored)
        guard let todo = read.todo else { throw ForeignTodos.unreadable }
        self.todo = todo
        // Older versions wrote none.
        let isWhole = read.bytes.firstRange(of: Self.visibility) != nil
        json = isWhole ? Array(read.bytes) : Array(TodoDTO(todo).json.utf8)
    }

    /// Quotes inside JSON strings are escaped, so this can only be a key.
    private static let visibility = Array(#","visibility":""#.utf8)
}
