import EventLoop
import HTTPServing
import TodoMate

/// Deletes the account of whoever is signed in and knows its password, after some time in which they may change their mind.
@LoopActor
final class DeletionRoutes {
    private let deletions: any DeletionStoreType
    private let sweep: DeletionSweep
    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let authenticator: Authenticator
    private let grace: Int
    private let log: Logger

    init(
        _ deletions: any DeletionStoreType,
        _ sweep: DeletionSweep,
        _ signIn: SignIn?,
        _ authenticator: Authenticator,
        grace: Int,
        _ log: Logger
    ) {
        (self.deletions, self.sweep, self.signIn, self.authenticator) = (deletions, sweep, signIn, authenticator)
        (self.grace, self.log) = (grace, log)
    }

    func add(to router: HTTPRouter) {
        let path = "/v1/users/{uid}/deletion"
        router.on(.get, path, show)
        router.on(.post, path, begin)
        router.on(.delete, path, withdraw)
    }

    /// `{"graceSeconds":604800}`, with `"due":"2026-11-30T09:30:00Z"` where it is to be deleted.
    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorizeOwner(request, of: path["uid"])
        try QueryNames.check(request, [], "this path takes no query")
        return reply(due: try await deletions.deletion(of: path["uid"]).due)
    }

    private struct Password: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case password }

        var password: String
    }

    private func begin(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let current = try await authenticator.authorizeOwner(request, of: uid).token
        guard let signIn else { throw Authenticator.withoutAccounts }
        try QueryNames.check(request, [], "this path takes no query")
        try await signIn.admit(request)
        let known = try await signIn.confirm(uid, by: Password.read(request).password, for: request)
        let due = try await deletions.begin(of: uid, after: grace, since: known.generation, keeping: current.id)
        authenticator.sessions?.ended(of: uid) { $0 != current.id }
        log.info("deletion begun", ["uid": uid, "due": due.asTime, "from": signIn.address(of: request)])
        sweep.attend(to: uid, due: due)
        return reply(due: due, status: 202)
    }

    private func withdraw(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await authenticator.authorizeOwner(request, of: uid, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        try await deletions.withdraw(of: uid)
        authenticator.sessions?.ended(of: uid) { _ in false }
        log.info("deletion withdrawn", ["uid": uid])
        sweep.attend(to: uid)
        return .response(HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"]))
    }

    private func reply(due: Int?, status: Int = 200) -> HTTPReply {
        let body = JSONObject(["graceSeconds": grace, "due": due?.asTime]).text
        return .response(.json(body, status: status, headers: ["Cache-Control": "no-store"]))
    }
}
