/// What a user has left unfinished on days before one.
///
///     {"count":3,"todos":[{"id":"…","date":"2026-11-19",…},…]}
public struct EarlierTodos: Sendable, Equatable, Codable {
    /// The most todos of one answer.
    public static let most = 200

    /// How many there are.
    public var count: Int
    /// Those of the latest days first, at most ``most``; a day's in list order.
    public var todos: [TodoDTO]

    /// As a list that was read in any order within its days.
    package init(count: Int, todos: [Todo]) {
        self.count = count
        self.todos = todos.sorted(by: Self.isInOrder).map { TodoDTO($0) }
    }

    /// The latest days first, and a day's in list order.
    package static func isInOrder(_ left: Todo, _ right: Todo) -> Bool {
        left.date == right.date ? Todo.isInListOrder(left, right) : left.date > right.date
    }

    /// The answer as JSON, in exactly the spelling above.
    package var json: String { JSONObject(["count": count, "todos": todos.map { RawJSON($0.json) }]).text }
}
