import EventLoop

/// Reactions, and what users did of late, in this process alone.
@LoopActor
final class InMemoryFeedStore: FeedStoreType {
    private static let mostItems = 200
    private static let mostReactions = 1000

    private let database: InMemoryDatabase
    private let shared: InMemorySharedTodos

    init(_ database: InMemoryDatabase, _ shared: InMemorySharedTodos) {
        (self.database, self.shared) = (database, shared)
    }

    // MARK: Reactions

    func react(_ emoji: String?, to id: String, of owner: String, by person: String) async throws(TodoError)
        -> TodoWrite
    {
        try await database.once("react \(id) \(emoji ?? "")", of: owner, by: person) { () throws(TodoError) in
            .unchanged(try await shared.todo(id, of: owner, for: person))
        } _: { () throws(TodoError) in
            try await reacted(emoji, to: id, of: owner, by: person)
        }
    }

    private func reacted(_ emoji: String?, to id: String, of owner: String, by person: String) async throws(TodoError)
        -> TodoWrite
    {
        let emoji = if let emoji { try ReactionEmoji.check(emoji) } else { String?.none }
        let stored = try await shared.todo(id, of: owner, for: person).todo
        guard !DayNote.isID(id) else { throw .invalid("a note takes no reactions: react to a todo") }
        let before = database[owner].reactions[id]?[person]
        guard before != emoji else { return .unchanged(TodoRecord(stored)) }
        try database.refuseWhileLeaving(owner)
        var todo = stored
        if let before { todo.reactions[before, default: 0] -= 1 }
        if let emoji { todo.reactions[emoji, default: 0] += 1 }
        todo.reactions = todo.reactions.filter { $0.value > 0 }
        guard todo.reactions.count <= ReactionEmoji.mostKinds else {
            throw .full("the todo has \(ReactionEmoji.mostKinds) kinds of reactions already: choose one of them")
        }
        // Neither revision nor time: an author's edit of the todo as it was must not fail for a reaction to it.
        database[owner].todos[id] = todo
        database[owner].reactions[id, default: [:]][person] = emoji
        let change = TodoChange(id: database.nextID(of: owner), todo, was: stored)
        database.commit(change, by: person == owner ? .current : nil)
        return .changed(change)
    }

    func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError) -> [Reaction] {
        _ = try await shared.todo(id, of: owner, for: person ?? owner)
        return database[owner].reactions[id, default: [:]]
            .filter { person == nil ? !database[owner].has($0.key, in: .blocked) : $0.key == person }
            .sorted { $0.key < $1.key }.prefix(Self.mostReactions)
            .map { Reaction(uid: $0.key, emoji: $0.value) }
    }

    // MARK: Feeds

    func feed(
        of owner: String,
        for viewer: String,
        since: Int,
        limit: Int,
        before: Int?
    ) async throws(TodoError) -> [FeedItem] {
        guard (0...Self.mostItems).contains(limit) else { throw .invalid("limit must be 0 to \(Self.mostItems)") }
        return Array(try items(of: owner, for: viewer, since, before ?? .max).prefix(limit))
    }

    func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
        min(try items(of: owner, for: viewer, since, .max).count, Self.mostItems)
    }

    /// Of several times that a todo was finished, the last one counts; of an id that was used again, the last todo.
    private func items(
        of owner: String,
        for viewer: String,
        _ since: Int,
        _ before: Int
    ) throws(TodoError) -> [FeedItem] {
        let access = try shared.sides(viewer, owner).granted
        let user = database[owner]
        var (items, seen): ([FeedItem], Set<[String]>) = ([], [])
        for (id, type, name) in user.events.reversed() where id.microseconds >= since {
            guard seen.insert([name, type.rawValue]).inserted else { continue }
            if type == .added { seen.insert([name, FeedItem.Event.finished.rawValue]) }
            guard id.microseconds < before, let todo = user.todos[name], access.covers(todo.visibility),
                type == .added || todo.status == .complete
            else { continue }
            items.append(FeedItem(id: "\(id)", type: type, at: id.microseconds, todo: TodoDTO(todo)))
        }
        return items
    }

    // MARK: Badges

    func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        try TodoBounds.uid(uid)
        let open = database[uid].todos.values.filter { $0.status.isOpen && $0.date < day }
        var found = EarlierTodos(count: open.count, todos: open)
        found.todos = Array(found.todos.prefix(EarlierTodos.most))
        return found
    }

    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        try TodoBounds.uid(uid)
        var counts: [CalendarDate: [String: Int]] = [:]
        for todo in database[uid].todos.values where todo.status == .complete {
            counts[todo.date, default: [:]][todo.goal ?? "", default: 0] += 1
        }
        return Week(until: today, counts, finishedDays: Set(counts.keys))
    }

    func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges {
        try TodoBounds.uid(uid)
        let user = database[uid]
        let open = user.todos.values.filter(\.status.isOpen)
        let due = user.account.routines.values.count {
            !$0.days(in: day...day, today: day).isEmpty && user.todos[Routine.id(of: $0.id, on: day)] == nil
        }
        return OwnBadges(
            today: open.count { $0.date <= day } + due,
            open: open.count + due,
            requests: user.others[.requested, default: [:]].count,
            feedSeen: user.account.feedSeen
        )
    }
}
