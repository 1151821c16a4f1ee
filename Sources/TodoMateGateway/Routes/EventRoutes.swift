import EventLoop
import Foundation
import HTTPServing
package import TodoMate

/// Shows people what happened to their accounts.
@LoopActor
final class EventRoutes {
    private let sessions: any SessionStoreType
    private let authenticator: Authenticator

    init(_ sessions: any SessionStoreType, _ authenticator: Authenticator) {
        self.sessions = sessions
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) { router.on(.get, "/v1/users/{uid}/events", list) }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorizeOwner(request, of: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let events = try await sessions.events(of: path["uid"]).map(\.shown)
        return RelationRoutes.fresh(JSONObject(["events": events]).text)
    }
}

extension AccountEvent {
    /// As people and programs read it, without what is unknown.
    package var shown: JSONObject {
        JSONObject([
            "at": Date(timeIntervalSince1970: Double(at) / 1000).formatted(.iso8601), "kind": kind,
            "session": session, "from": from, "device": device, "name": name, "scope": scope?.rawValue,
            "audience": audience?.rawValue, "count": count, "by": by, "reason": reason, "role": role,
        ])
    }
}
