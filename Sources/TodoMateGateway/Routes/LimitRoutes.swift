import EventLoop
import HTTPServing
import TodoMate

/// Shows people how much they have, and how much they may have.
@LoopActor
final class LimitRoutes {
    private let stores: Stores
    private let authenticator: Authenticator
    private let streams: OpenStreams
    private let configuration: GatewayConfiguration

    init(
        _ stores: Stores,
        _ authenticator: Authenticator,
        _ streams: OpenStreams,
        _ configuration: GatewayConfiguration
    ) {
        (self.stores, self.authenticator, self.streams) = (stores, authenticator, streams)
        self.configuration = configuration
    }

    func add(to router: HTTPRouter) { router.on(.get, "/v1/users/{uid}/limits", show) }

    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await authenticator.authorize(request, for: uid)
        try QueryNames.check(request, [], "this path takes no query")
        var allowance = try await AccountAllowance(of: uid, in: stores)
        allowance[.streams] = .init(used: streams.load(of: uid).streams, most: configuration.streamsPerUser)
        if allowance[.writes] == nil, let writes = configuration.writesPerSecond {
            allowance[.writes] = .init(most: writes * 60)
        }
        return RelationRoutes.fresh(allowance.json)
    }
}
