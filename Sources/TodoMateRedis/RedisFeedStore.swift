package import EventLoop
import RedisClient
package import TodoMate

/// Feeds, reactions and the numbers that badges show, in Redis.
///
/// A feed is read from the logs of those one follows, and from what was kept of them, one after the other: a change is
/// written once, however many follow.
@LoopActor
package final class RedisFeedStore: FeedStoreType {
    private let functions: TodoFunctions

    private let bulk: BulkConnection

    init(_ functions: TodoFunctions, _ bulk: BulkConnection) { (self.functions, self.bulk) = (functions, bulk) }

    /// Puts a person's one reaction to a todo, or takes it back.
    ///
    /// - Parameters:
    ///   - emoji: any one emoji; nil takes the reaction back.
    ///   - id: the todo's id.
    ///   - owner: whose todo it is.
    ///   - person: who reacts.
    /// - Throws: ``/TodoMate/TodoError/notFound(_:)`` also for a todo that the person may not see.
    @discardableResult
    package func react(
        _ emoji: String?,
        to id: String,
        of owner: String,
        by person: String
    ) async throws(TodoError) -> TodoWrite {
        try TodoBounds.uid(person)
        if let emoji { try ReactionEmoji.check(emoji) }
        let most = try await functions.stance(of: person, toward: owner).most
        let words = [id, person, emoji ?? "", most.rawValue]
        let reply = try await functions.call("todomate_react", owner, words, isRepeatable: true)
        return try TodoJSON.write(reply.bytes ?? [], of: owner, from: "todomate_react")
    }

    /// Who reacted with what.
    ///
    /// - Parameters:
    ///   - id: the todo's id.
    ///   - owner: whose todo it is.
    ///   - person: only this user's; nil for all, at most 1,000.
    package func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError)
        -> [Reaction]
    {
        var words = [id]
        if let person {
            try TodoBounds.uid(person)
            words += [person, try await functions.stance(of: person, toward: owner).most.rawValue]
        }
        return try StoredJSON.read(try await read("todomate_reactions", owner, words).bytes, of: owner)
    }

    /// What one owner added or finished since a time, newest first, as far as the viewer may see it.
    ///
    /// - Parameters:
    ///   - owner: whose todos.
    ///   - viewer: who looks.
    ///   - since: the earliest, in microseconds since 1970.
    ///   - limit: at most so many, up to 200.
    ///   - before: only what came before this time; nil for all.
    package func feed(
        of owner: String,
        for viewer: String,
        since: Int,
        limit: Int,
        before: Int?
    ) async throws(TodoError) -> [FeedItem] {
        var items: [FeedItem] = []
        var before = before ?? 1 << 53
        while true {
            let words = [viewer] + [since, limit - items.count, before, Self.partBytes].map(String.init)
            let reply = try await bulk.functions.call(
                "todomate_feed",
                owner,
                words,
                readsOnly: true,
                isRepeatable: true
            )
            let part = reply.bytes ?? []
            items += try StoredJSON.read(part, of: owner) as [FeedItem]
            // One of few bytes is the last.
            guard part.count >= Self.partBytes, items.count < limit, let last = items.last else { return items }
            before = last.at
        }
    }

    /// Todos may be long: so much of a feed is read at a time, as more would hold Redis for milliseconds.
    private static let partBytes = 128 * 1024

    /// How many of them there are.
    package func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
        try await read("todomate_feed", owner, [viewer, String(since), "0"]).integer ?? 0
    }

    /// What a user's own data say for badges.
    package func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges {
        try StoredJSON.read(try await read("todomate_badges", uid, [String(day.ordinal)]).bytes, of: uid)
    }

    /// Counts a user's open todos and measures all of them again: the functions keep the numbers right, except after edits by hand.
    ///
    /// - Returns: how many are open.
    @discardableResult
    package func recount(_ uid: String) async throws(TodoError) -> Int {
        try await functions.call("todomate_recount", uid, [], isRepeatable: true).integer ?? 0
    }

    private func read(_ name: String, _ uid: String, _ words: [String]) async throws(TodoError) -> RedisValue {
        try await functions.call(name, uid, words, readsOnly: true, isRepeatable: true)
    }
}
