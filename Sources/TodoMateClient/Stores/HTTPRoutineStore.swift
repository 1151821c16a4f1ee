import EventLoop
import TodoMate

/// Routines of a server, over HTTP.
@LoopActor
final class HTTPRoutineStore: RoutineStoreType {
    private struct List: Decodable { var routines: [ReadableRoutine] }

    private let server: Server

    init(_ server: Server) { self.server = server }

    func routines(of uid: String) async throws(TodoError) -> [Routine] {
        try await list(ServerRequest(.get, try HTTPTodoRepository.path(uid, "routines")))
    }

    func set(_ patches: [RoutinePatch], of uid: String) async throws(TodoError) -> [Routine] {
        for patch in patches { try patch.check() }
        let body = JSONObject(["routines": patches.map { RawJSON($0.json) }]).text
        return try await list(ServerRequest(.post, try HTTPTodoRepository.path(uid, "routines"), body: body))
    }

    func skip(
        _ day: CalendarDate,
        of routine: String,
        of uid: String,
        isBack: Bool
    ) async throws(TodoError) -> [Routine] {
        try TodoBounds.id(routine)
        let path = try HTTPTodoRepository.path(uid, "routines", routine, "skipped", day.description)
        return try await list(ServerRequest(isBack ? .delete : .put, path))
    }

    func split(
        _ routine: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?,
        seen: RoutineRule?
    ) async throws(TodoError) -> [Routine] {
        try TodoBounds.id(routine)
        let query = [("from", day.description as String?)]
        guard let other else {
            let path = try HTTPTodoRepository.path(uid, "routines", routine)
            let seen = seen.map { [("seen", $0.description as String?)] } ?? []
            return try await list(ServerRequest(.delete, path, query: query + seen))
        }
        try other.check()
        let path = try HTTPTodoRepository.path(uid, "routines", routine, "split")
        return try await list(
            ServerRequest(.post, path, query: query, body: RoutinePatch.split(into: other, seen: seen))
        )
    }

    private func list(_ request: ServerRequest) async throws(TodoError) -> [Routine] {
        try await server.value(of: request, as: List.self).routines.compactMap(\.routine)
    }
}
