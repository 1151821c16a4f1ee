import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Decides who a request comes from, and what it may touch.
///
/// A bearer token is for programs; the cookie is for the page this server serves itself: a write with it must come from
/// the same origin, and so must one without any credentials in a server that runs without sign-in, where another site's page
/// in the same browser would otherwise be as free as its owner.
struct Authenticator: Sendable {
    let signer: TokenSigner?
    let allowedOrigins: Set<String>
    /// Knows which sessions are live; nil without sign-in.
    let sessions: SessionWatch?
    let cookie: SessionCookie
    /// What each user may write; nil for any number.
    let budgets: UserBudgets?
    /// Notes when sessions are used; nil without sign-in.
    let uses: SessionUses?

    init(
        signer: TokenSigner?,
        allowedOrigins: Set<String>,
        sessions: SessionWatch? = nil,
        cookie: SessionCookie = SessionCookie(),
        budgets: UserBudgets? = nil,
        uses: SessionUses? = nil
    ) {
        self.signer = signer
        self.allowedOrigins = allowedOrigins
        self.sessions = sessions
        self.cookie = cookie
        self.budgets = budgets
        self.uses = uses
    }

    /// The user of a request.
    struct Principal: Sendable, Equatable {
        /// Nil without sign-in: anyone may act as any user.
        var token: SessionToken?

        var uid: String? { token?.uid }
    }

    @LoopActor
    func principal(of request: HTTPRequest) async throws(Problem) -> Principal {
        guard let token = try token(of: request) else { return Principal() }
        let now = ContinuousClock.now
        // Most are known, and need no call that could suspend.
        if !isKnownLive(token, at: now) { try await checkLive(token, at: now) }
        if sessions?.isLeaving(token.uid) == true { try LeavingRule.check(request) }
        return Principal(token: token)
    }

    /// - Throws: a ``Problem`` when the session has ended.
    @LoopActor
    func check(_ principal: Principal) async throws(Problem) {
        guard let token = principal.token else { return }
        let now = ContinuousClock.now
        if !isKnownLive(token, at: now) { try await checkLive(token, at: now) }
    }

    /// Whether a session is used that is known to be live; otherwise it may have to be read.
    @LoopActor
    private func isKnownLive(_ token: SessionToken, at now: ContinuousClock.Instant) -> Bool {
        guard sessions?.verdict(on: token, at: now) == true else { return false }
        uses?.note(token, at: now)
        return true
    }

    @LoopActor
    private func checkLive(_ token: SessionToken, at now: ContinuousClock.Instant) async throws(Problem) {
        let isLive: Bool?
        do throws(TodoError) {
            isLive = try await sessions?.isLive(token, at: now)
        } catch {
            throw Problem(error)
        }
        guard isLive == true else { throw Self.ended }
        uses?.note(token, at: now)
    }

    /// Whether a response in progress may continue: the session has not ended, as far as is known.
    @LoopActor
    func mayGoOn(_ principal: Principal) async -> Bool {
        guard let token = principal.token, let sessions else { return true }
        guard token.expiry > Date() else { return false }
        do throws(TodoError) {
            return try await sessions.isLive(token)
        } catch {
            // Redis cannot be reached, which is neither yes nor no.
            return true
        }
    }

    /// The token of a request, signed as it must be; nil without sign-in.
    func token(of request: HTTPRequest, now: Date = Date()) throws(Problem) -> SessionToken? {
        guard let signer else {
            try checkLoopbackHost(request)
            try checkOrigin(request)
            return nil
        }
        let field = AuthorizationField(request)
        guard let text = field?.token ?? cookie.value(in: request) else {
            throw Self.challenge(request)
        }
        let token = signer.verify(text, now: now)
        switch field {
        case .bearer: break
        case .basic(let user, _):
            // A browser that was given it once sends it by itself, like a cookie.
            try checkOrigin(request)
            guard let token, token.uid == user, token.scope != .account else { throw Self.notAToken }
        case nil: try checkOrigin(request)
        }
        guard let token else { throw Self.ended }
        try ScopeRule.check(token, request)
        return token
    }

    /// The principal, when it may act for `uid`, and may write so much just now.
    ///
    /// - Parameter write: nil for no write.
    @LoopActor
    @discardableResult
    func authorize(
        _ request: HTTPRequest,
        for uid: String,
        toWrite write: UserBudgets.Write? = nil
    ) async throws(Problem) -> Principal {
        do throws(TodoError) {
            try TodoBounds.uid(uid)
        } catch {
            throw Problem(error)
        }
        let principal = try await principal(of: request)
        // Without sign-in there are no strangers: anyone may act as any user.
        guard let signedIn = principal.uid else { return principal }
        guard signedIn == uid else {
            throw Problem(.forbidden, "only \(uid) may do this: you are signed in as \(signedIn)")
        }
        guard let write, let budgets else { return principal }
        do throws(Problem) {
            try budgets.take(write, by: uid, todosAMinute: sessions?.writesMost(of: uid))
        } catch {
            await budgets.beforeRefusing(uid)
            throw error
        }
        return principal
    }

    /// Counts todos that one request wrote besides the one it was let in for, whether or not so many were left; none where it was said
    /// again.
    @LoopActor
    func charge(_ principal: Principal, todos count: Int) {
        guard let uid = principal.uid, let budgets, count > 0, RepeatableWrite.current?.isRepetition != true else {
            return
        }
        budgets.charge(uid, todos: count, aMinute: sessions?.writesMost(of: uid))
    }

    /// Lets the owner of an account alone pass, in a server that has accounts.
    ///
    /// - Returns: their session, and what signs their further tokens.
    @LoopActor
    @discardableResult
    func authorizeOwner(
        _ request: HTTPRequest,
        of uid: String,
        toWrite write: UserBudgets.Write? = nil
    ) async throws(Problem) -> (token: SessionToken, signer: TokenSigner) {
        let principal = try await authorize(request, for: uid, toWrite: write)
        guard let token = principal.token, let signer else { throw Self.withoutAccounts }
        return (token, signer)
    }

    static var withoutAccounts: Problem { Problem(.invalid, "this server runs without sign-in: there are no accounts") }

    /// The viewer of an owner's data: with sign-in, the token's user; without, `viewer` of the query, or the owner.
    ///
    /// - Parameter owner: nil where the request is not about one owner: then `viewer` is required.
    @LoopActor
    func viewer(
        _ request: HTTPRequest,
        of owner: String?
    ) async throws(Problem) -> (uid: String, principal: Principal) {
        let named = request.query("viewer")
        do throws(TodoError) {
            for uid in [owner, named] { if let uid { try TodoBounds.uid(uid) } }
        } catch {
            throw Problem(error)
        }
        let principal = try await principal(of: request)
        if let uid = principal.uid {
            guard named == nil || named == uid else {
                throw Problem(.forbidden, "viewer must be \(uid), as the token says")
            }
            return (uid, principal)
        }
        guard let uid = named ?? owner else { throw Problem(.invalid, "say who looks: viewer=alice") }
        return (uid, principal)
    }

    /// A write that a browser sends from another site carries that site as its `Origin`.
    func checkOrigin(_ request: HTTPRequest) throws(Problem) {
        let isRead = [.get, .head, .options].contains(request.method)
        guard let origin = request.headers["origin"] else {
            // Programs send none, but have no cookie either.
            guard isRead || cookie.value(in: request) == nil else {
                throw Problem(.forbidden, "a write with a cookie needs an Origin field")
            }
            return
        }
        let host = request.headers["host"] ?? ""
        guard origin == "http://\(host)" || origin == "https://\(host)" || allowedOrigins.contains(origin) else {
            throw Problem(.forbidden, "pages of \(origin.prefix(100)) may not call this server")
        }
    }

    /// Without sign-in, a page of another site must not get in by pointing its own host name at this machine.
    private func checkLoopbackHost(_ request: HTTPRequest) throws(Problem) {
        let host = request.headers["host"] ?? ""
        let address = "[::1]"
        let name = host.hasPrefix(address) ? host.prefix(address.count) : host.prefix { $0 != ":" }
        let port = host[name.endIndex...].utf8
        // No more than a port may follow: what a browser takes for one name must not be taken for another here.
        guard
            port.isEmpty || port.first == UInt8(ascii: ":"),
            port.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            name == address || name == "localhost" || GatewayConfiguration.isLoopback(String(name))
        else {
            throw Problem(.forbidden, "this server runs without sign-in and answers to localhost alone")
        }
    }

    /// One text for all that a token may lack, old ones included, which name no session.
    static var ended: Problem {
        unauthenticated("the token is not valid (any more): sign in again, or make another with 'todomate token'")
    }

    /// Who has shown nothing. A client that knows only names and passwords sends them when it is asked; a page must not have its
    /// browser ask for them.
    private static func challenge(_ request: HTTPRequest) -> Problem {
        let isPage = ["cookie", "origin", "referer", "sec-fetch-mode", "accept-language"].contains {
            request.headers[$0] != nil
        }
        return Problem(
            .unauthenticated,
            "sign in first: POST /v1/session, or send Authorization: Bearer <token>",
            headers: ["WWW-Authenticate": isPage ? "Bearer" : "Bearer, Basic realm=\"TodoMate\""]
        )
    }

    private static var notAToken: Problem {
        unauthenticated(
            "in place of a password send one of the user's tokens: My account and 'todomate token' make them"
        )
    }

    private static func unauthenticated(_ detail: String) -> Problem {
        Problem(.unauthenticated, detail, headers: ["WWW-Authenticate": "Bearer"])
    }
}
