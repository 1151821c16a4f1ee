public import EventLoop
public import Foundation

/// Todos in this process only, under the same contract as the Redis repository: for tests, previews and first steps.
@LoopActor
public final class InMemoryTodoRepository: TodoRepositoryType {
    let database: InMemoryDatabase
    private lazy var relations = InMemoryRelationStore(database)
    private lazy var shared = InMemorySharedTodos(database)
    private lazy var feeds = InMemoryFeedStore(database, shared)
    private lazy var sessions = InMemorySessionStore(database, relations)
    private lazy var invitations = InMemoryInvitationStore(database, sessions)
    private lazy var mails = InMemoryMailStore(database, sessions)
    private lazy var identities = InMemoryIdentityStore(database, sessions, invitations)
    private lazy var operators = InMemoryOperatorStore(database, sessions)
    private lazy var announcements = InMemoryAnnouncementStore(database)
    private lazy var factors = InMemoryFactorStore(database, sessions)
    private lazy var archives = InMemoryArchiveStore(database, self)
    private lazy var histories = InMemoryHistoryStore(database)
    private lazy var goals = InMemoryGoalStore(database, relations, self)
    private lazy var searches = InMemorySearchStore(database, shared)
    private lazy var routines = InMemoryRoutineStore(database, relations)
    private lazy var notes = InMemoryNoteStore(database, self)
    private lazy var deletions = InMemoryDeletionStore(database, sessions, relations)
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

    /// All stores, for a gateway.
    public var stores: Stores {
        Stores(
            todos: self,
            relations: relations,
            shared: shared,
            feeds: feeds,
            accounts: sessions,
            sessions: sessions,
            invitations: invitations,
            resets: invitations,
            mails: mails,
            identities: identities,
            operators: operators,
            announcements: announcements,
            factors: factors,
            deletions: deletions,
            archives: archives,
            histories: histories,
            goals: goals,
            searches: searches,
            routines: routines,
            notes: notes
        )
    }

    /// Keeps a new todo.
    public func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        try await database.once("add \(draft)", of: uid) { () throws(TodoError) in try added(draft, for: uid) }
    }

    private func added(_ draft: TodoDraft, for uid: String) throws(TodoError) -> TodoWrite {
        try TodoBounds.uid(uid)
        try database.refuseWhileLeaving(uid)
        let draft = try DayNote.checked(draft)
        let id = try TodoBounds.id(draft.id ?? RandomID.next())
        try TodoBounds.content(draft.content)
        try TodoBounds.detail(draft.detail)
        if let position = draft.position { try TodoBounds.position(position) }
        let goal = try draft.goal.map { id throws(TodoError) in try database.goal(try TodoBounds.goal(id), of: uid) }
        if let stored = database[uid].todos[id] {
            guard stored.matches(draft) else {
                throw .exists("another todo has the id \(id): choose another id, or update that one")
            }
            return .unchanged(TodoRecord(stored))
        }
        try checkCount(of: uid)
        try checkRoom(in: draft.date, of: uid)
        let change = database.nextID(of: uid)
        let time = wholeSecond(change)
        let todo = Todo(
            id: id,
            uid: uid,
            date: draft.date,
            time: draft.time,
            content: draft.content,
            detail: draft.detail,
            status: draft.status,
            position: draft.position ?? Double(change.version),
            revision: change.version,
            micros: change.microseconds,
            createdAt: time,
            updatedAt: time,
            visibility: draft.visibility ?? goal?.visibility ?? database[uid].account.visibility,
            goal: goal?.id
        )
        try checkBytes(todo, in: nil)
        return .changed(write(TodoChange(id: change, kind: .added, todo: todo)))
    }

    /// Changes parts of a todo.
    public func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        try await database.once("update \(id) \(patch) \(revision?.description ?? "")", of: uid) {
            () throws(TodoError) in
            try updated(id, of: uid, with: patch, expecting: revision)
        }
    }

    private func updated(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) throws(TodoError) -> TodoWrite {
        if database[uid].todos[id] == nil, revision?.number ?? 0 == 0, Routine.parts(ofID: id) != nil {
            try TodoBounds.uid(uid)
            try TodoBounds.id(id)
            let (routine, draft) = try database.instance(id, of: uid, with: patch)
            let write = try added(draft, for: uid)
            database[uid].account.routines[routine.id] = routine
            return write
        }
        let stored = try find(id, of: uid, expecting: revision)
        try database.refuseWhileLeaving(uid)
        let change = database.nextID(of: uid)
        var todo = stored
        if let content = patch.content { todo.content = try TodoBounds.content(content) }
        if let detail = patch.detail { todo.detail = try TodoBounds.detail(detail) }
        if let status = patch.status { todo.status = status }
        if let visibility = patch.visibility { todo.visibility = visibility }
        if let time = patch.time { todo.time = time.time }
        if let goal = patch.goal, goal != todo.goal ?? "" {
            todo.goal = goal.isEmpty ? nil : try database.goal(try TodoBounds.goal(goal), of: uid).id
        }
        if let date = patch.date, date != stored.date {
            todo.date = date
            todo.position = Double(change.version)
            if CalendarMonth(containing: date) != CalendarMonth(containing: stored.date) {
                try checkRoom(in: date, of: uid)
            }
        }
        if let position = patch.position { todo.position = try TodoBounds.position(position) }
        try DayNote.check(todo, was: stored)
        guard todo != stored else { return .unchanged(TodoRecord(stored)) }
        (todo.revision, todo.micros) = (change.version, change.microseconds)
        todo.updatedAt = wholeSecond(change)
        try checkBytes(todo, in: stored)
        return .changed(write(TodoChange(id: change, todo, was: stored)))
    }

    /// Removes a todo.
    public func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange
    {
        try await database.once("remove \(id) \(revision?.description ?? "")", of: uid) { () throws(TodoError) in
            try removed(id, of: uid, expecting: revision)
        }
    }

    private func removed(_ id: String, of uid: String, expecting revision: ExpectedRevision?) throws(TodoError)
        -> TodoChange
    {
        let stored = try find(id, of: uid, expecting: revision)
        try database.refuseWhileLeaving(uid)
        return write(TodoChange(id: database.nextID(of: uid), kind: .removed, todo: stored))
    }

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

    private func find(_ id: String, of uid: String, expecting revision: ExpectedRevision?) throws(TodoError) -> Todo {
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

    func checkCount(of uid: String) throws(TodoError) {
        let count = database[uid].todos.count
        guard let most = database[uid].account.limits[.todos], count >= most else { return }
        throw .full("\(uid) has \(count) todos already: remove some first, or ask the operator for more")
    }

    func checkRoom(in date: CalendarDate, of uid: String) throws(TodoError) {
        let month = CalendarMonth(containing: date)
        guard database[uid].countByMonth[month, default: 0] < TodoBounds.todosPerMonth else {
            throw .full("\(month) already holds \(TodoBounds.todosPerMonth) todos: remove some first")
        }
    }

    /// Here only what an operator limits is weighed.
    func checkBytes(_ todo: Todo, in stored: Todo?) throws(TodoError) {
        let user = database[todo.uid]
        guard let most = user.account.limits[.bytes] else { return }
        let before = stored?.weight ?? 0
        let after = user.todos.values.reduce(0) { $0 + $1.weight } - before + todo.weight
        guard todo.weight <= before || after <= most else {
            throw .full("the todos of \(todo.uid) take as much as they may: remove some or shorten details first")
        }
    }

    func wholeSecond(_ id: ChangeID) -> Date {
        Date(timeIntervalSince1970: Double(id.microseconds / 1_000_000))
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

extension TodoChange {
    /// A todo that was modified.
    convenience init(id: ChangeID, _ todo: Todo, was before: Todo) {
        self.init(
            id: id,
            kind: .modified,
            todo: todo,
            visibilityBefore: todo.visibility == before.visibility ? nil : before.visibility,
            statusBefore: todo.status == before.status ? nil : before.status
        )
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

extension Todo {
    /// What it counts as, with some for its index.
    var weight: Int { TodoDTO(self).json.utf8.count + 200 }

    /// Whether the draft is what this todo was made of; its status and place change with use.
    fileprivate func matches(_ draft: TodoDraft) -> Bool {
        date == draft.date && time == draft.time && content == draft.content && detail == draft.detail
    }
}
