import EventLoop
import HTTPServing
import TodoMate

/// Lists, makes and takes back the invitations of the user who is signed in.
@LoopActor
final class InvitationRoutes {
    private let invitations: any InvitationStoreType
    private let accounts: any OperatorStoreType
    private let authenticator: Authenticator
    private let (registration, inviters): (Registration, Inviters)
    private let log: Logger

    init(
        _ stores: Stores,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration,
        _ log: Logger
    ) {
        (invitations, accounts) = (stores.invitations, stores.operators)
        (self.authenticator, self.log) = (authenticator, log)
        (registration, inviters) = (configuration.registration, configuration.inviters)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/invitations", list)
        router.on(.post, "/v1/users/{uid}/invitations", make)
        router.on(.delete, "/v1/users/{uid}/invitations/{id}", end)
    }

    /// Also where one may make none: those that the operator made in one's name are one's own.
    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await checked(request, path)
        try await authenticator.authorize(request, for: path["uid"])
        let all = try await invitations.invitations(of: path["uid"]).map { $0.fields(code: nil) }
        let most = try await most(of: path["uid"])
        return RelationRoutes.fresh(JSONObject(["invitations": all, "most": most]).text)
    }

    /// How many a user may have open: what an operator allows this one, or the server all.
    private func most(of uid: String) async throws(TodoError) -> Int {
        guard registration != .closed else { return 0 }
        let own = try await accounts.summaries(of: [uid]).first?.limits[.invitations]
        return own ?? (inviters == .everyone ? InvitationDraft.mostOpen : 0)
    }

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case uses, seconds, label, welcome }

        var uses: Int?
        var seconds: Int?
        var welcome: Bool?
        var label: String?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            uses = try fields.optionalWhole(.uses)
            seconds = try fields.optionalWhole(.seconds)
            label = try fields.optional(.label)
            welcome = try fields.optional(.welcome)
        }
    }

    /// The answer is the only one that has the code.
    private func make(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await checked(request, path)
        try await authenticator.authorize(request, for: uid, toWrite: .settings)
        let most = try await most(of: uid)
        guard most > 0 else {
            throw Problem(.forbidden, "here the operator alone invites: ask for an invitation")
        }
        let fields = try Fields.read(request)
        let code = LinkCode(of: uid, for: .join)
        var draft = InvitationDraft(id: code.digest(for: .join), label: fields.label)
        draft.most = most
        if let uses = fields.uses { draft.uses = uses }
        if let seconds = fields.seconds { draft.seconds = seconds }
        // Whoever does not know the field has not decided to show the list to a guest at once.
        draft.welcome = fields.welcome ?? false
        let made: Invitation
        do throws(TodoError) {
            made = try await invitations.invite(draft, by: uid)
        } catch {
            guard case .full = error else { throw error }
            throw Problem(.full, "you have as many open invitations as one may have: take some back")
        }
        log.info("invitation made", ["uid": uid, "invitation": made.shortID, "uses": String(made.uses)])
        let headers: HTTPHeaders = ["Cache-Control": "no-store"]
        return .response(.json(made.fields(code: code).text, status: 201, headers: headers))
    }

    private func end(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await checked(request, path)
        try await authenticator.authorize(request, for: uid, toWrite: .settings)
        try await invitations.endInvitation(InvitationName(inviter: uid, id: path["id"]))
        log.info("invitation taken back", ["uid": uid, "invitation": String(path["id"].prefix(Invitation.shownID))])
        return .response(HTTPResponse(status: 204))
    }

    private func checked(_ request: HTTPRequest, _ path: PathParameters) async throws {
        try QueryNames.check(request, [], "this path takes no query")
        guard authenticator.signer == nil else { return }
        try await authenticator.authorize(request, for: path["uid"])
        throw Authenticator.withoutAccounts
    }
}

extension Invitation {
    /// The first characters of an id, which identify one among a user's, for logs and lists.
    package static let shownID = 8

    /// The first characters of the id.
    package var shortID: String { String(id.prefix(Self.shownID)) }

    /// As HTTP has it.
    ///
    /// - Parameter code: what the link holds; nil where nobody knows that any more.
    fileprivate func fields(code: LinkCode?) -> JSONObject {
        JSONObject([
            "id": id, "made": Time.text(made), "expires": Time.text(expires), "uses": uses, "left": left,
            "welcome": welcome == true, "label": label,
            "came": came.map { JSONObject(["uid": $0.uid, "at": Time.text($0.at)]) },
            "invitation": code?.text,
        ])
    }
}
