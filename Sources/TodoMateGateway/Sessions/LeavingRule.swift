import HTTPServing
import TodoMate

/// What the owner of an account that is to be deleted may still do: keep it, take all along, and leave.
enum LeavingRule {
    private static let allowed: [String: Set<HTTPMethod>] = [
        "/v1/session": [.get, .delete],
        "/v1/users/{uid}/deletion": [.get, .post, .delete],
        "/v1/users/{uid}/archive": [.get],
    ]

    /// Whether a request is answered.
    static func allows(_ method: HTTPMethod, _ route: String) -> Bool {
        allowed[route]?.contains(method == .head ? .get : method) ?? false
    }

    /// - Throws: a ``Problem`` that says what to do first.
    static func check(_ request: HTTPRequest) throws(Problem) {
        guard !allows(request.method, request.route) else { return }
        throw Problem(
            .accountLeaving,
            "this account is to be deleted: keep it first, with DELETE /v1/users/{uid}/deletion, or take its archive along"
        )
    }
}
