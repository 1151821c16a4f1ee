import EventLoop
import HTTPServing
import TodoMate

/// What a person's todos are for: lists goals, makes and changes them, and gives their visibility to the todos that have them.
@LoopActor
final class GoalRoutes {
    private let goals: any GoalStoreType
    private let authenticator: Authenticator

    init(_ stores: Stores, _ authenticator: Authenticator) {
        goals = stores.goals
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/goals", list)
        router.on(.put, "/v1/users/{uid}/goals/{goal}", set)
        router.on(.delete, "/v1/users/{uid}/goals/{goal}", remove)
        router.on(.post, "/v1/users/{uid}/goals/{goal}/spread", spread)
    }

    /// For the owner alone.
    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"])
        try QueryNames.check(request, [], "this path takes no query")
        let all = try await goals.goals(of: path["uid"])
        return RelationRoutes.fresh(JSONObject(["goals": all.map { RawJSON($0.json) }]).text)
    }

    private struct Fields: RequestBody {
        enum CodingKeys: String, CodingKey, CaseIterable { case name, color, position, visibility, archived }

        static let place = "of a goal"

        var name: String?
        var color: GoalColor?
        var position: Double?
        var visibility: Visibility?
        var archived: Bool?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.optional(.name)
            color = try fields.optional(.color)
            position = try fields.optional(.position)
            visibility = try fields.optional(.visibility)
            archived = try fields.optional(.archived)
        }
    }

    /// Makes a goal, or changes what the body has of it.
    private func set(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let fields = try Fields.read(request)
        let patch = GoalPatch(
            id: path["goal"],
            name: fields.name,
            color: fields.color,
            position: fields.position,
            visibility: fields.visibility,
            isArchived: fields.archived
        )
        return RelationRoutes.fresh(try await goals.set(patch, of: path["uid"]).json)
    }

    /// Removes a goal, and takes it from some todos.
    private func remove(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let principal = try await authenticator.authorize(request, for: path["uid"], toWrite: .todo)
        try QueryNames.check(request, ["from"], "use from")
        let part = try await goals.remove(path["goal"], of: path["uid"], from: request.query("from"))
        authenticator.charge(principal, todos: part.changed - 1)
        return RelationRoutes.fresh(part.json)
    }

    private func spread(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let principal = try await authenticator.authorize(request, for: uid, toWrite: .todo)
        try QueryNames.check(request, ["visibility", "from"], "use visibility and from")
        guard let visibility = request.query("visibility").flatMap(Visibility.init) else {
            throw Problem(.invalid, "say with visibility what the goal has: public, followers or private")
        }
        let part = try await goals.spread(visibility, to: path["goal"], of: uid, from: request.query("from"))
        // Each is a write like any other.
        authenticator.charge(principal, todos: part.changed - 1)
        return RelationRoutes.fresh(part.json)
    }
}
