import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Trades a password for a session, as a cookie for the page and as a token for programs.
@LoopActor
final class SessionRoutes {
    private let accounts: any AccountStoreType
    private let sessions: any SessionStoreType
    private let hasher: PasswordHasher
    /// Nil in a server without sign-in.
    private let attempts: SharedSignInBudgets?
    private let authenticator: Authenticator
    private let sessionTime: Duration
    private let proxies: TrustedProxies
    private let log: Logger

    init(
        _ stores: Stores,
        _ hasher: PasswordHasher,
        _ attempts: SharedSignInBudgets?,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration,
        _ log: Logger
    ) {
        (accounts, sessions) = (stores.accounts, stores.sessions)
        self.log = log
        self.hasher = hasher
        self.attempts = attempts
        self.authenticator = authenticator
        sessionTime = configuration.sessionTime
        proxies = configuration.trustedProxies
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
        guard let signer = authenticator.signer, let attempts else {
            throw Problem(.invalid, "this server runs without sign-in: no session is needed")
        }
        try authenticator.checkOrigin(request)
        let address = NetworkAddress.client(proxies.client(of: request))
        if let wait = attempts.budgets.wait(of: address, at: .now) {
            throw await Self.tooMany(wait, address, attempts)
        }
        let credentials = try Credentials.read(request)
        let isPossible = (try? TodoBounds.uid(credentials.user)) != nil && credentials.password.utf8.count <= 1024
        guard isPossible, let generation = try await generation(credentials, from: address, attempts),
            let token = try await begin(credentials.user, since: generation, for: request)
        else {
            throw Problem(
                .unauthenticated,
                "the user or the password is wrong",
                headers: ["WWW-Authenticate": "Bearer"]
            )
        }
        log.info("signed in", ["uid": token.uid, "session": token.shortID, "from": address])
        return .response(session(token, signer, for: request))
    }

    /// Checks a password, if the address may try one; the generation of the account if it is right, or nil.
    ///
    /// The generation is read before the hash: a new password set meanwhile has the session refused.
    private func generation(
        _ credentials: Credentials,
        from address: String,
        _ attempts: SharedSignInBudgets
    ) async throws -> Int? {
        let account = attempts.code(of: credentials.user)
        if let wait = attempts.budgets.wait(of: address, for: account, at: .now) {
            throw await Self.tooMany(wait, address, attempts)
        }
        let generation = try await sessions.live(of: credentials.user).generation ?? 0
        let found = try await accounts.signInFacts(of: credentials.user, from: address)
        let verdict = try await hasher.withPlace(for: address, isKnown: found.isKnownAddress) {
            place throws(Problem) -> Verdict in
            // Looked at once more, in one turn with the counting: many may have come as far as this at the same time.
            if let wait = attempts.budgets.wait(of: address, for: account, at: .now) { return .wait(wait) }
            var attempt = attempts.budgets.begin(account, from: address, at: .now)
            if let wait = attempts.budgets.judge(&attempt, isKnown: found.isKnownAddress, at: .now) {
                return .wait(wait)
            }
            let isRight = await place.verify(credentials.password, against: found.passwordHash)
            await attempts.end(attempt, isRight ? .right : .wrong)
            return isRight ? .right(generation) : .wrong
        }
        switch verdict {
        case nil:
            await attempts.beforeRefusing(address)
            throw Problem(.busy, "many sign in at the moment: try again soon", headers: ["Retry-After": "5"])
        case .wait(let time): throw await Self.tooMany(time, address, attempts)
        case .wrong:
            // People type passwords where names belong: only the name of an account is logged.
            if found.passwordHash == nil {
                log.warning("sign-in refused", ["from": address])
            } else {
                log.warning("sign-in refused", ["uid": credentials.user, "from": address])
            }
            return nil
        case .right(let generation):
            try await accounts.rememberAddress(address, of: credentials.user)
            return generation
        }
    }

    /// What became of a password: it may be right for a generation of the account.
    private enum Verdict {
        case right(Int)
        case wrong
        case wait(Duration)
    }

    private static func tooMany(
        _ wait: Duration,
        _ address: String,
        _ attempts: SharedSignInBudgets
    ) async -> Problem {
        await attempts.beforeRefusing(address)
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        return Problem(
            .tooManyAttempts,
            "too many attempts to sign in: the next one may be in \(seconds) s",
            headers: ["Retry-After": String(seconds)]
        )
    }

    /// A session of its own; nil when the account has changed since its generation was read.
    private func begin(
        _ uid: String,
        since generation: Int,
        for request: HTTPRequest
    ) async throws -> SessionToken? {
        let draft = SessionDraft(
            id: RandomID.next(),
            kind: .signIn,
            seconds: Int(sessionTime / .seconds(1)),
            from: NetworkAddress.surroundings(of: proxies.client(of: request)),
            device: DeviceName.of(request.headers["user-agent"])
        )
        let expiry = Date() + sessionTime / .seconds(1)
        do throws(TodoError) {
            let begun = try await sessions.begin(draft, of: uid, since: generation)
            return SessionToken(uid: uid, expiry: expiry, id: draft.id, generation: begun)
        } catch {
            switch error {
            case .conflict, .notFound: return nil
            default: throw error
            }
        }
    }

    private func session(_ token: SessionToken, _ signer: TokenSigner, for request: HTTPRequest) -> HTTPResponse {
        let text = signer.sign(token)
        let seconds = Int(sessionTime / .seconds(1))
        let body = JSONObject(["uid": token.uid, "token": text, "expires": token.expiry.formatted(.iso8601)]).text
        return Self.private(
            .json(
                body,
                status: 201,
                headers: ["Set-Cookie": authenticator.cookie.field(text, lasting: seconds, for: request)]
            )
        )
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
