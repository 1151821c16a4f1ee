import EventLoop
import HTTPServing
import TodoMate

/// Follows, accepts, refuses and blocks over HTTP.
@LoopActor
final class RelationRoutes {
    private static let usualPage = 100
    private static let largestPage = 1000

    private let relations: any RelationStoreType
    private let authenticator: Authenticator
    private let log: Logger
    private let long: LongAnswers

    init(_ relations: any RelationStoreType, _ authenticator: Authenticator, _ long: LongAnswers, _ log: Logger) {
        self.long = long
        self.log = log
        self.relations = relations
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) {
        let (following, followers) = ("/v1/users/{uid}/following", "/v1/users/{uid}/followers")
        router.on(.get, following, listFollowing)
        router.on(.put, following + "/{other}", follow)
        onPair(router, .delete, following + "/{other}") { [relations] uid, other throws(TodoError) in
            try await relations.unfollow(other, by: uid)
        }
        router.on(.get, followers, listFollowers)
        onPair(router, .put, followers + "/{other}") { [relations] uid, other throws(TodoError) in
            try await relations.accept(other, by: uid)
        }
        onPair(router, .delete, followers + "/{other}") { [relations] uid, other throws(TodoError) in
            try await relations.dismiss(other, by: uid)
        }
        onPair(router, .put, "/v1/users/{uid}/blocked/{other}") { [relations] uid, other throws(TodoError) in
            try await relations.block(other, by: uid)
        }
        router.on(.delete, "/v1/users/{uid}/blocked/{other}", unblock)
    }

    private func onPair(
        _ router: HTTPRouter,
        _ method: HTTPMethod,
        _ pattern: String,
        _ body: @escaping @LoopActor (String, String) async throws(TodoError) -> Relation
    ) {
        router.on(method, pattern) { [authenticator, log] request, path in
            let write = UserBudgets.Write.relation(with: path["other"])
            try await authenticator.authorize(request, for: path["uid"], toWrite: write)
            try QueryNames.check(request, [], "this path takes no query")
            let relation = try await body(path["uid"], path["other"])
            Self.note(relation, log)
            return Self.relation(relation)
        }
    }

    /// With `?back=true`, what the block took away comes back where it still can: the answer says what has.
    private func unblock(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .relation(with: path["other"]))
        try QueryNames.check(request, ["back"], "use back")
        guard let back = Bool(request.query("back") ?? "false") else {
            throw Problem(.invalid, "back must be true or false")
        }
        let relation = try await relations.unblock(path["other"], by: path["uid"], bringingBack: back)
        Self.note(relation, log)
        return Self.relation(relation)
    }

    private struct Place: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case position }

        var position: Double
    }

    private func follow(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .relation(with: path["other"]))
        try QueryNames.check(request, [], "this path takes no query")
        let place = request.body.isEmpty ? nil : try Place.read(request)
        let relation = try await relations.follow(path["other"], by: path["uid"], at: place?.position)
        Self.note(relation, log)
        // Private, blocking or full: the answer does not say which.
        guard relation.following != .none else {
            throw Problem(.forbidden, "\(path["other"]) cannot be followed")
        }
        return Self.relation(relation)
    }

    private func listFollowing(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let principal = try await authenticator.authorize(request, for: path["uid"])
        try QueryNames.check(request, [], "this path takes no query")
        let turn = try await long.turn(of: path["uid"], principal, authenticator)
        // A pair that was left half-way is repaired when one of the two looks.
        try await relations.settleBriefly(path["uid"])
        let json = try await relations.followingJSON(of: path["uid"])
        return Self.fresh(json, in: turn)
    }

    private func listFollowers(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let principal = try await authenticator.authorize(request, for: path["uid"])
        try QueryNames.check(request, ["state", "limit", "after"], "use state, limit and after")
        guard let list = FollowerList(rawValue: request.query("state") ?? "following") else {
            throw Problem(.invalid, "state must be following, requested or blocked")
        }
        let limit = try PageQuery.limit(request, usual: Self.usualPage, most: Self.largestPage)
        let after = request.query("after")
        if let after, FeedReader.place(after) == nil { throw PageQuery.notNext("after") }
        let turn = try await long.turn(of: path["uid"], principal, authenticator)
        try await relations.settleBriefly(path["uid"])
        let page = try await relations.followers(of: path["uid"], in: list, limit: limit, after: after)
        let entries = page.followers.map {
            JSONObject(["uid": $0.uid, "state": $0.state.rawValue, "since": $0.since])
        }
        return Self.fresh(JSONObject(["followers": entries, "count": page.count, "next": page.next]).text, in: turn)
    }

    /// Who may see whose todos from now on is for the log.
    private static func note(_ relation: Relation, _ log: Logger) {
        log.info(
            "relation changed",
            [
                "uid": relation.uid, "with": relation.with, "following": relation.following.rawValue,
                "follower": relation.follower.rawValue, "blocked": String(relation.blocked),
            ]
        )
    }

    private static func relation(_ relation: Relation) -> HTTPReply { fresh(relation.json) }

    /// A response that must not be cached.
    ///
    /// - Parameter turn: lasts until the answer is taken.
    static func fresh(_ json: String, in turn: AnswerTurn? = nil) -> HTTPReply {
        var response = HTTPResponse.json(json, headers: ["Cache-Control": "no-store"])
        response.turn = turn
        return .response(response)
    }
}

/// The page of a list that a query names.
enum PageQuery {
    static func limit(_ request: HTTPRequest, usual: Int, most: Int) throws(Problem) -> Int {
        guard let text = request.query("limit") else { return usual }
        // Int would also take a sign and leading zeros.
        guard let limit = Int(text), (1...most).contains(limit), String(limit) == text else {
            throw Problem(.invalid, "limit must be a whole number from 1 to \(most)")
        }
        return limit
    }

    static func notNext(_ name: String) -> Problem {
        Problem(.invalid, "\(name) must be what the part before called next")
    }
}
