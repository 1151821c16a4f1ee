import EventLoop
import Foundation
import TodoMate

/// Reactions, badges and what is left from earlier days, over HTTP.
///
/// A server shows the feed of all whom somebody follows (``FeedReader``), and not that of one of them.
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
        struct Part: Decodable {
            var items: [FeedItem]
            var next: String?
            var seen: Int
        }
        let place = next.map { "\($0.at).\($0.uid)" }
        let query = [("zone", zone.identifier), ("limit", String(limit)), ("before", place)]
        let request = ServerRequest(.get, try HTTPTodoRepository.path(viewer, "feed"), query: query)
        let part = try await server.value(of: request, as: Part.self)
        return FeedReader.Page(items: part.items, next: part.next, seen: part.seen)
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
    ) async throws(TodoError) -> [FeedItem] { throw Self.ofOne }

    func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int { throw Self.ofOne }

    private static var ofOne: TodoError {
        .refused("a server shows the feed of all who are followed together: ask for that, or for the badges")
    }

    func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        guard let zone = Self.zone(where: day) else { return try await found(of: uid, before: day) }
        let path = try HTTPTodoRepository.path(uid, "earlier")
        return try await server.value(of: ServerRequest(.get, path, query: [("zone", zone)]))
    }

    /// - Throws: ``TodoError/refused(_:)`` for a day that is today nowhere.
    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        guard let zone = Self.zone(where: today) else {
            throw .refused("a server shows the week that ends today: ask for that")
        }
        return try await server.value(
            of: ServerRequest(.get, try HTTPTodoRepository.path(uid, "week"), query: [("zone", zone)])
        )
    }

    /// A server knows only today's: those of other days are looked for.
    private func found(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        let todos = try await open(of: uid, to: day.adding(days: -1)).sorted(by: EarlierTodos.isInOrder)
        return EarlierTodos(count: todos.count, todos: Array(todos.prefix(EarlierTodos.most)))
    }

    /// What is not done, up to a day; nil for all days.
    private func open(of uid: String, to day: CalendarDate?) async throws(TodoError) -> [Todo] {
        var todos: [Todo] = []
        for status in TodoStatus.allCases where status.isOpen {
            todos += try await searches.all(TodoSearch(status: status, to: day), of: uid, for: uid)
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
            let all = try await open(of: uid, to: nil)
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
