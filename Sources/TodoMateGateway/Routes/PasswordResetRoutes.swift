import EventLoop
import HTTPServing
import TodoMate

/// Lets a user who has forgotten the password set another one, with a link that the operator made.
@LoopActor
final class PasswordResetRoutes {
    private let resets: any PasswordResetStoreType
    private let accounts: any AccountStoreType
    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let budgets: SharedJoinBudgets
    private let authenticator: Authenticator
    private let log: Logger

    init(
        _ stores: Stores,
        _ signIn: SignIn?,
        _ budgets: SharedJoinBudgets,
        _ authenticator: Authenticator,
        _ log: Logger
    ) {
        (resets, accounts) = (stores.resets, stores.accounts)
        (self.signIn, self.budgets, self.authenticator, self.log) = (signIn, budgets, authenticator, log)
    }

    func add(to router: HTTPRouter) { router.on(.post, "/v1/password-reset", reset) }

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user, secret, password, code }

        var user: String
        var secret: String
        var password: String
        var code: String?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            user = try fields.decode(String.self, forKey: .user)
            secret = try fields.decode(String.self, forKey: .secret)
            password = try fields.decode(String.self, forKey: .password)
            code = try fields.optional(.code)
        }
    }

    private func reset(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        guard let signIn else { throw Authenticator.withoutAccounts }
        try authenticator.checkOrigin(request)
        let fields = try Fields.read(request)
        try PasswordRule.check(fields.password, of: fields.user)
        return try await budgets.attempt(request) { address in
            let known = try await set(fields, signIn, for: request, from: address)
            log.info("password reset", ["uid": fields.user, "from": address])
            try? await accounts.rememberAddress(address, of: fields.user)
            let token = try await signIn.begin(
                fields.user,
                since: known.generation,
                hasShownFactor: known.hasShownFactor,
                for: request
            )
            guard let token else {
                throw Problem(.unauthenticated, "the password was set, and changed again meanwhile: sign in")
            }
            return signIn.answer(token, for: request)
        }
    }

    /// Sets the password. An unknown user, a wrong secret, a link that was used and one that is over are answered alike, and
    /// after the same time. A link takes the place of the password alone: the second factor is shown before it is set.
    private func set(
        _ fields: Fields,
        _ signIn: SignIn,
        for request: HTTPRequest,
        from address: String
    ) async throws -> PasswordCheck.Known {
        guard let code = LinkCode(uid: fields.user, secret: fields.secret) else { throw Self.notValid }
        let id = code.digest(for: .reset)
        do throws(TodoError) {
            guard try await resets.isReset(id, of: code.uid) else { throw .notFound("") }
        } catch {
            throw try await problem(error, code.uid, signIn)
        }
        let network = signIn.network(of: request)
        let hasShownFactor = try await signIn.check.factor.check(fields.code, of: code.uid, from: network)
        let hash = try await signIn.check.hash(fields.password, from: address, isKnown: true)
        do throws(TodoError) {
            let generation = try await resets.resetPassword(id, of: code.uid, hash: hash)
            return PasswordCheck.Known(generation: generation, hasShownFactor: hasShownFactor)
        } catch {
            throw try await problem(error, code.uid, signIn)
        }
    }

    /// Whoever has a good link to a suspended account is told; it stays good until its time is over.
    private func problem(_ error: TodoError, _ uid: String, _ signIn: SignIn) async throws -> Problem {
        switch error {
        case .notFound: Self.notValid
        case .conflict: try await signIn.suspension(of: uid) ?? Problem(error)
        default: Problem(error)
        }
    }

    private static var notValid: Problem {
        Problem(.notFound, "this link is not valid (any more): ask the operator for another")
    }
}
