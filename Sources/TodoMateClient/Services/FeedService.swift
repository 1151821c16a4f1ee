public import EventLoop
import Foundation
public import TodoMate

/// What those whom a person follows have added and finished, reactions, and what the person's own days say: ``TodoClient/feed``.
///
/// It needs the server, but for ``earlier(before:)`` of a client with a file.
@LoopActor
public struct FeedService {
    let uid: String
    let zone: TimeZone
    let relations: any RelationStoreType
    let feeds: any FeedStoreType

    /// A part of a feed.
    public struct Page: Sendable {
        /// The newest first.
        public let items: [FeedItem]
        /// Names the part behind it; nil at the end.
        public let next: String?
        /// The time up to which the feed was seen, in microseconds since 1970: see ``SettingsService``.
        public let seen: Int
        /// So many of those whom the person follows could not be read, as the server does not reach them; nil for none. What they did may
        /// be newer than what is here: note nothing as seen while somebody is missing, and begin again at the first part afterwards.
        public let missing: Int?
    }

    /// A part of the person's feed.
    ///
    /// - Parameters:
    ///   - limit: at most so many, up to 200.
    ///   - next: what the part before called ``Page/next``; nil for the first.
    public func page(limit: Int = 50, after next: String? = nil) async throws(TodoError) -> Page {
        let reader = FeedReader(relations: relations, feeds: feeds)
        let place = next.flatMap { FeedReader.place($0) }
        guard next == nil || place != nil else { throw .invalid("next must be what the part before called next") }
        let page = try await reader.page(of: uid, in: zone, limit: limit, after: place)
        return Page(items: page.items, next: page.next, seen: page.seen, missing: page.missing)
    }

    /// Puts the person's one reaction to a todo, in place of the one before.
    ///
    /// - Parameters:
    ///   - emoji: any one emoji; nil takes the reaction back.
    ///   - id: the todo's id.
    ///   - owner: whose todo it is.
    /// - Throws: ``/TodoMate/TodoError/notFound(_:)`` also for a todo that the person may not see.
    public func react(_ emoji: String?, to id: String, of owner: String) async throws(TodoError) {
        try await feeds.react(emoji, to: id, of: owner, by: uid)
    }

    /// Who reacted to a todo with what: all for its owner, and for others their own.
    public func reactions(to id: String, of owner: String) async throws(TodoError) -> [Reaction] {
        try await feeds.reactions(to: id, of: owner, by: owner == uid ? nil : uid)
    }

    /// What the person has left unfinished on days before one.
    public func earlier(before day: CalendarDate) async throws(TodoError) -> [Todo] {
        try await feeds.earlier(of: uid, before: day).todos.map { $0.toModel() }
    }

    /// What the person has finished in the seven days that end with one, and for how many days in a row there was something.
    public func week(until day: CalendarDate) async throws(TodoError) -> Week {
        try await feeds.week(of: uid, until: day)
    }
}
