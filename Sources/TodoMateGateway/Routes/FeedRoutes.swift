import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// The feed, what is left from earlier days and was finished of late, and the badges of the tabs.
@LoopActor
final class FeedRoutes {
    private static let usualPage = 50
    private static let largestPage = 100

    private let relations: any RelationStoreType
    private let feeds: any FeedStoreType
    private let reader: FeedReader
    private let authenticator: Authenticator
    private let long: LongAnswers

    init(
        _ stores: Stores,
        _ authenticator: Authenticator,
        _ long: LongAnswers
    ) {
        self.long = long
        (relations, feeds) = (stores.relations, stores.feeds)
        reader = FeedReader(relations: relations, feeds: stores.feeds)
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/feed", show)
        router.on(.put, "/v1/users/{uid}/feed/seen", note)
        router.on(.get, "/v1/users/{uid}/badges", count)
        router.on(.get, "/v1/users/{uid}/earlier", list)
        router.on(.get, "/v1/users/{uid}/week", look)
    }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (today, turn) = try await begin(request, path)
        return RelationRoutes.fresh(try await feeds.earlier(of: path["uid"], before: today).json, in: turn)
    }

    private func look(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (today, turn) = try await begin(request, path)
        return RelationRoutes.fresh(try await feeds.week(of: path["uid"], until: today).json, in: turn)
    }

    /// The day that is named or that it is in the zone, and the turn for an answer to the owner alone.
    private func begin(
        _ request: HTTPRequest,
        _ path: PathParameters
    ) async throws -> (today: CalendarDate, turn: AnswerTurn) {
        let principal = try await authenticator.authorize(request, for: path["uid"], toWrite: .feed)
        try QueryNames.check(request, ["zone", "date"], "use zone or date")
        let today = CalendarDate(Date(), in: try BoardQuery.zone(request))
        let day = try request.query("date").map { (text) throws(Problem) in try DayQuery.day(text, "date") }
        return (day ?? today, try await long.turn(of: path["uid"], principal, authenticator))
    }

    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let principal = try await authenticator.authorize(request, for: path["uid"], toWrite: .feed)
        try QueryNames.check(
            request,
            ["zone", "limit", "before", "owner", "since"],
            "use zone, limit and before, or owner and since besides"
        )
        let (owner, since) = (request.query("owner"), try Self.since(request))
        if let owner { try Self.check(owner) }
        guard owner != nil || since == nil else { throw Problem(.invalid, "since is for the feed of one owner") }
        let zone = try BoardQuery.zone(request)
        let limit = try PageQuery.limit(request, usual: Self.usualPage, most: Self.largestPage)
        let place = request.query("before").map(FeedReader.place)
        if case .some(nil) = place { throw PageQuery.notNext("before") }
        let turn = try await long.turn(of: path["uid"], principal, authenticator)
        let (viewer, next) = (path["uid"], place ?? nil)
        let page =
            if let owner {
                try await reader.page(of: viewer, by: owner, since: since, in: zone, limit: limit, after: next)
            } else {
                try await reader.page(of: viewer, in: zone, limit: limit, after: next)
            }
        return RelationRoutes.fresh(page.json, in: turn)
    }

    private static func check(_ owner: String) throws(Problem) {
        do throws(TodoError) {
            try TodoBounds.uid(owner)
        } catch {
            throw Problem(.invalid, "owner: \(error.description)")
        }
    }

    private static func since(_ request: HTTPRequest) throws(Problem) -> Int? {
        guard let text = request.query("since") else { return nil }
        guard let since = Int(text), (0..<1 << 53).contains(since), String(since) == text else {
            throw Problem(.invalid, "since must be a time in whole microseconds since 1970")
        }
        return since
    }

    private struct Seen: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case seen }

        var seen: Double
    }

    private func note(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let body = try Seen.read(request)
        guard let seen = Int(exactly: body.seen) else {
            throw Problem(.invalid, "seen must be a whole number of microseconds since 1970")
        }
        try await relations.set(AccountPatch(feedSeen: seen), of: path["uid"])
        return RelationRoutes.fresh(
            try await RepeatableWrite.whole { () throws(TodoError) in try await relations.profile(of: path["uid"]).json
            }
        )
    }

    private func count(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let principal = try await authenticator.authorize(request, for: path["uid"], toWrite: .feed)
        try QueryNames.check(request, ["zone"], "use zone")
        let zone = try BoardQuery.zone(request)
        let turn = try await long.turn(of: path["uid"], principal, authenticator)
        defer { withExtendedLifetime(turn) {} }
        let badges = try await reader.badges(of: path["uid"], in: zone)
        return RelationRoutes.fresh(badges.json)
    }
}
