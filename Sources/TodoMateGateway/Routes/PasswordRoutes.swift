import EventLoop
import HTTPServing
import TodoMate

/// Changes the password of whoever is signed in, which ends all their other sessions.
@LoopActor
final class PasswordRoutes {
    private let sessions: any SessionStoreType
    /// Nil in a server without sign-in.
    private let check: PasswordCheck?
    private let authenticator: Authenticator
    private let answer: SignInAnswer
    private let log: Logger

    init(
        _ sessions: any SessionStoreType,
        _ check: PasswordCheck?,
        _ authenticator: Authenticator,
        _ answer: SignInAnswer,
        _ log: Logger
    ) {
        self.sessions = sessions
        self.check = check
        self.authenticator = authenticator
        self.answer = answer
        self.log = log
    }

    func add(to router: HTTPRouter) { router.on(.post, "/v1/users/{uid}/password", change) }

    private struct Passwords: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case current, password }

        var current: String
        var password: String
    }

    private func change(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let (asking, signer) = try await authenticator.authorizeOwner(request, of: uid)
        guard let check else { throw Authenticator.withoutAccounts }
        try QueryNames.check(request, [], "this path takes no query")
        let address = answer.address(of: request)
        let network = answer.network(of: request) ?? address
        try await check.admit(address)
        let passwords = try Passwords.read(request)
        // First what costs nothing: a password that may not be is no attempt.
        try PasswordRule.check(passwords.password, of: uid)
        guard let known = try await check.generation(of: uid, knowing: passwords.current, from: address, in: network)
        else {
            throw Problem(.wrongPassword, "the current password is wrong")
        }
        let hash = try await check.hash(passwords.password, from: address, isKnown: true)
        let draft = answer.draft(for: request)
        let generation: Int
        do throws(TodoError) {
            generation = try await sessions.changePassword(
                to: hash,
                of: uid,
                since: known,
                beginning: draft,
                by: asking.id
            )
        } catch {
            // Ended while the passwords were hashed: whoever did that may have meant this one.
            guard case .notFound = error else { throw error }
            throw Authenticator.ended
        }
        let token = answer.token(of: draft, uid, generation: generation)
        authenticator.sessions?.began(token)
        log.info("password changed", ["uid": uid, "session": token.shortID, "from": address])
        return .response(answer.response(token, signer, for: request))
    }
}
