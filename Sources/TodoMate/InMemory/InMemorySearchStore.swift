import EventLoop

/// Finds todos of this process.
@LoopActor
final class InMemorySearchStore: SearchStoreType {
    private let database: InMemoryDatabase
    private let shared: InMemorySharedTodos

    init(_ database: InMemoryDatabase, _ shared: InMemorySharedTodos) {
        (self.database, self.shared) = (database, shared)
    }

    func search(
        _ search: TodoSearch,
        of owner: String,
        for viewer: String,
        after place: SearchPlace?,
        limit: Int
    ) async throws(TodoError) -> FoundTodos? {
        try search.check()
        let access = try shared.sides(viewer, owner).access
        guard access != .none else { return nil }
        let all = database[owner].todos.values.sorted { SearchPlace.isBefore(SearchPlace($0), SearchPlace($1)) }
        let (from, to) = (search.from ?? .earliest, search.to ?? .latest)
        var (found, looked, last): (FoundTodos, Int, Todo?) = (FoundTodos(), 0, nil)
        for todo in all where from <= todo.date && todo.date <= to && place?.isBefore(todo) ?? true {
            if found.todos.count == limit || looked == FoundTodos.lookedMost {
                found.next = last.map { SearchPlace($0) }
                break
            }
            (looked, last) = (looked + 1, todo)
            if access.covers(todo.visibility), search.matches(todo) { found.todos.append(TodoRecord(todo)) }
        }
        found.looked = looked
        return found
    }
}
