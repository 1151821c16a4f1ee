import EventLoop
import HTTPServing
import TodoMate

/// Trades a password for a session, as a cookie for the page and as a token for programs.
@LoopActor
final class SessionRoutes {
    private let sessions: any SessionStoreType
    private let operators: any OperatorStoreType
    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let authenticator: Authenticator
    /// What the page may offer.
    private let (registration, inviters): (Registration, Inviters)
    /// Nil in a server without those.
    private let providers: Providers?
    private let sendsMail: Bool
    private let announcement: @LoopActor () -> Announcement?
    private let log: Logger

    init(
        _ stores: Stores,
        _ signIn: SignIn?,
        _ providers: Providers?,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration,
        _ log: Logger,
        announcement: @escaping @LoopActor () -> Announcement?
    ) {
        (sessions, operators, self.providers) = (stores.sessions, stores.operators, providers)
        (self.signIn, self.authenticator, self.log) = (signIn, authenticator, log)
        self.announcement = announcement
        (registration, inviters) = (configuration.registration, configuration.inviters)
        sendsMail = configuration.mail != nil
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/session", show)
        router.on(.post, "/v1/session", begin)
        router.on(.delete, "/v1/session", logOut)
    }

    /// Who is signed in: `{"signIn":true,"uid":"alice","registration":"invited","inviters":"nobody"}`, with `"leaving":true` where
    /// the account is to be deleted, `newest`, the latest of the other sign-ins and tokens, for those who were not there when it was made,
    /// and `"mail":true` in a server that sends some; only `signIn`, which is false, in a server without sign-in; and what is announced,
    /// as it may concern signing in. Whoever holds a sign-in of a suspended account finds `suspended`, with the reason.
    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let announcement = announcement()?.shown
        guard authenticator.signer != nil else {
            let answer = JSONObject(["signIn": false, "announcement": announcement])
            return .response(Self.private(.json(answer.text)))
        }
        var uid: String?
        var newest: Session?
        var suspension: Suspension?
        do throws(Problem) {
            let principal = try await authenticator.principal(of: request)
            uid = principal.uid
            if let token = principal.token, token.scope == .account { newest = await self.newest(besides: token) }
        } catch {
            // Neither yes nor no: a page must not send its reader to sign in.
            guard error.kind != .unavailable else { throw error }
            suspension = try await suspensionOfHolder(of: request)
        }
        let isLeaving = uid.flatMap { authenticator.sessions?.isLeaving($0) } == true
        let answer = JSONObject([
            "signIn": true, "uid": uid, "leaving": isLeaving ? true : nil, "registration": registration.rawValue,
            "inviters": inviters.rawValue, "providers": providers?.offered, "mail": sendsMail ? true : nil,
            "suspended": suspension.map { JSONObject(["at": Time.text($0.at), "reason": $0.reason]) },
            "newest": newest.map { JSONObject(["id": $0.id, "made": $0.made.asTime]) },
            "announcement": announcement,
        ])
        return .response(Self.private(.json(answer.text)))
    }

    /// The latest of the other sessions of an account; nil for none, and where it cannot be read, as this is not worth an error.
    private func newest(besides token: SessionToken) async -> Session? {
        guard let all = try? await sessions.sessions(of: token.uid) else { return nil }
        return all.filter { $0.id != token.id }.max { ($0.made, $0.id) < ($1.made, $1.id) }
    }

    /// The suspension of whoever signed in with what the request shows; a session that is over shows nothing.
    private func suspensionOfHolder(of request: HTTPRequest) async throws(TodoError) -> Suspension? {
        guard let token = try? authenticator.token(of: request), token.scope == .account else { return nil }
        return try await operators.suspension(of: token.uid, knowing: (token.id, token.generation))
    }

    struct Credentials: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user, password, code }

        var user: String
        var password: String
        var code: String?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            user = try fields.decode(String.self, forKey: .user)
            password = try fields.decode(String.self, forKey: .password)
            code = try fields.optional(.code)
        }
    }

    private func begin(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        guard let signIn else {
            throw Problem(.invalid, "this server runs without sign-in: no session is needed")
        }
        try authenticator.checkOrigin(request)
        try await signIn.admit(request)
        let credentials = try Credentials.read(request)
        let (uid, password) = (credentials.user, credentials.password)
        guard let known = try await signIn.known(uid, by: password, and: credentials.code, for: request),
            let token = try await signIn.begin(
                uid,
                since: known.generation,
                hasShownFactor: known.hasShownFactor,
                for: request
            )
        else {
            throw Problem(
                .unauthenticated,
                "the user or the password is wrong",
                headers: ["WWW-Authenticate": "Bearer"]
            )
        }
        log.info("signed in", ["uid": token.uid, "session": token.shortID, "from": signIn.address(of: request)])
        return signIn.answer(token, for: request)
    }

    /// Ends the session of the request, wherever it is open. One that has ended already is signed out as well. Where a provider has
    /// let them in, the answer may say where to sign out of that as well.
    private func logOut(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try authenticator.checkOrigin(request)
        var farewell: String?
        if let token = try? authenticator.token(of: request) {
            farewell = await self.farewell(of: token)
            do throws(TodoError) {
                try await sessions.end(token.id, of: token.uid)
                log.info("signed out", ["uid": token.uid, "session": token.shortID])
                authenticator.sessions?.ended(token)
            } catch {
                // Not answered as done when it is not: the session would stay live.
                // One that was over already is no news: its token must not make the worker read again and again.
                guard case .notFound = error else { throw error }
            }
        }
        let cookie = authenticator.cookie.field("", lasting: 0, for: request)
        guard let farewell else { return .response(HTTPResponse(status: 204, headers: ["Set-Cookie": cookie])) }
        let body = JSONObject(["location": farewell]).text
        return .response(Self.private(.json(body, headers: ["Set-Cookie": cookie])))
    }

    /// Where the provider has people sign out that has let a session in; nil for none.
    private func farewell(of token: SessionToken) async -> String? {
        guard let providers, let all = try? await sessions.sessions(of: token.uid),
            let session = all.first(where: { $0.id == token.id }), session.kind == .signIn, let provider = session.name
        else { return nil }
        return (try? providers.client(provider))?.farewell(from: providers.publicURL)
    }

    private static func `private`(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
