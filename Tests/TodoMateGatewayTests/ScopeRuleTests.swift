import EventLoop
import Foundation
import HTTPServing
import Testing
import TodoMate

@testable import TodoMateGateway

/// Every route with every scope: a route that is new here has to be put somewhere first.
@Suite("What a token may do")
@LoopActor
struct ScopeRuleTests {
    private static let user = "/v1/users/{uid}"

    /// What each scope adds to the one before, as `method route`.
    private static let allowed: [TokenScope: Set<String>] = [
        .feed: [
            "GET /v1/changes", "GET \(user)/changes", "GET \(user)/feed", "GET /v1/session", "DELETE /v1/session",
        ],
        .read: [
            "GET \(user)/todos", "GET \(user)/todos/{id}", "GET \(user)/todos/{id}/reactions", "GET \(user)/profile",
            "GET /v1/people",
            "GET \(user)/following", "GET \(user)/followers", "GET \(user)/badges", "GET \(user)/earlier",
            "GET \(user)/week",
            "GET \(user)/invitations",
            "GET \(user)/archive", "GET \(user)/mail", "GET \(user)/todos/{id}/history", "GET \(user)/removed",
            "GET \(user)/notes", "GET \(user)/notes/{date}",
            "GET \(user)/goals", "GET \(user)/search", "GET \(user)/routines",
            "GET \(user)/routine-todos", "GET \(user)/limits",
        ],
        .write: [
            "POST \(user)/todos", "PUT \(user)/todos/{id}", "PATCH \(user)/todos/{id}", "DELETE \(user)/todos/{id}",
            "PUT \(user)/todos/{id}/reactions/{person}", "DELETE \(user)/todos/{id}/reactions/{person}",
            "PATCH \(user)/profile", "PUT \(user)/following/{other}", "DELETE \(user)/following/{other}",
            "PUT \(user)/followers/{other}", "DELETE \(user)/followers/{other}", "PUT \(user)/blocked/{other}",
            "DELETE \(user)/blocked/{other}", "PUT \(user)/feed/seen", "POST \(user)/invitations",
            "DELETE \(user)/invitations/{id}", "PUT \(user)/goals/{goal}", "DELETE \(user)/goals/{goal}",
            "POST \(user)/goals/{goal}/spread", "PUT \(user)/notes/{date}", "DELETE \(user)/notes/{date}",
            "POST \(user)/routines", "PUT \(user)/routines/{routine}", "DELETE \(user)/routines/{routine}",
            "POST \(user)/routines/{routine}/split", "PUT \(user)/routines/{routine}/skipped/{date}",
            "DELETE \(user)/routines/{routine}/skipped/{date}", "POST \(user)/archive",
        ],
    ]
    /// What needs no token at all.
    private static let open: Set<String> = [
        "POST /v1/session", "POST /v1/accounts", "POST /v1/invitations/look", "POST /v1/password-reset",
        "POST /v1/password-reset/mail", "POST /v1/mail-confirmation",
        "GET /v1/providers/{provider}/begin",
        "GET /v1/providers/{provider}/callback", "POST /v1/providers/{provider}/accounts", "GET /healthz",
        "GET /readyz", "GET /metrics", "GET /openapi.json", "GET /",
    ]
    /// What nobody but a person who has signed in may do.
    private static let account: Set<String> = [
        "POST \(user)/password", "GET \(user)/sessions", "DELETE \(user)/sessions", "DELETE \(user)/sessions/{session}",
        "POST \(user)/tokens", "GET \(user)/events",
        "GET \(user)/identities", "POST \(user)/identities", "DELETE \(user)/identities/{identity}",
        "GET /v1/operator", "GET /v1/operator/users", "POST /v1/operator/users/{uid}/suspend",
        "POST /v1/operator/users/{uid}/resume", "PUT /v1/operator/users/{uid}/limits",
        "PUT /v1/operator/announcement", "DELETE /v1/operator/announcement",
        "GET \(user)/factor", "POST \(user)/factor", "PUT \(user)/factor", "POST \(user)/factor/recovery-codes",
        "POST \(user)/factor/off",
        "PUT \(user)/mail",
        "GET \(user)/deletion", "POST \(user)/deletion", "DELETE \(user)/deletion",
    ]

    private static func routes() -> Set<String> {
        var configuration = GatewayConfiguration()
        configuration.signer = TokenSigner(secret: String(repeating: "s", count: 32))
        let gateway = Gateway(configuration, stores: InMemoryTodoRepository().stores, log: Logger(write: { _ in }))
        let all = gateway.router.methods.flatMap { path, methods in methods.map { "\($0.rawValue) \(path)" } }
        // The files of the page.
        return Set(all.filter { !$0.contains(".") || $0 == "GET /openapi.json" })
    }

    @Test("is known of every route that there is")
    func complete() {
        let known = Self.allowed.values.reduce(Self.open.union(Self.account)) { $0.union($1) }
        #expect(Self.routes() == known)
    }

    @Test("is what its scope says, route by route", arguments: TokenScope.allCases)
    func each(_ scope: TokenScope) {
        let granted = Self.allowed.filter { $0.key <= scope }.values.reduce(Set()) { $0.union($1) }
        for route in Self.routes() where !Self.open.contains(route) {
            let words = route.split(separator: " ").map(String.init)
            let method = HTTPMethod(rawValue: words[0]) ?? .options
            let isAllowed = granted.contains(route)
            #expect(ScopeRule.allows(.token(scope), method, words[1]) == isAllowed, "\(scope): \(route)")
            #expect(ScopeRule.allows(.account, method, words[1]), "a sign-in may do all: \(route)")
            if method == .get { #expect(ScopeRule.allows(.token(scope), .head, words[1]) == isAllowed, "\(route)") }
        }
    }

    @Test("is nothing on a route that nobody has thought of", arguments: TokenScope.allCases)
    func unknown(_ scope: TokenScope) {
        for route in ["", "/v1/users/{uid}", "/v1/users/{uid}/secrets", "/v2/users/{uid}/todos"] {
            for method in HTTPMethod.allCases { #expect(!ScopeRule.allows(.token(scope), method, route)) }
        }
        for method in [HTTPMethod.post, .put, .patch, .options] {
            #expect(!ScopeRule.allows(.token(scope), method, "/v1/users/{uid}/feed"))
        }
    }
}
