import EventLoop
import HTTPServing
import TodoMate

/// Tells how users are called and pictured, as far as the viewer may know.
@LoopActor
final class PeopleRoutes {
    private let relations: any RelationStoreType
    private let authenticator: Authenticator

    init(_ stores: Stores, _ authenticator: Authenticator) {
        relations = stores.relations
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) { router.on(.get, "/v1/people", show) }

    /// `{"people":[{"uid":"bob","name":"Bob","face":"🐻"},{"uid":"carol"}]}`, in the order of `users=bob,carol`.
    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let viewer = try await authenticator.viewer(request, of: nil).uid
        try QueryNames.check(request, ["users", "viewer"], "use users and viewer")
        let readings = try BoardQuery(request).users.map { uid in
            Task { @LoopActor in try await relations.person(uid, asKnownTo: viewer) }
        }
        var people: [RawJSON] = []
        for reading in readings { people.append(RawJSON(try await reading.value.json)) }
        return RelationRoutes.fresh(JSONObject(["people": people]).text)
    }
}
