import EventLoop
import TodoMate

/// Goals of a server, over HTTP.
@LoopActor
final class HTTPGoalStore: GoalStoreType {
    private struct List: Decodable { var goals: [ReadableGoal] }

    private struct Part: Decodable {
        var changed: Int
        var seen: Int
        var broken: Int?
        var next: String?

        var spread: GoalSpread { GoalSpread(changed: changed, seen: seen, broken: broken ?? 0, next: next) }
    }

    private let server: Server

    init(_ server: Server) { self.server = server }

    func goals(of uid: String) async throws(TodoError) -> [Goal] {
        let path = try HTTPTodoRepository.path(uid, "goals")
        return try await server.value(of: ServerRequest(.get, path), as: List.self).goals.compactMap(\.goal)
    }

    func set(_ patch: GoalPatch, of uid: String) async throws(TodoError) -> Goal {
        try patch.check()
        let body = JSONObject([
            "name": patch.name, "color": patch.color?.rawValue, "position": patch.position,
            "visibility": patch.visibility?.rawValue, "archived": patch.isArchived,
        ])
        let path = try HTTPTodoRepository.path(uid, "goals", patch.id)
        return try await server.value(of: ServerRequest(.put, path, body: body.text))
    }

    func spread(
        _ visibility: Visibility,
        to id: String,
        of uid: String,
        from place: String?
    ) async throws(TodoError) -> GoalSpread {
        try TodoBounds.id(id)
        let path = try HTTPTodoRepository.path(uid, "goals", id, "spread")
        let query = [("visibility", visibility.rawValue), ("from", place)]
        return try await server.value(of: ServerRequest(.post, path, query: query), as: Part.self).spread
    }

    func remove(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread {
        try TodoBounds.id(id)
        let path = try HTTPTodoRepository.path(uid, "goals", id)
        return try await server.value(of: ServerRequest(.delete, path, query: [("from", place)]), as: Part.self).spread
    }
}
