import EventLoop
import Foundation
import TodoMate

/// Reactions, feeds, badges and what is left from earlier days, over HTTP.
@LoopActor
final class HTTPFeedStore: FeedStoreType {
    private static let change = ["Accept": "application/vnd.todomate.change+json"]

    private let server: Server
    private let relations: HTTPRelationStore
    private let searches: HTTPSearchStore

    init(_ server: Server, _ relations: HTTPRelationStore, _ searches: HTTPSearchStore) {
        (self.server, self.relations, self.searches) = (server, relations, searches)
    }

    func react(
        _ emoji: String?,
        to id: String,
        of owner: String,
        by person: String
    ) async throws(TodoError) -> TodoWrite {
        try TodoBounds.id(id)
        try TodoBounds.uid(person)
        let path = try HTTPTodoRepository.path(owner, "todos", id, "reactions", person)
        let body = emoji.map { JSONObject(["emoji": $0]).text }
        let request = ServerRequest(emoji == nil ? .delete : .put, path, fields: Self.change, body: body)
        return try WrittenChange.read(try await server.ask(request), of: owner)
    }

    /// All of them for the owner; anybody else is shown their own.
    func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError) -> [Reaction] {
        struct List: Decodable { var reactions: [Reaction] }
        try TodoBounds.id(id)
        let path = try HTTPTodoRepository.path(owner, "todos", id, "reactions")
        let all = try await server.value(of: ServerRequest(.get, path), as: List.self).reactions
        return all.filter { person == nil || $0.uid == person }
    }

    func page(
        of viewer: String,
        in zone: TimeZone,
        limit: Int,
        after next: (at: Int, uid: String)?
    ) async throws(TodoError) -> FeedReader.Page? {
        let place = next.map { "\($0.at).\($0.uid)" }
        let query = [("zone", zone.identifier), ("limit", String(limit)), ("before", place)]
        let part = try await part(of: viewer, query)
        return FeedReader.Page(items: part.items, next: part.next, seen: part.seen, missing: part.missing)
    }

    private struct Part: Decodable {
        var items: [FeedItem]
        var next: String?
        var seen: Int
        var missing: Int?
    }

    private func part(of viewer: String, _ query: [(String, String?)]) async throws(TodoError) -> Part {
        try await server.value(of: ServerRequest(.get, try HTTPTodoRepository.path(viewer, "feed"), query: query))
    }

    func badges(of viewer: String, in zone: TimeZone) async throws(TodoError) -> Badges? {
        let path = try HTTPTodoRepository.path(viewer, "badges")
        return try await server.value(of: ServerRequest(.get, path, query: [("zone", zone.identifier)]))
    }

    func feed(
        of owner: String,
        for viewer: String,
        since: Int,
        limit: Int,
        before: Int?
    ) async throws(TodoError) -> [FeedItem] {
        try TodoBounds.uid(owner)
        var items: [FeedItem] = []
        var next = before.map { "\($0).\(owner)" }
        repeat {
            let count = min(limit - items.count, Self.largestPart)
            let query = [
                ("owner", owner), ("since", String(since)), ("limit", String(count)), ("before", next),
            ]
            let part = try await part(of: viewer, query)
            items += part.items
            next = part.next
        } while next != nil && items.count < limit
        return items
    }

    /// The most items that a server answers at once.
    private static let largestPart = 100
    /// How far a store counts.
    private static let mostCounted = 200

    func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
        try await feed(of: owner, for: viewer, since: since, limit: Self.mostCounted, before: nil).count
    }

    func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        let path = try HTTPTodoRepository.path(uid, "earlier")
        return try await server.value(of: ServerRequest(.get, path, query: [("date", day.description)]))
    }

    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        let path = try HTTPTodoRepository.path(uid, "week")
        return try await server.value(of: ServerRequest(.get, path, query: [("date", today.description)]).kept)
    }

    /// What is not done.
    private func open(of uid: String) async throws(TodoError) -> [Todo] {
        var todos: [Todo] = []
        for status in TodoStatus.allCases where status.isOpen {
            todos += try await searches.all(TodoSearch(status: status), of: uid, for: uid)
        }
        return todos
    }

    /// A time zone in which a day is today; between them, these three have all that there are.
    private static func zone(where day: CalendarDate) -> String? {
        ["UTC", "Etc/GMT-14", "Etc/GMT+12"].first { name in
            TimeZone(identifier: name).map { CalendarDate(Date(), in: $0) == day } ?? false
        }
    }

    func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges {
        let profile = try await relations.profile(of: uid)
        let seen = profile.settings.feedSeen
        guard let zone = Self.zone(where: day) else {
            let all = try await open(of: uid)
            let due = all.count { $0.date <= day }
            return OwnBadges(today: due, open: all.count, requests: profile.counts.requests, feedSeen: seen)
        }
        guard let zone = TimeZone(identifier: zone), let badges = try await badges(of: uid, in: zone) else {
            throw .broken("the server counts no badges")
        }
        return OwnBadges(
            today: badges.today,
            open: badges.today + badges.more,
            requests: badges.requests,
            feedSeen: seen
        )
    }
}
