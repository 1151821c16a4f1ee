import EventLoop
import HTTPServing
import TodoMate

/// Changes the password of whoever is signed in, which ends all their other sessions.
@LoopActor
final class PasswordRoutes {
    private let sessions: any SessionStoreType
    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let authenticator: Authenticator
    private let log: Logger

    init(_ sessions: any SessionStoreType, _ signIn: SignIn?, _ authenticator: Authenticator, _ log: Logger) {
        (self.sessions, self.signIn, self.authenticator, self.log) = (sessions, signIn, authenticator, log)
    }

    func add(to router: HTTPRouter) { router.on(.post, "/v1/users/{uid}/password", change) }

    private struct Passwords: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case current, password }

        var current: String
        var password: String
    }

    private func change(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let asking = try await authenticator.authorizeOwner(request, of: uid).token
        guard let signIn else { throw Authenticator.withoutAccounts }
        try QueryNames.check(request, [], "this path takes no query")
        try await signIn.admit(request)
        let passwords = try Passwords.read(request)
        // First what costs nothing: a password that may not be is no attempt.
        try PasswordRule.check(passwords.password, of: uid)
        let known = try await signIn.confirm(uid, by: passwords.current, for: request)
        let address = signIn.address(of: request)
        let hash = try await signIn.check.hash(passwords.password, from: address, isKnown: true)
        let draft = signIn.draft(for: request)
        let generation: Int
        do throws(TodoError) {
            generation = try await sessions.changePassword(
                to: hash,
                of: uid,
                since: known.generation,
                beginning: draft,
                by: asking.id
            )
        } catch {
            // Ended while the passwords were hashed: whoever did that may have meant this one.
            guard case .notFound = error else { throw error }
            throw Authenticator.ended
        }
        let token = signIn.token(of: draft, uid, generation: generation)
        authenticator.sessions?.began(token)
        log.info("password changed", ["uid": uid, "session": token.shortID, "from": address])
        return signIn.answer(token, for: request)
    }
}
