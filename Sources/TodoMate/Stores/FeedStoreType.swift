package import EventLoop
package import Foundation

/// Stores reactions, and reads recent events of a user.
@LoopActor
package protocol FeedStoreType: AnyObject, Sendable {
    /// Puts a person's one reaction to a todo, or takes it back.
    ///
    /// - Parameters:
    ///   - emoji: any one emoji; nil takes the reaction back.
    ///   - id: the todo's id.
    ///   - owner: whose todo it is.
    ///   - person: who reacts.
    /// - Throws: ``TodoError/notFound(_:)`` also for a todo that the person may not see.
    @discardableResult
    func react(_ emoji: String?, to id: String, of owner: String, by person: String) async throws(TodoError)
        -> TodoWrite

    /// Who reacted with what, but for those whom the owner has blocked.
    ///
    /// - Parameters:
    ///   - id: the todo's id.
    ///   - owner: whose todo it is.
    ///   - person: only this user's; nil for all, at most 1,000.
    func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError) -> [Reaction]

    /// What one owner added or finished since a time, newest first, as far as the owner lets the viewer see it.
    ///
    /// The viewer's own side is not read: feeds are only of users that the viewer follows.
    ///
    /// - Parameters:
    ///   - owner: whose todos.
    ///   - viewer: who looks.
    ///   - since: the earliest, in microseconds since 1970.
    ///   - limit: at most so many, up to 200.
    ///   - before: only what came before this time; nil for all.
    func feed(
        of owner: String,
        for viewer: String,
        since: Int,
        limit: Int,
        before: Int?
    ) async throws(TodoError) -> [FeedItem]

    /// A part of the feed of all whom a viewer follows, where the store puts it together itself; nil where its reader does
    /// (``FeedReader``).
    func page(
        of viewer: String,
        in zone: TimeZone,
        limit: Int,
        after next: (at: Int, uid: String)?
    ) async throws(TodoError) -> FeedReader.Page?

    /// What holds a user's data, where others' may be elsewhere, such as a node of a cluster: one can be away without the others. Nil
    /// where one place holds all.
    func node(of owner: String) -> String?

    /// A viewer's badges of today, where the store counts them itself; nil where its reader does.
    func badges(of viewer: String, in zone: TimeZone) async throws(TodoError) -> Badges?

    /// How many of them there are, up to 200.
    func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int

    /// What a user has left unfinished on days before one; at most ``EarlierTodos/most`` of it.
    func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos

    /// What a user has finished in the seven days that end with one, and for how many days in a row there was something.
    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week

    /// What a user's own data say for badges.
    func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges
}

extension FeedStoreType {
    /// Nil: it is put together by its reader.
    package func page(
        of viewer: String,
        in zone: TimeZone,
        limit: Int,
        after next: (at: Int, uid: String)?
    ) async throws(TodoError) -> FeedReader.Page? { nil }

    /// Nil: one place holds all.
    package func node(of owner: String) -> String? { nil }

    /// Nil: they are counted by their reader.
    package func badges(of viewer: String, in zone: TimeZone) async throws(TodoError) -> Badges? { nil }
}
