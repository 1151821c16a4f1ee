import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Shows people where they are signed in and which tokens they have, and ends those.
@LoopActor
final class SignedInRoutes {
    private let sessions: any SessionStoreType
    private let authenticator: Authenticator
    private let log: Logger

    init(_ sessions: any SessionStoreType, _ authenticator: Authenticator, _ log: Logger) {
        self.sessions = sessions
        self.authenticator = authenticator
        self.log = log
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/sessions", list)
        router.on(.delete, "/v1/users/{uid}/sessions", endOthers)
        router.on(.delete, "/v1/users/{uid}/sessions/{session}", end)
    }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let current = try await authenticator.authorizeOwner(request, of: path["uid"]).token
        try QueryNames.check(request, [], "this path takes no query")
        let entries = try await sessions.sessions(of: path["uid"]).map { session in
            JSONObject([
                "id": session.id, "kind": session.kind.rawValue, "made": session.made.asTime,
                "expires": session.expires.asTime, "from": session.from, "device": session.device,
                "name": session.name, "scope": session.shownScope, "lastUsed": session.used?.asTime,
                "isCurrent": session.id == current.id,
            ])
        }
        return RelationRoutes.fresh(JSONObject(["sessions": entries]).text)
    }

    private func end(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (uid, id) = (path["uid"], path["session"])
        try await authenticator.authorizeOwner(request, of: uid, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        try await sessions.end(id, of: uid)
        authenticator.sessions?.ended(of: uid) { $0 == id }
        log.info("session ended", ["uid": uid, "session": String(id.prefix(8))])
        return .response(HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"]))
    }

    private func endOthers(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let current = try await authenticator.authorizeOwner(request, of: uid, toWrite: .settings).token
        try QueryNames.check(request, [], "this path takes no query")
        let count = try await sessions.endOthers(than: current.id, of: uid)
        authenticator.sessions?.ended(of: uid) { $0 != current.id }
        log.info("sessions ended", ["uid": uid, "sessions": String(count), "but": current.shortID])
        return RelationRoutes.fresh(JSONObject(["ended": count]).text)
    }
}

extension Int {
    /// Seconds since 1970 as a time: `2026-11-20T09:30:00Z`.
    package var asTime: String { Date(timeIntervalSince1970: Double(self)).formatted(.iso8601) }
}
