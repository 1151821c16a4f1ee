import HTTPServing
import TodoMate

/// Which token may call which route: the one place that says so. What is not listed here is for those who have signed in.
enum ScopeRule {
    private static let user = "/v1/users/{uid}"

    /// The least scope that each route and method needs.
    private static let least: [String: [HTTPMethod: TokenScope]] = [
        "/v1/changes": [.get: .feed],
        "/v1/people": [.get: .read],
        user + "/changes": [.get: .feed],
        user + "/feed": [.get: .feed],
        user + "/feed/seen": [.put: .write],
        user + "/badges": [.get: .read],
        user + "/earlier": [.get: .read],
        user + "/week": [.get: .read],
        // All of which a token of this scope can read one by one.
        user + "/archive": [.get: .read, .post: .write],
        user + "/mail": [.get: .read],
        user + "/limits": [.get: .read],
        user + "/todos": [.get: .read, .post: .write],
        user + "/todos/{id}": [.get: .read, .put: .write, .patch: .write, .delete: .write],
        // What is in the log a token can read there as it comes, but for the devices, which only one that may write is told.
        user + "/todos/{id}/history": [.get: .read],
        user + "/removed": [.get: .read],
        user + "/search": [.get: .read],
        user + "/notes": [.get: .read],
        user + "/notes/{date}": [.get: .read, .put: .write, .delete: .write],
        user + "/goals": [.get: .read],
        user + "/goals/{goal}": [.put: .write, .delete: .write],
        user + "/goals/{goal}/spread": [.post: .write],
        user + "/routines": [.get: .read, .post: .write],
        user + "/routine-todos": [.get: .read],
        user + "/routines/{routine}": [.put: .write, .delete: .write],
        user + "/routines/{routine}/split": [.post: .write],
        user + "/routines/{routine}/skipped/{date}": [.put: .write, .delete: .write],
        user + "/todos/{id}/reactions": [.get: .read],
        user + "/todos/{id}/reactions/{person}": [.put: .write, .delete: .write],
        user + "/invitations": [.get: .read, .post: .write],
        user + "/invitations/{id}": [.delete: .write],
        user + "/profile": [.get: .read, .patch: .write],
        user + "/following": [.get: .read],
        user + "/following/{other}": [.put: .write, .delete: .write],
        user + "/followers": [.get: .read],
        user + "/followers/{other}": [.put: .write, .delete: .write],
        user + "/blocked/{other}": [.put: .write, .delete: .write],
        // Whose a token is; and to end itself, which takes nothing from anybody else.
        "/v1/session": [.get: .feed, .delete: .feed],
    ]

    /// Whether a session may make a request.
    static func allows(_ scope: SessionScope, _ method: HTTPMethod, _ route: String) -> Bool {
        guard case .token(let scope) = scope else { return true }
        guard let least = least[route]?[method == .head ? .get : method] else { return false }
        return scope >= least
    }

    /// - Throws: a ``Problem`` that says what would be needed.
    static func check(_ token: SessionToken, _ request: HTTPRequest) throws(Problem) {
        guard !allows(token.scope, request.method, request.route) else { return }
        let method = request.method == .head ? HTTPMethod.get : request.method
        guard let least = least[request.route]?[method] else {
            throw Problem(.forbidden, "a token may not do this: sign in with the password")
        }
        throw Problem(
            .forbidden,
            "the token has the scope \(token.scope.word), and this needs \(least.rawValue): make another"
        )
    }
}
