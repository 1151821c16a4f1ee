import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Lets people sign in by an OpenID provider: the authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), kept to
/// what RFC 9700 says of it.
///
/// A browser is sent to the provider and comes back with a code, both as whole pages; what went wrong is told to the page behind
/// the `#`, as `/#refused=<reason>`.
@LoopActor
final class ProviderRoutes {
    private let door: ProviderDoor
    /// How many journeys an address may begin.
    private var begun = BudgetTable(Budget(burst: 30, interval: .seconds(2)), most: 16_384)

    init(_ door: ProviderDoor) { self.door = door }

    func add(to router: HTTPRouter) {
        let handlers = [begin, callBack]
        for ((method, path), handler) in zip(Self.routes, handlers) { router.on(method, path, handler) }
    }

    static let routes: [(HTTPMethod, String)] = [
        (.get, "/v1/providers/{provider}/begin"), (.get, "/v1/providers/{provider}/callback"),
    ]

    // MARK: There

    private func begin(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let client = try door.providers.client(path["provider"])
        try QueryNames.check(request, [], "this path takes no query")
        // Another site has no reason to send somebody through this door.
        guard request.headers["sec-fetch-site"] != "cross-site" else {
            throw Problem(.forbidden, "sign in from the page of this server")
        }
        if let wait = begun.take(door.signIn.address(of: request), at: .now) {
            throw Problem.tooManyAttempts("from this address", wait)
        }
        let journey = SignInJourney(to: client.provider.id)
        do throws(ProviderError) {
            let url = try await client.invitation(to: journey, at: door.providers.publicURL)
            return Self.sent(to: url, ["Set-Cookie": try field(journey, request)])
        } catch {
            return refused(.unreachable, client, because: "\(error)", request)
        }
    }

    private func field(_ journey: SignInJourney, _ request: HTTPRequest) throws(ProviderError) -> String {
        do {
            return try door.providers.field(journey, for: request)
        } catch {
            throw .unreachable("the journey cannot be written: \(error)")
        }
    }

    // MARK: Back

    private func callBack(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let client = try door.providers.client(path["provider"])
        // A provider sends people back as whole pages, not as pictures of other sites.
        guard ["navigate", nil].contains(request.headers["sec-fetch-mode"]) else {
            throw Problem(.forbidden, "come back from the provider as a page")
        }
        do {
            return try await door.budgets.attempt(request) { address in
                do {
                    return try await arrive(from: client, request, address)
                } catch let error as ProviderError {
                    throw JourneyEnd(refusal: error.isUnreachable ? .unreachable : .token, reason: "\(error)")
                }
            }
        } catch let refused as JourneyEnd {
            return self.refused(refused.refusal, client, because: refused.reason, request)
        } catch let problem as Problem {
            return refused(Self.refusal(problem), client, because: problem.detail, request)
        } catch let error as TodoError {
            return refused(Self.refusal(Problem(error)), client, because: error.description, request)
        }
    }

    /// Somebody looks at a page of this server by now, not at JSON.
    private static func refusal(_ problem: Problem) -> JourneyRefusal {
        switch problem.kind {
        case .tooManyAttempts: .tooMany
        case .suspended: .suspended
        case .accountLeaving: .over
        default: .unreachable
        }
    }

    private func arrive(
        from client: ProviderClient,
        _ request: HTTPRequest,
        _ address: String
    ) async throws -> HTTPReply {
        let provider = client.provider
        // Of this browser, to this provider, begun a short time ago, and not another one's answer.
        guard let journey = door.providers.journey(to: provider.id, in: request),
            journey.expects(state: request.query("state") ?? "")
        else { throw JourneyEnd(refusal: .state, reason: "the answer belongs to no journey of this browser") }
        if let issuer = request.query("iss") {
            guard issuer == provider.issuer else {
                throw JourneyEnd(refusal: .token, reason: "another issuer answers: \(issuer.prefix(200))")
            }
        } else if try await client.described().namesIssuer {
            throw JourneyEnd(
                refusal: .token,
                reason: "the answer does not name its issuer, as the provider always does"
            )
        }
        guard let code = request.query("code"), request.query("error") == nil else {
            let error = request.query("error")?.prefix(100) ?? "it sends no code"
            throw JourneyEnd(refusal: .declined, reason: "the provider says: \(error)")
        }
        let token = try await client.token(for: code, on: journey, at: door.providers.publicURL)
        guard provider.admits(token.claims) else {
            throw JourneyEnd(refusal: .notAdmitted, reason: "the token lacks the claims that are wanted")
        }
        let person = KnownPerson(token, by: provider)
        return switch journey.purpose {
        case .signIn: try await enter(person, client, request, address)
        case .link: try await link(person, journey, client, request)
        case .password: try await offerPassword(person, token, journey, client, request)
        }
    }

    /// Somebody comes in whom the provider knows; who has no account yet chooses a name first.
    private func enter(
        _ person: KnownPerson,
        _ client: ProviderClient,
        _ request: HTTPRequest,
        _ address: String
    ) async throws -> HTTPReply {
        let provider = client.provider
        let end = door.providers.endOfJourney(for: request)
        if let uid = try await door.stores.identities.owner(of: person.identity.id) {
            let generation = try await door.stores.sessions.live(of: uid).generation ?? 0
            // Asked once more: the name may have become somebody else's before its generation was read.
            guard try await door.stores.identities.owner(of: person.identity.id) == uid else {
                throw JourneyEnd(refusal: .state, reason: "the identity has changed hands meanwhile")
            }
            guard let token = try await door.signIn.begin(uid, since: generation, by: provider.id, for: request) else {
                throw JourneyEnd(refusal: .state, reason: "the account of \(uid) has changed meanwhile")
            }
            door.log.info("signed in", ["uid": uid, "session": token.shortID, "by": provider.id, "from": address])
            return Self.sent(to: "/", ["Set-Cookie": door.signIn.cookie(token, for: request), "Set-Cookie": end])
        }
        guard provider.arrivals == .create else {
            throw JourneyEnd(refusal: .notLinked, reason: "no account belongs to this identity")
        }
        let draft = person.identity
        let arrival = Arrival(provider: provider.id, identity: draft.id, label: draft.label, began: Date())
        let words = "\(provider.id).\(person.proposedName ?? "")"
        let field = try door.providers.field(arrival, for: request)
        return Self.sent(to: "/#arrive=\(words)", ["Set-Cookie": field, "Set-Cookie": end])
    }

    /// The session from which a journey began, where that is still live.
    private func owner(of journey: SignInJourney) async throws -> String {
        guard let uid = journey.uid, let session = journey.session,
            try await door.stores.sessions.live(of: uid).ids.contains(session)
        else { throw JourneyEnd(refusal: .over, reason: "the session from which it was asked for is over") }
        return uid
    }

    private func link(
        _ person: KnownPerson,
        _ journey: SignInJourney,
        _ client: ProviderClient,
        _ request: HTTPRequest
    ) async throws -> HTTPReply {
        let uid = try await owner(of: journey)
        do throws(TodoError) {
            try await door.stores.identities.link(person.identity, to: uid)
        } catch {
            switch error {
            case .exists: throw JourneyEnd(refusal: .taken, reason: "the identity belongs to another account")
            case .full: throw JourneyEnd(refusal: .full, reason: "\(uid) has as many identities as one may")
            case .notFound: throw JourneyEnd(refusal: .over, reason: "\(uid) has no account any more")
            default: throw error
            }
        }
        door.log.info("identity linked", ["uid": uid, "by": client.provider.id])
        return Self.sent(
            to: "/#linked=\(client.provider.id)",
            ["Set-Cookie": door.providers.endOfJourney(for: request)]
        )
    }

    /// Whoever has just signed in at the provider once more may set another password, as with an operator's link.
    private func offerPassword(
        _ person: KnownPerson,
        _ token: IDToken,
        _ journey: SignInJourney,
        _ client: ProviderClient,
        _ request: HTTPRequest
    ) async throws -> HTTPReply {
        let uid = try await owner(of: journey)
        guard try await door.stores.identities.owner(of: person.identity.id) == uid else {
            throw JourneyEnd(refusal: .notLinked, reason: "another identity has signed in than one of \(uid)")
        }
        guard let time = token.signedIn else {
            throw JourneyEnd(refusal: .untimed, reason: "the provider says no auth_time")
        }
        guard time > journey.begun - 60 else {
            throw JourneyEnd(refusal: .token, reason: "nobody has just signed in at the provider")
        }
        let code = LinkCode(of: uid, for: .reset)
        try await door.stores.resets.offerReset(code.digest(for: .reset), of: uid, seconds: SignInJourney.seconds)
        door.log.info("password may be set", ["uid": uid, "by": client.provider.id])
        return Self.sent(to: "/#reset=\(code.text)", ["Set-Cookie": door.providers.endOfJourney(for: request)])
    }

    // MARK: Parts

    private func refused(
        _ refusal: JourneyRefusal,
        _ client: ProviderClient,
        because reason: String,
        _ request: HTTPRequest
    ) -> HTTPReply {
        door.log.warning("sign-in refused", ["by": client.provider.id, "because": reason])
        return Self.sent(
            to: "/#refused=\(refusal.rawValue)",
            ["Set-Cookie": door.providers.endOfJourney(for: request)]
        )
    }

    /// Sends a browser on. Nothing of it is kept: the address may hold a secret.
    private static func sent(to url: String, _ headers: HTTPHeaders) -> HTTPReply {
        var headers = headers
        headers["Location"] = url
        headers["Cache-Control"] = "no-store"
        return .response(HTTPResponse(status: 303, headers: headers))
    }
}

extension ProviderError {
    fileprivate var isUnreachable: Bool {
        switch self {
        case .unreachable, .metadata: true
        case .code, .token: false
        }
    }
}
