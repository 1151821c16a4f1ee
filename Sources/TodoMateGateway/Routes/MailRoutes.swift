import EventLoop
import HTTPServing
import TodoMate

/// Lets people say where mail of their account goes, and ask for a new password by it.
@LoopActor
final class MailRoutes {
    private let mails: any MailStoreType
    /// Nil in a server that sends none.
    private let mailing: Mailing?
    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let budgets: SharedJoinBudgets
    private let authenticator: Authenticator
    private let log: Logger

    init(
        _ mails: any MailStoreType,
        _ mailing: Mailing?,
        _ signIn: SignIn?,
        _ budgets: SharedJoinBudgets,
        _ authenticator: Authenticator,
        _ log: Logger
    ) {
        (self.mails, self.mailing, self.signIn) = (mails, mailing, signIn)
        (self.budgets, self.authenticator, self.log) = (budgets, authenticator, log)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/mail", show)
        router.on(.put, "/v1/users/{uid}/mail", change)
        router.on(.post, "/v1/mail-confirmation", confirm)
        router.on(.post, "/v1/password-reset/mail", forgotten)
    }

    // MARK: The owner

    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorizeOwner(request, of: path["uid"])
        try QueryNames.check(request, [], "this path takes no query")
        return .response(try await shown(path["uid"]))
    }

    private struct Wish: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case address, password }

        var address: String
        var password: String
    }

    /// Has an address confirmed, or takes away what there is, for an empty one.
    private func change(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await authenticator.authorizeOwner(request, of: uid, toWrite: .settings)
        guard let signIn else { throw Authenticator.withoutAccounts }
        try QueryNames.check(request, [], "this path takes no query")
        try await signIn.admit(request)
        let wish = try Wish.read(request)
        guard !wish.address.isEmpty else {
            let known = try await signIn.confirm(uid, by: wish.password, for: request)
            if let before = try await mails.removeMail(of: uid, since: known.generation) {
                log.info("mail address removed", ["uid": uid, "from": signIn.address(of: request)])
                await mailing?.tell(before, .removed, of: uid, for: request)
            }
            return .response(try await shown(uid))
        }
        guard let mailing else { throw Self.withoutMail }
        // First what costs nothing.
        let address = try MailAddressRule.read(wish.address)
        let known = try await signIn.confirm(uid, by: wish.password, for: request)
        try await mailing.confirm(address, of: uid, for: request) { [mails] id in
            let seconds = Mailing.confirmationSeconds
            try await mails.offer(address, by: id, to: uid, seconds: seconds, since: known.generation)
        }
        log.info("mail address to be confirmed", ["uid": uid, "from": signIn.address(of: request)])
        return .response(try await shown(uid, status: 202))
    }

    private func shown(_ uid: String, status: Int = 200) async throws -> HTTPResponse {
        let mail = try await mails.mail(of: uid)
        let fields = JSONObject([
            "sends": mailing != nil, "address": mail.address, "pending": mail.pending, "until": mail.until?.asTime,
        ])
        return .json(fields.text, status: status, headers: ["Cache-Control": "no-store"])
    }

    // MARK: Whoever has a link

    private struct Link: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user, secret }

        var user: String
        var secret: String
    }

    /// An unknown user, a wrong secret, a link that was used and one that is over are answered alike.
    private func confirm(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        guard signIn != nil else { throw Authenticator.withoutAccounts }
        try authenticator.checkOrigin(request)
        let link = try Link.read(request)
        return try await budgets.attempt(request) { address in
            guard let code = LinkCode(uid: link.user, secret: link.secret) else { throw Self.notValid }
            do throws(TodoError) {
                let (now, before) = try await mails.confirm(code.digest(for: .mail), of: code.uid)
                log.info("mail address confirmed", ["uid": code.uid, "from": address])
                if let before, before != now { await mailing?.tell(before, .changed, of: code.uid, for: request) }
                return RelationRoutes.fresh(JSONObject(["address": now]).text)
            } catch {
                switch error {
                case .notFound: throw Self.notValid
                // Whoever has a good link to a suspended account is told.
                case .conflict: throw try await signIn?.suspension(of: code.uid) ?? Self.notValid
                default: throw error
                }
            }
        }
    }

    // MARK: Whoever has forgotten the password

    private struct Name: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user }

        var user: String
    }

    /// The same for all names: what is done about it comes after the answer.
    private func forgotten(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        guard signIn != nil else { throw Authenticator.withoutAccounts }
        try authenticator.checkOrigin(request)
        guard let mailing else { throw Self.withoutMail }
        let uid = try Name.read(request).user
        try TodoBounds.uid(uid)
        try await mailing.offerReset(to: uid, for: request)
        return .response(.json("{}", status: 202, headers: ["Cache-Control": "no-store"]))
    }

    private static var withoutMail: Problem {
        Problem(.notFound, "this server sends no mail: its operator makes links for a new password")
    }

    private static var notValid: Problem {
        Problem(.notFound, "this link is not valid (any more): have another one sent")
    }
}
