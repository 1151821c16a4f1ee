import EventLoop
import Foundation
import HTTPServing
import TodoMate
import TodoMateRedis

/// Trades a password for a session, as a cookie for the page and as a token for programs.
@LoopActor
final class SessionRoutes {
    /// One address alone cannot lock an account for the others; it takes ten of them, for as long as they go on.
    private static let mostAttempts = LoginAttempts(ofPair: 10, ofAccount: 100, ofAddress: 60)
    private static let attemptWindow = Duration.seconds(300)

    private let accounts: RedisAccountStore
    private let hasher: PasswordHasher
    private let authenticator: Authenticator
    private let sessionTime: Duration
    private let proxies: TrustedProxies

    init(
        _ accounts: RedisAccountStore,
        _ hasher: PasswordHasher,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration
    ) {
        self.accounts = accounts
        self.hasher = hasher
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
        guard let signer = authenticator.signer else {
            throw Problem(.invalid, "this server runs without sign-in: nobody needs a session")
        }
        try authenticator.checkOrigin(request)
        let credentials: Credentials = try TodoBody.decode(request, only: ["user", "password"])
        let refusal = Problem(
            .unauthenticated,
            "the user or the password is wrong",
            headers: ["WWW-Authenticate": "Bearer"]
        )
        guard (try? TodoBounds.uid(credentials.user)) != nil, credentials.password.utf8.count <= 1024 else {
            throw refusal
        }
        let address = NetworkAddress.client(proxies.client(of: request))
        let attempts = try await problem { () throws(TodoError) in
            try await accounts.countAttempt(credentials.user, from: address, window: Self.attemptWindow)
        }
        guard attempts.isWithin(Self.mostAttempts) else {
            throw Problem(
                .tooManyAttempts,
                "too many attempts to sign in: wait five minutes",
                headers: ["Retry-After": String(Int(Self.attemptWindow / .seconds(1)))]
            )
        }
        let hash = try await problem { () throws(TodoError) in try await accounts.passwordHash(of: credentials.user) }
        guard let isRight = await hasher.verify(credentials.password, against: hash) else {
            throw Problem(.busy, "many sign in at the moment: try again soon", headers: ["Retry-After": "5"])
        }
        guard isRight else { throw refusal }
        try await problem { () throws(TodoError) in
            try await accounts.forgetAttempt(credentials.user, from: address, window: Self.attemptWindow)
        }
        return .response(
            session(
                SessionToken(uid: credentials.user, expiry: Date() + sessionTime / .seconds(1)),
                signer,
                isSecure: request.headers["origin"]?.hasPrefix("https://") == true
            )
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
