import EventLoop
import Foundation
import HTTPServing
import TodoMate
import TodoMateRedis

/// Trades a password for a session, as a cookie for the page and as a token for programs.
@LoopActor
final class SessionRoutes {
    private let accounts: RedisAccountStore
    private let hasher: PasswordHasher
    /// Nil in a server without sign-in.
    private let attempts: SharedSignInBudgets?
    private let authenticator: Authenticator
    private let sessionTime: Duration
    private let proxies: TrustedProxies

    init(
        _ accounts: RedisAccountStore,
        _ hasher: PasswordHasher,
        _ attempts: SharedSignInBudgets?,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration
    ) {
        self.accounts = accounts
        self.hasher = hasher
        self.attempts = attempts
        self.authenticator = authenticator
        sessionTime = configuration.sessionTime
        proxies = configuration.trustedProxies
    }

    func add(to router: HTTPRouter) {
        router.onProblem(.get, "/v1/session", show)
        router.onProblem(.post, "/v1/session", signIn)
        router.onProblem(.delete, "/v1/session", logOut)
    }

    /// Who is signed in: `{"signIn":true,"uid":"alice"}`; `signIn` is false in a server without sign-in.
    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws(Problem) -> HTTPReply {
        guard authenticator.signer != nil else { return .response(Self.private(.json(#"{"signIn":false}"#))) }
        guard let principal = try? authenticator.principal(of: request), let uid = principal.uid else {
            return .response(Self.private(.json(#"{"signIn":true}"#)))
        }
        return .response(Self.private(.json("{\"signIn\":true,\"uid\":\"\(uid)\"}")))
    }

    struct Credentials: Decodable {
        var user: String
        var password: String
    }

    private func signIn(_ request: HTTPRequest, _ path: PathParameters) async throws(Problem) -> HTTPReply {
        guard let signer = authenticator.signer, let attempts else {
            throw Problem(.invalid, "this server runs without sign-in: nobody needs a session")
        }
        try authenticator.checkOrigin(request)
        let address = NetworkAddress.client(proxies.client(of: request))
        if let wait = attempts.budgets.wait(of: address, at: .now) { throw Self.tooMany(wait) }
        let credentials: Credentials = try TodoBody.decode(request, only: ["user", "password"])
        let isPossible = (try? TodoBounds.uid(credentials.user)) != nil && credentials.password.utf8.count <= 1024
        guard isPossible, try await isRight(credentials, from: address, attempts) else {
            throw Problem(
                .unauthenticated,
                "the user or the password is wrong",
                headers: ["WWW-Authenticate": "Bearer"]
            )
        }
        return .response(
            session(
                SessionToken(uid: credentials.user, expiry: Date() + sessionTime / .seconds(1)),
                signer,
                isSecure: request.headers["origin"]?.hasPrefix("https://") == true
            )
        )
    }

    /// Looks at a password, if the address may have one looked at.
    private func isRight(
        _ credentials: Credentials,
        from address: String,
        _ attempts: SharedSignInBudgets
    ) async throws(Problem) -> Bool {
        let account = attempts.code(of: credentials.user)
        if let wait = attempts.budgets.wait(of: address, for: account, at: .now) { throw Self.tooMany(wait) }
        let isRight = try await hasher.withPlace(for: address) { place throws(Problem) in
            var attempt = attempts.budgets.begin(account, from: address, at: .now)
            let found: SignInFacts
            do throws(TodoError) {
                found = try await accounts.signInFacts(of: credentials.user, from: address)
            } catch {
                await attempts.end(attempt, .untried)
                throw Problem(error)
            }
            if let wait = attempts.budgets.judge(&attempt, isKnown: found.isKnownAddress, at: .now) {
                throw Self.tooMany(wait)
            }
            let isRight = await place.verify(credentials.password, against: found.passwordHash)
            await attempts.end(attempt, isRight ? .right : .wrong)
            return isRight
        }
        guard let isRight else {
            throw Problem(.busy, "many sign in at the moment: try again soon", headers: ["Retry-After": "5"])
        }
        guard isRight else { return false }
        try await problem { () throws(TodoError) in
            try await accounts.rememberAddress(address, of: credentials.user)
        }
        return true
    }

    private static func tooMany(_ wait: Duration) -> Problem {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        return Problem(
            .tooManyAttempts,
            "too many attempts to sign in: the next one may be in \(seconds) s",
            headers: ["Retry-After": String(seconds)]
        )
    }

    /// - Parameter isSecure: whether the page came over TLS; its cookie must not travel without it then.
    private func session(_ token: SessionToken, _ signer: TokenSigner, isSecure: Bool) -> HTTPResponse {
        let text = signer.sign(token)
        let seconds = Int(sessionTime / .seconds(1))
        let body =
            "{\"uid\":\"\(token.uid)\",\"token\":\"\(text)\",\"expires\":\"\(token.expiry.formatted(.iso8601))\"}"
        return Self.private(
            .json(
                body,
                status: 201,
                headers: ["Set-Cookie": Self.cookie("\(text); Max-Age=\(seconds)\(isSecure ? "; Secure" : "")")]
            )
        )
    }

    private func logOut(_ request: HTTPRequest, _ path: PathParameters) async throws(Problem) -> HTTPReply {
        try authenticator.checkOrigin(request)
        return .response(HTTPResponse(status: 204, headers: ["Set-Cookie": Self.cookie("; Max-Age=0")]))
    }

    private static func cookie(_ value: String) -> String {
        "\(Authenticator.cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict"
    }

    private static func `private`(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
