import EventLoop
import Foundation
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
        let settings = profile.settings
        guard viewer != settings.uid else { return RelationRoutes.fresh(profile.json) }
        // A block is answered like any other refusal.
        let access = try await shared.access(of: viewer, to: path["uid"])
        let audience = access == .none ? Visibility.private : settings.audience
        let person = try await relations.person(path["uid"], asKnownTo: viewer)
        let fields = JSONObject([
            "uid": settings.uid, "audience": audience.rawValue, "name": person.name, "face": person.face,
        ])
        return RelationRoutes.fresh(fields.text)
    }

    private struct Fields: RequestBody {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case audience, visibility, name, face, language, timeZone, weekStart
        }

        var patch: AccountPatch

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            patch = AccountPatch(
                audience: try fields.optional(.audience),
                visibility: try fields.optional(.visibility)
            )
            for key in CodingKeys.allCases where Preferences.fields.contains(key.rawValue) {
                patch.preferences[key.rawValue] = try fields.optional(key)
            }
        }
    }

    private func change(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let patch = try Fields.read(request).patch
        guard !patch.isEmpty else {
            throw Problem(
                .invalid,
                "give at least one of audience, visibility, \(Preferences.fields.joined(separator: ", "))"
            )
        }
        if let zone = patch.preferences["timeZone"], !zone.isEmpty, TimeZone(identifier: zone) == nil {
            throw Problem(.invalid, "timeZone must be the name of a time zone, such as Asia/Seoul")
        }
        let settings = try await relations.set(patch, of: path["uid"])
        log.info(
            "settings changed",
            ["uid": path["uid"], "audience": settings.audience.rawValue, "visibility": settings.visibility.rawValue]
        )
        return RelationRoutes.fresh(
            try await RepeatableWrite.whole { () throws(TodoError) in try await relations.profile(of: path["uid"]).json
            }
        )
    }
}
