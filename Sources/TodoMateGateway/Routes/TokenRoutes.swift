import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Makes tokens for the programs of whoever is signed in. They are listed and ended with the other sessions.
@LoopActor
final class TokenRoutes {
    private static let mostDays = 3650

    private let sessions: any SessionStoreType
    private let authenticator: Authenticator
    private let proxies: TrustedProxies
    private let log: Logger

    init(
        _ sessions: any SessionStoreType,
        _ authenticator: Authenticator,
        behind proxies: TrustedProxies,
        _ log: Logger
    ) {
        self.sessions = sessions
        self.authenticator = authenticator
        self.proxies = proxies
        self.log = log
    }

    func add(to router: HTTPRouter) { router.on(.post, "/v1/users/{uid}/tokens", make) }

    private struct Wish: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case name, scope, days }

        var name: String
        var scope: TokenScope
        var days: Double
    }

    private func make(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let (owner, signer) = try await authenticator.authorizeOwner(request, of: uid, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let wish = try Wish.read(request)
        guard !wish.name.allSatisfy(\.isWhitespace) else {
            throw Problem(.invalid, "name must say what the token is for")
        }
        guard let days = Int(exactly: wish.days), (1...Self.mostDays).contains(days) else {
            throw Problem(.invalid, "days must be a whole number from 1 to \(Self.mostDays)")
        }
        let seconds = days * 86_400
        var draft = SessionDraft(
            id: RandomID.next(),
            kind: .token,
            seconds: seconds,
            from: NetworkAddress.surroundings(of: proxies.client(of: request)),
            device: DeviceName.of(request.headers["user-agent"]),
            name: wish.name,
            scope: wish.scope
        )
        draft.by = owner.id
        try draft.check()
        let expiry = Date() + TimeInterval(seconds)
        // Not in an account that has got another password meanwhile.
        let generation = try await sessions.begin(draft, of: uid, since: owner.generation)
        let token = SessionToken(
            uid: uid,
            expiry: expiry,
            id: draft.id,
            generation: generation,
            scope: .token(wish.scope)
        )
        log.info("token made", ["uid": uid, "session": token.shortID, "scope": wish.scope.rawValue])
        let body = JSONObject([
            "id": draft.id, "name": wish.name, "scope": wish.scope.rawValue,
            "expires": expiry.formatted(.iso8601), "token": signer.sign(token),
        ])
        return .response(.json(body.text, status: 201, headers: ["Cache-Control": "no-store"]))
    }
}
