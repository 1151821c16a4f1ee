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

    /// The network that a request comes from, as owners of accounts are told.
    func network(of request: HTTPRequest) -> String { reply.network(of: request) ?? address(of: request) }

    /// Who has shown password and second factor of an account; nil for a wrong password.
    ///
    /// - Parameter code: what is shown as the second factor; nil for nothing.
    func known(
        _ uid: String,
        by password: String,
        and code: String?,
        for request: HTTPRequest
    ) async throws -> PasswordCheck.Known? {
        try await check.known(
            uid,
            by: password,
            and: .shown(code),
            from: address(of: request),
            in: network(of: request)
        )
    }

    /// Checks whether the client of a request may try a password at all, before anything is read of what it says.
    func admit(_ request: HTTPRequest) async throws(Problem) { try await check.admit(address(of: request)) }

    /// Has somebody who is signed in show the password once more, and with some wishes a code as well.
    ///
    /// - Parameter step: what is shown besides; their session has shown the second factor.
    /// - Throws: a ``Problem`` when something of it is wrong.
    @discardableResult
    func confirm(
        _ uid: String,
        by password: String,
        and step: PasswordCheck.SecondStep = .shownBefore,
        for request: HTTPRequest
    ) async throws -> PasswordCheck.Known {
        let (address, network) = (address(of: request), network(of: request))
        guard let known = try await check.known(uid, by: password, and: step, from: address, in: network) else {
            throw Problem(.wrongPassword, "the password is wrong")
        }
        return known
    }

    /// A sign-in of the client that sends a request, and the token of one that has begun.
    func draft(for request: HTTPRequest) -> SessionDraft { reply.draft(for: request) }
    func token(of draft: SessionDraft, _ uid: String, generation: Int) -> SessionToken {
        reply.token(of: draft, uid, generation: generation)
    }

    /// A session of its own; nil when the account has changed since its generation was read.
    ///
    /// - Parameters:
    ///   - hasShownFactor: whether the account has a second factor, and it was shown; without it no sign-in begins there.
    ///   - provider: who says who they are, and has asked for what else it wants; nil for their password.
    /// - Throws: a ``Problem`` that says why an account is suspended: only who has shown a password or a good link comes this far.
    func begin(
        _ uid: String,
        since generation: Int,
        hasShownFactor: Bool = false,
        by provider: String? = nil,
        for request: HTTPRequest
    ) async throws -> SessionToken? {
        var draft = reply.draft(for: request, by: provider)
        draft.factor = hasShownFactor || provider != nil ? true : nil
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
