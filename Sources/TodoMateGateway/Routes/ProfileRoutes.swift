import EventLoop
import HTTPServing
import TodoMate

/// Shows and changes what users decide about themselves.
@LoopActor
final class ProfileRoutes {
    private let relations: any RelationStoreType
    private let shared: any SharedTodoStoreType
    private let authenticator: Authenticator
    private let log: Logger

    init(_ stores: Stores, _ authenticator: Authenticator, _ log: Logger) {
        self.log = log
        (relations, shared) = (stores.relations, stores.shared)
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/profile", show)
        router.on(.patch, "/v1/users/{uid}/profile", change)
    }

    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let viewer = try await authenticator.viewer(request, of: path["uid"]).uid
        try QueryNames.check(request, ["viewer"], "use viewer")
        let profile = try await relations.profile(of: path["uid"])
        guard viewer != profile.uid else { return RelationRoutes.fresh(profile.json) }
        // A block is answered like any other refusal.
        let access = try await shared.access(of: viewer, to: path["uid"])
        let audience = access == .none ? Visibility.private : profile.audience
        return RelationRoutes.fresh(JSONObject(["uid": profile.uid, "audience": audience.rawValue]).text)
    }

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case audience, visibility }

        var audience: Visibility?
        var visibility: Visibility?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            audience = try fields.optional(.audience)
            visibility = try fields.optional(.visibility)
        }
    }

    private func change(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let fields = try Fields.read(request)
        guard fields.audience != nil || fields.visibility != nil else {
            throw Problem(.invalid, "give at least one of audience and visibility")
        }
        let patch = AccountPatch(audience: fields.audience, visibility: fields.visibility)
        try await relations.set(patch, of: path["uid"])
        let profile = try await relations.profile(of: path["uid"])
        log.info(
            "settings changed",
            ["uid": path["uid"], "audience": profile.audience.rawValue, "visibility": profile.visibility.rawValue]
        )
        return RelationRoutes.fresh(profile.json)
    }
}
