/// A todo of a list, as it is stored. Lists that follow one another share those that have not changed.
final class ListedTodo: Sendable {
    /// What it is called.
    let name: String
    /// Where its parts lie.
    let todo: CanonicalTodo
    /// How much its JSON takes.
    var byteCount: Int { todo.bytes.count }

    init(_ todo: CanonicalTodo) {
        name = todo.name
        self.todo = todo
    }

    static func isInListOrder(_ left: ListedTodo, _ right: ListedTodo) -> Bool {
        CanonicalTodo.isInListOrder(left.todo, right.todo)
    }
}
