import EventLoop
import TodoMate

/// What a server shows of others' todos, over HTTP.
///
/// Which of the two sides lets or keeps the viewer is not told: what both together allow counts as granted.
@LoopActor
final class HTTPSharedTodos: SharedTodoStoreType {
    private let server: Server

    init(_ server: Server) { self.server = server }

    func sides(of viewer: String, to owner: String) async throws(TodoError) -> (sides: PairAccess, id: ChangeID) {
        let day = CalendarDate.earliest
        let (sides, read) = try await list(of: owner, for: viewer, in: day...day)
        return (sides, read?.list.id ?? .zero)
    }

    func list(
        of owner: String,
        for viewer: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> (sides: PairAccess, read: ReadList?) {
        let query = [
            ("from", days?.lowerBound.description), ("to", days?.upperBound.description),
            ("viewer", viewer == owner ? nil : viewer),
        ]
        let request = ServerRequest(.get, try HTTPTodoRepository.path(owner, "todos"), query: query)
        let answer: ServerAnswer
        do throws(ServerFailure) {
            answer = try await server.answer(request)
        } catch {
            guard error.kind == "forbidden" else { throw error.todoError }
            return (PairAccess(granted: .none, stance: .following), nil)
        }
        let list = try TodoList(Array(answer.body), in: days)
        let sides = PairAccess(granted: Self.access(answer.fields["etag"] ?? ""), stance: .following)
        return (sides, ReadList(list: list, turn: nil))
    }

    /// What a list's tag says of the viewer: `"57-1763677123456789-followers"`, and nothing for the owner.
    private static func access(_ tag: String) -> Access {
        let last = tag.filter { $0 != "\"" }.split(separator: "-").last.map(String.init)
        return last.flatMap { Access(rawValue: $0) } ?? .own
    }

    func todo(_ id: String, of owner: String, for viewer: String) async throws(TodoError) -> TodoRecord {
        try TodoBounds.id(id)
        let path = try HTTPTodoRepository.path(owner, "todos", id)
        let query = [("viewer", viewer == owner ? nil : viewer)]
        let answer: ServerAnswer
        do throws(ServerFailure) {
            answer = try await server.answer(ServerRequest(.get, path, query: query))
        } catch {
            guard error.kind == "forbidden" else { throw error.todoError }
            throw .notFound(error.detail)
        }
        return try TodoRecord(json: Array(answer.body))
    }
}
