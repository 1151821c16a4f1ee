import EventLoop
import HTTPServing
import TodoMate

/// Which requests may be said again under an `Idempotency-Key`: the one place that says so.
///
/// All others that change something refuse one. A client relies on it, and what they do is not remembered: who may sign in, and by
/// what, is decided anew each time, and no answer with a secret in it is kept. Reads need none, and ignore it.
enum OperationRule {
    private static let user = "/v1/users/{uid}"

    /// The routes and methods that take one.
    static let taking: [String: Set<HTTPMethod>] = [
        user + "/todos": [.post],
        user + "/todos/{id}": [.put, .patch, .delete],
        user + "/todos/{id}/reactions/{person}": [.put, .delete],
        user + "/notes/{date}": [.put, .delete],
        user + "/goals/{goal}": [.put, .delete],
        user + "/goals/{goal}/spread": [.post],
        user + "/routines": [.post],
        user + "/routines/{routine}": [.put, .delete],
        user + "/routines/{routine}/split": [.post],
        user + "/routines/{routine}/skipped/{date}": [.put, .delete],
        user + "/profile": [.patch],
        user + "/feed/seen": [.put],
        user + "/following/{other}": [.put, .delete],
        user + "/followers/{other}": [.put, .delete],
        user + "/blocked/{other}": [.put, .delete],
    ]

    /// What answers a request: the route's handler by itself, or in the name of the operation that the request names.
    @LoopActor
    static func handler(of request: HTTPRequest, _ handler: @escaping HTTPRouter.Handler) -> HTTPRouter.Handler {
        guard request.headers[IdempotencyKey.field] != nil, ![.get, .head, .options].contains(request.method) else {
            return handler
        }
        return { request, path in
            guard taking[request.route]?.contains(request.method) == true else {
                throw Problem(.malformed, "this path takes no \(IdempotencyKey.field): what it does is not remembered")
            }
            guard let id = try IdempotencyKey.operation(of: request) else { return try await handler(request, path) }
            let write = RepeatableWrite(id, fingerprint: IdempotencyKey.fingerprint(of: request))
            let reply = try await RepeatableWrite.$current.withValue(write) { try await handler(request, path) }
            guard write.isRepetition, case .response(var response) = reply else { return reply }
            response.headers[IdempotencyKey.replayed] = "true"
            return .response(response)
        }
    }
}
