import EventLoop
import HTTPServing
import TodoMate

/// Trades a password for a session, as a cookie for the page and as a token for programs.
@LoopActor
final class SessionRoutes {
    private let sessions: any SessionStoreType
    /// Nil in a server without sign-in.
    private let check: PasswordCheck?
    private let authenticator: Authenticator
    private let answer: SignInAnswer
    private let log: Logger

    init(
        _ sessions: any SessionStoreType,
        _ check: PasswordCheck?,
        _ authenticator: Authenticator,
        _ answer: SignInAnswer,
        _ log: Logger
    ) {
        self.sessions = sessions
        self.check = check
        self.authenticator = authenticator
        self.answer = answer
        self.log = log
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/session", show)
        router.on(.post, "/v1/session", signIn)
        router.on(.delete, "/v1/session", logOut)
    }

    /// Who is signed in: `{"signIn":true,"uid":"alice"}`; `signIn` is false in a server without sign-in.
    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        guard authenticator.signer != nil else { return .response(Self.private(.json(#"{"signIn":false}"#))) }
        let uid: String?
        do throws(Problem) {
            uid = try await authenticator.principal(of: request).uid
        } catch {
            // Neither yes nor no: a page must not send its reader to sign in.
            guard error.kind != .unavailable else { throw error }
            uid = nil
        }
        guard let uid else { return .response(Self.private(.json(#"{"signIn":true}"#))) }
        return .response(Self.private(.json(JSONObject(["signIn": true, "uid": uid]).text)))
    }

    struct Credentials: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user, password }

        var user: String
        var password: String
    }

    private func signIn(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        guard let signer = authenticator.signer, let check else {
            throw Problem(.invalid, "this server runs without sign-in: no session is needed")
        }
        try authenticator.checkOrigin(request)
        let address = answer.address(of: request)
        let network = answer.network(of: request) ?? address
        try await check.admit(address)
        let credentials = try Credentials.read(request)
        let (uid, password) = (credentials.user, credentials.password)
        guard let generation = try await check.generation(of: uid, knowing: password, from: address, in: network),
            let token = try await begin(uid, since: generation, for: request)
        else {
            throw Problem(
                .unauthenticated,
                "the user or the password is wrong",
                headers: ["WWW-Authenticate": "Bearer"]
            )
        }
        log.info("signed in", ["uid": token.uid, "session": token.shortID, "from": address])
        return .response(answer.response(token, signer, for: request))
    }

    /// A session of its own; nil when the account has changed since its generation was read.
    private func begin(
        _ uid: String,
        since generation: Int,
        for request: HTTPRequest
    ) async throws -> SessionToken? {
        let draft = answer.draft(for: request)
        do throws(TodoError) {
            let begun = try await sessions.begin(draft, of: uid, since: generation)
            return answer.token(of: draft, uid, generation: begun)
        } catch {
            switch error {
            case .conflict, .notFound: return nil
            default: throw error
            }
        }
    }

    /// Ends the session of the request, wherever it is open. One that has ended already is signed out as well.
    private func logOut(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try authenticator.checkOrigin(request)
        if let token = try? authenticator.token(of: request) {
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
        return .response(HTTPResponse(status: 204, headers: ["Set-Cookie": cookie]))
    }

    private static func `private`(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
