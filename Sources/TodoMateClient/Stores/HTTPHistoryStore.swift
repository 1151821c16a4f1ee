import EventLoop
import TodoMate

/// What a server's log says became of todos, over HTTP.
@LoopActor
final class HTTPHistoryStore: HistoryStoreType {
    private struct Answer: Decodable {
        struct Entry: Decodable {
            struct Was: Decodable {
                var status: TodoStatus?
                var visibility: Visibility?
            }
            var id: String
            var type: ChangeKind
            var device: String?
            var was: Was?
            var todo: TodoDTO
        }
        var todo: TodoDTO?
        var since: Int?
        var reach: TodoHistory.Reach
        var changes: [Entry]
        var more: Bool?

        var history: TodoHistory {
            let entries = changes.compactMap { entry in
                ChangeID(entry.id).map {
                    TodoHistory.Entry(
                        id: $0,
                        kind: entry.type,
                        todo: entry.todo.toModel(),
                        statusBefore: entry.was?.status,
                        visibilityBefore: entry.was?.visibility,
                        device: entry.device.flatMap(WritingDevice.init)
                    )
                }
            }
            return TodoHistory(
                todo: todo?.toModel(),
                since: since,
                reach: reach,
                entries: entries,
                hasMore: more ?? false
            )
        }
    }

    private let server: Server

    init(_ server: Server) { self.server = server }

    func history(of id: String, of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory {
        try TodoBounds.id(id)
        let path = try HTTPTodoRepository.path(uid, "todos", id, "history")
        do throws(TodoError) {
            return try await read(path, before: change)
        } catch .notFound(let reason) {
            // Either of the two is not there: what the log knows of the todo at all says which.
            guard let change else { throw .notFound(reason) }
            _ = try await read(path, before: nil)
            throw TodoError.gone(change, of: uid)
        }
    }

    func removed(of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory {
        let path = try HTTPTodoRepository.path(uid, "removed")
        do throws(TodoError) {
            return try await read(path, before: change)
        } catch .notFound(let reason) {
            throw change.map { TodoError.gone($0, of: uid) } ?? .notFound(reason)
        }
    }

    /// What became of a todo that may be gone or unknown, as ``history(of:of:before:)``, with a failure as it came.
    static func history(
        of id: String,
        of uid: String,
        before change: ChangeID?,
        from server: Server
    ) async throws(ServerFailure) -> TodoHistory {
        try await server.read(
            request(["users", uid, "todos", id, "history"], before: change),
            as: Answer.self
        ).history
    }

    private static func request(_ path: [String], before change: ChangeID?) -> ServerRequest {
        ServerRequest(.get, path, query: [("before", change?.description)])
    }

    private func read(_ path: [String], before change: ChangeID?) async throws(TodoError) -> TodoHistory {
        try await server.value(of: Self.request(path, before: change), as: Answer.self).history
    }
}
