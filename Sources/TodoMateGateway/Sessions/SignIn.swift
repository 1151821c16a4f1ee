import EventLoop
import HTTPServing
import TodoMate

/// Lets somebody in who may: what the routes that begin a session have in common.
@LoopActor
final class SignIn {
    /// Whether a password is right, within what may be tried.
    let check: PasswordCheck
    private let sessions: any SessionStoreType
    private let operators: any OperatorStoreType
    private let signer: TokenSigner
    private let reply: SignInAnswer

    /// Nil in a server without sign-in, which has no signer.
    init?(
        _ stores: Stores,
        _ check: PasswordCheck?,
        _ signer: TokenSigner?,
        _ reply: SignInAnswer
    ) {
        guard let check, let signer else { return nil }
        (sessions, operators) = (stores.sessions, stores.operators)
        (self.check, self.signer, self.reply) = (check, signer, reply)
    }

    /// The client that a request comes from, as budgets know it.
    func address(of request: HTTPRequest) -> String { reply.address(of: request) }

    /// The generation of an account whose password the request knows, or nil.
    func generation(
        of uid: String,
        knowing password: String,
        for request: HTTPRequest
    ) async throws -> Int? {
        let address = reply.address(of: request)
        let network = reply.network(of: request) ?? address
        return try await check.generation(of: uid, knowing: password, from: address, in: network)
    }

    /// A session of its own; nil when the account has changed since its generation was read.
    ///
    /// - Parameter provider: who says who they are; nil for their password.
    /// - Throws: a ``Problem`` that says why an account is suspended: only who has shown a password or a good link comes this far.
    func begin(
        _ uid: String,
        since generation: Int,
        by provider: String? = nil,
        for request: HTTPRequest
    ) async throws -> SessionToken? {
        let draft = reply.draft(for: request, by: provider)
        do throws(TodoError) {
            let begun = try await sessions.begin(draft, of: uid, since: generation)
            return reply.token(of: draft, uid, generation: begun)
        } catch {
            switch error {
            case .conflict:
                if let suspended = try await suspension(of: uid) { throw suspended }
                return nil
            case .notFound: return nil
            default: throw error
            }
        }
    }

    /// The field that has the browser keep a session.
    func cookie(_ token: SessionToken, for request: HTTPRequest) -> String { reply.cookie(token, signer, for: request) }

    /// What somebody is told who has shown that an account is theirs; nil where it is not suspended.
    func suspension(of uid: String) async throws -> Problem? {
        try await operators.suspension(of: uid, knowing: nil).map(Problem.suspended)
    }

    /// The answer that hands a session to the client.
    ///
    /// - Parameters:
    ///   - following: whether the user follows who invited; nil for no word about it.
    ///   - ending: the field that ends another cookie, if any.
    func answer(
        _ token: SessionToken,
        for request: HTTPRequest,
        following: FollowState? = nil,
        ending: String? = nil
    ) -> HTTPReply {
        .response(reply.response(token, signer, for: request, following: following, ending: ending))
    }
}
