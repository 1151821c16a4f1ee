import EventLoop
import TodoMate

/// Finds todos of a server, over HTTP.
@LoopActor
final class HTTPSearchStore: SearchStoreType {
    private struct Part: Decodable {
        var todos: [TodoDTO]
        var looked: Int?
        var next: String?
    }

    private let server: Server

    init(_ server: Server) { self.server = server }

    func search(
        _ search: TodoSearch,
        of owner: String,
        for viewer: String,
        after place: SearchPlace?,
        limit: Int
    ) async throws(TodoError) -> FoundTodos? {
        try search.check()
        // Notes have neither a status nor a goal to be found by.
        if search.isForNotes, search.status != nil || search.goal != nil { return FoundTodos() }
        // A server wants to be told something to look for.
        let from = search == TodoSearch() ? CalendarDate.earliest : search.from
        let query: [(name: String, value: String?)] = [
            ("words", search.words?.words.joined(separator: " ")), ("status", search.status?.rawValue),
            ("goal", search.goal), ("from", from?.description), ("to", search.to?.description),
            ("limit", String(limit)), ("after", place?.description), ("viewer", viewer == owner ? nil : viewer),
        ]
        // Notes of some days are asked for by a path of their own, which takes no words.
        let isOfNotes = search.isForNotes && search.words == nil
        let request = ServerRequest(
            .get,
            try HTTPTodoRepository.path(owner, isOfNotes ? "notes" : "search"),
            query: isOfNotes ? query.filter { !["words", "status", "goal"].contains($0.name) } : query
        )
        do throws(ServerFailure) {
            let part: Part = try await server.answer(request).read()
            var found = FoundTodos()
            let todos = part.todos.map { $0.toModel() }
            found.todos = todos.filter { !search.isForNotes || $0.isNote }.map { TodoRecord($0) }
            found.looked = part.looked
            found.next = part.next.flatMap { SearchPlace($0) }
            return found
        } catch {
            // Nothing of the owner's may be seen.
            if error.kind == "forbidden" { return nil }
            throw error.todoError
        }
    }
}
