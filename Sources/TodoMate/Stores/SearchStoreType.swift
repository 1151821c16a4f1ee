package import EventLoop

/// Finds a user's todos, for the user or for others as far as they may see them.
@LoopActor
package protocol SearchStoreType: AnyObject, Sendable {
    /// A part of a user's todos that are looked for. One that is there, on its day and as it is, while all parts are read is in one of
    /// them; one that is changed meanwhile may be in none or two.
    ///
    /// - Parameters:
    ///   - search: what is looked for.
    ///   - owner: whose todos.
    ///   - viewer: who looks.
    ///   - place: where the part before ended; nil to begin.
    ///   - limit: how many at most, up to ``FoundTodos/most``.
    /// - Returns: the part; nil where the viewer may see nothing of the owner.
    /// - Throws: ``TodoError/invalid(_:)``.
    func search(
        _ search: TodoSearch,
        of owner: String,
        for viewer: String,
        after place: SearchPlace?,
        limit: Int
    ) async throws(TodoError) -> FoundTodos?
}

extension SearchStoreType {
    /// All of a user's todos that are looked for; none where the viewer may see nothing.
    package func all(_ search: TodoSearch, of owner: String, for viewer: String) async throws(TodoError) -> [Todo] {
        var (found, place): ([Todo], SearchPlace?) = ([], nil)
        repeat {
            let part = try await self.search(search, of: owner, for: viewer, after: place, limit: FoundTodos.most)
            guard let part else { return [] }
            found += part.todos.map(\.todo)
            place = part.next
        } while place != nil
        return found
    }
}
