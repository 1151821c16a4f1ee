import EventLoop
import HTTPServing
import TodoMate

/// Shows people by which identities they sign in, and lets them add and take away those.
@LoopActor
final class IdentityRoutes {
    private let door: ProviderDoor

    init(_ door: ProviderDoor) { self.door = door }

    func add(to router: HTTPRouter) {
        let handlers = [list, begin, unlink]
        for ((method, path), handler) in zip(Self.routes, handlers) { router.on(method, path, handler) }
    }

    static let routes: [(HTTPMethod, String)] = [
        (.get, "/v1/users/{uid}/identities"), (.post, "/v1/users/{uid}/identities"),
        (.delete, "/v1/users/{uid}/identities/{identity}"),
    ]

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await door.authenticator.authorizeOwner(request, of: uid)
        try QueryNames.check(request, [], "this path takes no query")
        let entries = try await door.stores.identities.identities(of: uid).map { identity in
            JSONObject([
                "id": identity.id, "provider": identity.provider, "label": identity.label,
                "linked": identity.linked.asTime,
            ])
        }
        let hasPassword = try await hasPassword(uid)
        return RelationRoutes.fresh(
            JSONObject(["identities": entries, "providers": door.providers.offered, "hasPassword": hasPassword]).text
        )
    }

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case provider, password }

        var provider: String
        /// Nil to set another one.
        var password: String?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            provider = try fields.decode(String.self, forKey: .provider)
            password = try fields.optional(.password)
        }
    }

    /// Where the browser is to go, to link an identity with the password, or to set a password with an identity.
    private func begin(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let token = try await door.authenticator.authorizeOwner(request, of: uid, toWrite: .settings).token
        try await door.signIn.admit(request)
        let fields = try Fields.read(request)
        let client = try door.providers.client(fields.provider)
        if let password = fields.password {
            // Else whoever finds a browser open would have a way in for good.
            try await door.signIn.confirm(uid, by: password, for: request)
        } else {
            let linked = try await door.stores.identities.identities(of: uid)
            guard linked.contains(where: { $0.provider == client.provider.id }) else {
                throw Problem(.invalid, "nothing of this provider is linked: say the password to link it")
            }
        }
        let journey = SignInJourney(to: client.provider.id, fields.password == nil ? .password : .link, for: token)
        do throws(ProviderError) {
            let url = try await client.invitation(to: journey, at: door.providers.publicURL)
            var reply = HTTPResponse.json(JSONObject(["location": url]).text, headers: ["Cache-Control": "no-store"])
            reply.headers["Set-Cookie"] = try sealed(journey, request)
            return .response(reply)
        } catch {
            door.log.warning("the provider cannot be asked", ["by": client.provider.id, "because": "\(error)"])
            throw Problem(.unavailable, "\(client.provider.name) does not answer as it should: try again later")
        }
    }

    private func sealed(_ journey: SignInJourney, _ request: HTTPRequest) throws(ProviderError) -> String {
        do {
            return try door.providers.field(journey, for: request)
        } catch {
            throw .unreachable("the journey cannot be written: \(error)")
        }
    }

    private func unlink(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (uid, id) = (path["uid"], path["identity"])
        try await door.authenticator.authorizeOwner(request, of: uid, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        // Those of providers that this server does not have (any more) let nobody in.
        let left = try await door.stores.identities.identities(of: uid).filter {
            $0.id != id && door.providers.has($0.provider)
        }
        if left.isEmpty, try await !hasPassword(uid) {
            throw Problem(.conflict, "nobody could sign in any more: set a password first")
        }
        try await door.stores.identities.unlink(id, of: uid)
        door.log.info("identity unlinked", ["uid": uid])
        return .response(HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"]))
    }

    /// Whether the account ever got a password that somebody knows.
    private func hasPassword(_ uid: String) async throws -> Bool {
        let hash = try await door.stores.accounts.signInFacts(of: uid, from: "::").passwordHash
        return hash != nil && hash != PasswordHasher.none
    }
}
