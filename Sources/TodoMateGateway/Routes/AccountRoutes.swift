import EventLoop
import HTTPServing
import TodoMate

/// Makes accounts for those who come by themselves: with an invitation, or without where registration is open.
@LoopActor
final class AccountRoutes {
    private let stores: Stores
    private let joining: AccountJoining
    private let wishes: WishDelivery
    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let budgets: SharedJoinBudgets
    private let authenticator: Authenticator
    private let registration: Registration
    private let log: Logger

    init(
        _ stores: Stores,
        _ signIn: SignIn?,
        _ budgets: SharedJoinBudgets,
        _ authenticator: Authenticator,
        _ registration: Registration,
        _ log: Logger
    ) {
        (self.stores, self.signIn, self.budgets, self.authenticator) = (stores, signIn, budgets, authenticator)
        (self.registration, self.log) = (registration, log)
        joining = AccountJoining(stores.invitations)
        wishes = WishDelivery(stores.relations, log)
    }

    func add(to router: HTTPRouter) {
        router.on(.post, "/v1/invitations/look", look)
        router.on(.post, "/v1/accounts", make)
    }

    // MARK: Looking

    private struct Found: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case invitation }

        var invitation: String
    }

    /// Who invites, until when, and whether one may follow them at once. A POST, as a path is written into logs.
    private func look(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        _ = try checked(request)
        let text = try Found.read(request).invitation
        return try await budgets.attempt(request) { _ in
            let (code, invitation) = try await find(text, for: nil)
            let expires = Time.text(invitation.expires)
            let facts = JSONObject(["inviter": code.uid, "expires": expires, "welcome": invitation.welcome == true])
            return RelationRoutes.fresh(facts.text)
        }
    }

    // MARK: Joining

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user, password, invitation, follow, followBack }

        var user: String
        var password: String
        var invitation: String?
        var follow: Bool?
        var followBack: Bool?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            user = try fields.decode(String.self, forKey: .user)
            password = try fields.decode(String.self, forKey: .password)
            invitation = try fields.optional(.invitation)
            follow = try fields.optional(.follow)
            followBack = try fields.optional(.followBack)
        }
    }

    private func make(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let signIn = try checked(request)
        let fields = try Fields.read(request)
        try UserNameRule.check(fields.user)
        try PasswordRule.check(fields.password, of: fields.user)
        guard fields.invitation != nil || registration == .open else {
            throw Problem(.forbidden, "an account here needs an invitation: ask somebody who has one")
        }
        return try await budgets.attempt(costsAccount: fields.invitation == nil, request) { address in
            var code: LinkCode?
            if let text = fields.invitation { code = try await find(text, for: fields.user).code }
            let generation = try await join(fields, code, signIn, for: request, from: address)
            guard let token = try await signIn.begin(fields.user, since: generation, for: request) else {
                throw Problem(.unauthenticated, "the account is there, and was changed meanwhile: sign in")
            }
            var following: FollowState?
            if let code, fields.follow == true { following = await follow(code.uid, by: fields.user) }
            return signIn.answer(token, for: request, following: following)
        }
    }

    /// Makes the account, or finds it made by the same invitation and with the same password: the answer to the first request
    /// was lost.
    ///
    /// - Returns: the account's generation.
    private func join(
        _ fields: Fields,
        _ code: LinkCode?,
        _ signIn: SignIn,
        for request: HTTPRequest,
        from address: String
    ) async throws -> Int {
        let uid = fields.user
        // Looked at first: a hash costs much, and a taken name none of the invitation's uses.
        guard try await stores.sessions.live(of: uid).generation == nil else {
            return try await existing(fields, code, signIn, for: request)
        }
        let hash = try await signIn.check.hash(fields.password, from: address, isKnown: false)
        let generation: Int?
        do throws(TodoError) {
            generation = try await joining.join(
                uid,
                passwordHash: hash,
                by: code?.invitation,
                welcoming: fields.followBack == true
            )
        } catch {
            throw Self.problem(error, uid)
        }
        guard let generation else { return try await existing(fields, code, signIn, for: request) }
        log.info("account made", ["uid": uid, "invited": code?.uid ?? "-", "from": address])
        wishes.deliver(to: uid)
        // Not worth losing the account that is there by now.
        try? await stores.accounts.rememberAddress(address, of: uid)
        return generation
    }

    private func existing(
        _ fields: Fields,
        _ code: LinkCode?,
        _ signIn: SignIn,
        for request: HTTPRequest
    ) async throws -> Int {
        guard let code, try await stores.invitations.came(fields.user, by: code.invitation) else {
            throw Self.taken(fields.user)
        }
        // Who has turned on a second factor since is told to sign in.
        let known = try await signIn.known(fields.user, by: fields.password, and: nil, for: request)
        guard let known else { throw Self.taken(fields.user) }
        return known.generation
    }

    /// Follows who invited, or asks to; that it cannot be does not undo the account.
    private func follow(_ inviter: String, by uid: String) async -> FollowState {
        do throws(TodoError) {
            return try await stores.relations.follow(inviter, by: uid).following
        } catch {
            log.warning("the inviter could not be followed", ["uid": uid, "with": inviter, "reason": "\(error)"])
            return .none
        }
    }

    // MARK: Parts

    /// What signs in, where accounts can be made at all and the page that asks may.
    private func checked(_ request: HTTPRequest) throws -> SignIn {
        guard let signIn else { throw Authenticator.withoutAccounts }
        try authenticator.checkOrigin(request)
        guard registration != .closed else {
            throw Problem(.forbidden, "this server takes no new accounts: ask its operator for one")
        }
        return signIn
    }

    /// The invitation that a code opens; one that is used up counts for the name that used it.
    private func find(_ text: String, for uid: String?) async throws -> (code: LinkCode, invitation: Invitation) {
        guard let code = LinkCode(text) else { throw Self.noInvitation }
        do throws(TodoError) {
            let invitation = try await joining.open(code.invitation)
            guard invitation.left > 0 || invitation.came.contains(where: { $0.uid == uid }) else {
                throw .notFound("used up")
            }
            return (code, invitation)
        } catch {
            guard case .notFound = error else { throw Problem(error) }
            throw Self.noInvitation
        }
    }

    private static func problem(_ error: TodoError, _ uid: String) -> Problem {
        switch error {
        case .exists: taken(uid)
        case .notFound, .full: noInvitation
        case .conflict:
            Problem(.unavailable, "the account could not be made in time: try again", headers: ["Retry-After": "1"])
        default: Problem(error)
        }
    }

    private static func taken(_ uid: String) -> Problem {
        Problem(
            .exists,
            "the name \(uid) is taken, or looks like one that is: choose another, or sign in if it is yours"
        )
    }

    /// One text for all that an invitation may lack.
    private static var noInvitation: Problem {
        Problem(.notFound, "this invitation is not valid (any more): ask for another")
    }
}

extension LinkCode {
    /// What the code names where it is for an invitation.
    fileprivate var invitation: InvitationName { InvitationName(inviter: uid, id: digest(for: .join)) }
}
