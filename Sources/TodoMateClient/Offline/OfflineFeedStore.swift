import EventLoop
import Foundation
import TodoMate

/// What is left from earlier days of the viewer's own todos as they are shown, with or without a network; all else as the server says.
@LoopActor
final class OfflineFeedStore: FeedStoreType {
    private let own: OfflineTodos
    private let online: any FeedStoreType

    init(_ own: OfflineTodos, online: any FeedStoreType) { (self.own, self.online) = (own, online) }

    func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        guard uid == own.uid else { return try await online.earlier(of: uid, before: day) }
        await own.waitUntilKnown()
        guard own.isKnown else { throw .unavailable("the todos of \(uid) were closed") }
        return own.earlier(before: day)
    }

    // MARK: As the server says

    func react(
        _ emoji: String?,
        to id: String,
        of owner: String,
        by person: String
    ) async throws(TodoError) -> TodoWrite {
        try await onlyOnline("a reaction") { () throws(TodoError) in
            try await online.react(emoji, to: id, of: owner, by: person)
        }
    }

    func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError) -> [Reaction] {
        try await online.reactions(to: id, of: owner, by: person)
    }

    func feed(
        of owner: String,
        for viewer: String,
        since: Int,
        limit: Int,
        before: Int?
    ) async throws(TodoError) -> [FeedItem] {
        try await online.feed(of: owner, for: viewer, since: since, limit: limit, before: before)
    }

    func page(
        of viewer: String,
        in zone: TimeZone,
        limit: Int,
        after next: (at: Int, uid: String)?
    ) async throws(TodoError) -> FeedReader.Page? {
        try await online.page(of: viewer, in: zone, limit: limit, after: next)
    }

    func badges(of viewer: String, in zone: TimeZone) async throws(TodoError) -> Badges? {
        try await online.badges(of: viewer, in: zone)
    }

    func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
        try await online.feedCount(of: owner, for: viewer, since: since)
    }

    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        try await online.week(of: uid, until: today)
    }

    func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges {
        try await online.badges(of: uid, on: day)
    }
}
