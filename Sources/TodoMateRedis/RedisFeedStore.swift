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
    private let events: EventReader
    private let weeks: WeekReader

    init(_ functions: TodoFunctions, _ bulk: BulkConnection) {
        self.functions = functions
        (events, weeks) = (EventReader(bulk), WeekReader(bulk))
    }

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
        return try await functions.writeTodo("todomate_react", owner, words, isRepeatable: true)
    }

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
        guard (0...Self.mostItems).contains(limit) else { throw .invalid("limit must be 0 to \(Self.mostItems)") }
        var items: [FeedItem] = []
        try await events.read(of: owner, for: viewer, since: since, before: before ?? 1 << 53) {
            event throws(TodoError) in
            guard items.count < limit else { return false }
            items.append(try event.item(of: owner))
            return items.count < limit
        }
        return items
    }

    private static let mostItems = 200

    /// How many of them there are.
    package func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
        var count = 0
        try await events.read(of: owner, for: viewer, since: since, before: 1 << 53, marksOnly: true) { _ in
            count += 1
            return count < Self.mostItems
        }
        return count
    }

    package func node(of owner: String) -> String? {
        functions.client.directory.map { directory in
            directory.topology.owner(of: HashSlot.of(TodoKeys.user(owner)))?.description ?? "no node"
        }
    }

    package func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        let reply = try await read("todomate_earlier", uid, [String(day.ordinal)])
        let found: EarlierTodos = try StoredJSON.read(reply.bytes, of: uid)
        return EarlierTodos(count: found.count, todos: found.todos.map { $0.toModel() })
    }

    package func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        try await weeks.week(of: uid, until: today)
    }

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
