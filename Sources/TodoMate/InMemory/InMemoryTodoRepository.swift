public import EventLoop
public import Foundation

/// Todos in this process only, under the same contract as the Redis repository: for tests, previews and first steps.
@LoopActor
public final class InMemoryTodoRepository: TodoRepositoryType {
    let database: InMemoryDatabase
    private(set) lazy var relations = InMemoryRelationStore(database)
    private(set) lazy var shared = InMemorySharedTodos(database)
    private(set) lazy var feeds = InMemoryFeedStore(database, shared)
    private(set) lazy var sessions = InMemorySessionStore(database, relations)
    private(set) lazy var invitations = InMemoryInvitationStore(database, sessions)
    private(set) lazy var mails = InMemoryMailStore(database, sessions)
    private(set) lazy var identities = InMemoryIdentityStore(database, sessions, invitations)
    private(set) lazy var operators = InMemoryOperatorStore(database, sessions)
    private(set) lazy var announcements = InMemoryAnnouncementStore(database)
    private(set) lazy var factors = InMemoryFactorStore(database, sessions)
    private(set) lazy var archives = InMemoryArchiveStore(database, self)
    private(set) lazy var histories = InMemoryHistoryStore(database)
    private(set) lazy var goals = InMemoryGoalStore(database, relations, self)
    private(set) lazy var searches = InMemorySearchStore(database, shared)
    private(set) lazy var routines = InMemoryRoutineStore(database, relations)
    private(set) lazy var notes = InMemoryNoteStore(database, self)
    private(set) lazy var deletions = InMemoryDeletionStore(database, sessions, relations)
    /// Feeds show nothing older.
    private static let eventTime = 48 * 3600 * 1_000_000

    /// An empty repository.
    ///
    /// - Parameters:
    ///   - logLength: the number of changes that each user's log keeps.
    ///   - now: the clock.
    public init(logLength: Int = 1000, now: @escaping @LoopActor () -> Date = { Date() }) {
        database = InMemoryDatabase(logLength: logLength, now: now)
    }

    /// A repository of the same todos as another one, with its own channels, as a second worker has them.
    package init(sharing other: InMemoryTodoRepository) { database = other.database }

    /// One todo.
    public func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
        TodoRecord(try find(id, of: uid, expecting: nil))
    }

    /// Goes through all todos of the user.
    public func snapshot(
        of uid: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> TodoSnapshot {
        try TodoBounds.uid(uid)
        let todos = database[uid].todos.values.filter { days?.contains($0.date) ?? true }
        return TodoSnapshot(id: database[uid].latest, todos: todos.sorted(by: Todo.isInListOrder))
    }

    /// The user's latest change.
    public func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try TodoBounds.uid(uid)
        return database[uid].latest
    }

    /// Reads the log, which keeps `logLength` changes.
    public func changes(
        of uid: String,
        since id: ChangeID,
        within bytes: Int?
    ) async throws(TodoError) -> [TodoChange]? {
        try TodoBounds.uid(uid)
        let log = database[uid].log
        if id == .zero { return log.isEmpty ? [] : nil }
        guard let index = log.firstIndex(where: { $0.id == id }) else { return nil }
        let missed = Array(log[(index + 1)...])
        return missed.reduce(0, { $0 + $1.message.count }) <= bytes ?? .max ? missed : nil
    }

    /// Notifies the listener of what is written or published here.
    public func openChannel(of uid: String, _ listener: any TodoChannelListener) {
        database.open(uid, listener, of: ObjectIdentifier(self))
    }

    /// Stops notifying of the user's changes.
    public func closeChannel(of uid: String) { database.close(uid, of: ObjectIdentifier(self)) }

    /// Everything that is written or published here.
    public func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> { database.stream() }

    /// Publishes without storing, as `PUBLISH` by hand does.
    package func publish(_ message: [UInt8], for uid: String) {
        do throws(MessageRefusal) {
            database.publish(try TodoChange(message: message, uid: uid))
        } catch {
            database.notify(uid) { $0.channelRefused(error) }
        }
    }

    func find(_ id: String, of uid: String, expecting revision: ExpectedRevision?) throws(TodoError) -> Todo {
        try TodoBounds.uid(uid)
        try TodoBounds.id(id)
        guard let stored = database[uid].todos[id] else { throw .notFound("\(uid) has no todo with the id \(id)") }
        if let revision, !revision.matches(stored) {
            let history = revision.number == stored.revision ? " of another history" : ""
            throw .conflict(
                "the todo is now at revision \(stored.revision)\(history): read it again and retry",
                current: stored
            )
        }
        return stored
    }

    @discardableResult
    func write(_ change: TodoChange) -> TodoChange {
        var user = database[change.uid]
        let todo = change.todo
        if let before = user.todos[todo.id] {
            user.countByMonth[CalendarMonth(containing: before.date), default: 0] -= 1
        }
        user.todos[todo.id] = change.kind == .removed ? nil : todo
        if change.kind == .removed {
            user.reactions[todo.id] = nil
        } else {
            user.countByMonth[CalendarMonth(containing: todo.date), default: 0] += 1
        }
        if let id = change.id, let event = FeedItem.Event(change) {
            let old = user.events.prefix { $0.id.microseconds < id.microseconds - Self.eventTime }.count
            user.events.removeFirst(old)
            user.events.append((id, event, todo.id))
        }
        database[change.uid] = user
        database.commit(change)
        return change
    }
}

extension FeedItem.Event {
    /// The feed item of a change; nil for none.
    @LoopActor
    fileprivate init?(_ change: TodoChange) {
        switch change.kind {
        // What somebody notes for a day is no deed.
        case .added where DayNote.isID(change.todo.id): return nil
        case .added: self = .added
        case .modified where change.statusBefore != nil && change.todo.status == .complete: self = .finished
        default: return nil
        }
    }
}
