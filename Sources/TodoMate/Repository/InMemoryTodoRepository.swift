public import EventLoop
public import Foundation

/// Todos in this process alone, under the same contract as the Redis repository: for tests, previews and trying things
/// out.
@LoopActor
public final class InMemoryTodoRepository: TodoRepositoryType {
    private struct User {
        var todos: [String: Todo] = [:]
        var countByMonth: [CalendarMonth: Int] = [:]
        var log: [TodoChange] = []
        var latest = ChangeID.zero
    }

    private let logLength: Int
    private let now: () -> Date
    private var users: [String: User] = [:]
    private var listeners: [String: any TodoChannelListener] = [:]
    private var streams: [Int: AsyncStream<DatabaseChange<TodoDTO>>.Continuation] = [:]
    private var nextStream = 0

    /// An empty repository.
    ///
    /// - Parameters:
    ///   - logLength: how many changes of a user can be read again.
    ///   - now: the clock.
    public init(logLength: Int = 1000, now: @escaping @LoopActor () -> Date = { Date() }) {
        self.logLength = logLength
        self.now = now
    }

    /// Keeps a new todo.
    public func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        try TodoBounds.uid(uid)
        let id = try TodoBounds.id(draft.id ?? RandomID.next())
        try TodoBounds.content(draft.content)
        try TodoBounds.detail(draft.detail)
        if let position = draft.position { try TodoBounds.position(position) }
        let user = users[uid] ?? User()
        if let stored = user.todos[id] {
            guard stored.matches(draft) else {
                throw .exists("another todo has the id \(id): choose another id, or update that one")
            }
            return .unchanged(stored)
        }
        try checkRoom(in: draft.date, of: user)
        let change = nextID(of: user)
        let time = wholeSecond(change)
        let todo = Todo(
            id: id,
            uid: uid,
            date: draft.date,
            content: draft.content,
            detail: draft.detail,
            status: draft.status,
            position: draft.position ?? Double(change.version),
            revision: change.version,
            micros: change.microseconds,
            createdAt: time,
            updatedAt: time,
            visibility: draft.visibility ?? .followers
        )
        return .changed(write(TodoChange(id: change, kind: .added, todo: todo)))
    }

    /// Changes parts of a todo.
    public func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        let stored = try find(id, of: uid, expecting: revision)
        let user = users[uid] ?? User()
        let change = nextID(of: user)
        var todo = stored
        if let content = patch.content { todo.content = try TodoBounds.content(content) }
        if let detail = patch.detail { todo.detail = try TodoBounds.detail(detail) }
        if let status = patch.status { todo.status = status }
        if let visibility = patch.visibility { todo.visibility = visibility }
        if let date = patch.date, date != stored.date {
            todo.date = date
            todo.position = Double(change.version)
            if CalendarMonth(containing: date) != CalendarMonth(containing: stored.date) {
                try checkRoom(in: date, of: user)
            }
        }
        if let position = patch.position { todo.position = try TodoBounds.position(position) }
        guard todo != stored else { return .unchanged(stored) }
        (todo.revision, todo.micros) = (change.version, change.microseconds)
        todo.updatedAt = wholeSecond(change)
        return .changed(
            write(
                TodoChange(
                    id: change,
                    kind: .modified,
                    todo: todo,
                    visibilityBefore: todo.visibility == stored.visibility ? nil : stored.visibility,
                    statusBefore: todo.status == stored.status ? nil : stored.status
                )
            )
        )
    }

    /// Removes a todo.
    public func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange
    {
        let stored = try find(id, of: uid, expecting: revision)
        return write(TodoChange(id: nextID(of: users[uid] ?? User()), kind: .removed, todo: stored))
    }

    /// One todo.
    public func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo {
        try find(id, of: uid, expecting: nil)
    }

    /// Goes through all todos of the user.
    public func snapshot(
        of uid: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> TodoSnapshot {
        try TodoBounds.uid(uid)
        let user = users[uid] ?? User()
        let todos = user.todos.values.filter { days?.contains($0.date) ?? true }
        return TodoSnapshot(id: user.latest, todos: todos.sorted(by: Todo.isInListOrder))
    }

    /// The user's latest change.
    public func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try TodoBounds.uid(uid)
        return users[uid]?.latest ?? .zero
    }

    /// Reads the log, which keeps as many changes as it was told to.
    public func changes(
        of uid: String,
        since id: ChangeID,
        within bytes: Int?
    ) async throws(TodoError) -> [TodoChange]? {
        try TodoBounds.uid(uid)
        let log = users[uid]?.log ?? []
        if id == .zero { return log.isEmpty ? [] : nil }
        guard let index = log.firstIndex(where: { $0.id == id }) else { return nil }
        let missed = Array(log[(index + 1)...])
        return missed.reduce(0, { $0 + $1.message.count }) <= bytes ?? .max ? missed : nil
    }

    /// Tells the listener what is written or published here.
    public func openChannel(of uid: String, _ listener: any TodoChannelListener) {
        listeners[uid] = listener
        // As with a real channel, the confirmation comes later than the request.
        LoopActor.atEndOfTurn { [weak self] in
            guard let self, listeners[uid] === listener else { return }
            listener.channelOpened(of: uid)
        }
    }

    /// Tells nothing more of the user.
    public func closeChannel(of uid: String) { listeners[uid] = nil }

    /// Everything that is written or published here.
    public func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DatabaseChange<TodoDTO>.self,
            bufferingPolicy: .bufferingNewest(1024)
        )
        let number = nextStream
        nextStream += 1
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @LoopActor in self?.streams[number] = nil }
        }
        return stream
    }

    /// Publishes without storing, as `PUBLISH` by hand does.
    public func publish(_ message: [UInt8], for uid: String) {
        do throws(MessageRefusal) {
            publish(try TodoChange(message: message, uid: uid))
        } catch {
            listeners[uid]?.channel(of: uid, refused: error)
        }
    }

    private func publish(_ change: TodoChange) {
        listeners[change.uid]?.channel(of: change.uid, published: change)
        guard let told = change.databaseChange else { return }
        for stream in streams.values { stream.yield(told) }
    }

    private func find(_ id: String, of uid: String, expecting revision: ExpectedRevision?) throws(TodoError) -> Todo {
        try TodoBounds.uid(uid)
        try TodoBounds.id(id)
        guard let stored = users[uid]?.todos[id] else { throw .notFound("\(uid) has no todo with the id \(id)") }
        if let revision, !revision.matches(stored) {
            let history = revision.number == stored.revision ? " of another history" : ""
            throw .conflict(
                "the todo is now at revision \(stored.revision)\(history): read it again and retry",
                current: stored
            )
        }
        return stored
    }

    private func checkRoom(in date: CalendarDate, of user: User) throws(TodoError) {
        let month = CalendarMonth(containing: date)
        guard user.countByMonth[month, default: 0] < TodoBounds.todosPerMonth else {
            throw .full("\(month) already holds \(TodoBounds.todosPerMonth) todos: remove some first")
        }
    }

    private func nextID(of user: User) -> ChangeID {
        let time = Int(now().timeIntervalSince1970 * 1_000_000)
        let last = user.latest.microseconds
        let isFarAhead = last - time > TodoBounds.mostAhead
        return ChangeID(version: user.latest.version + 1, microseconds: isFarAhead ? time : max(time, last + 1))
    }

    private func wholeSecond(_ id: ChangeID) -> Date {
        Date(timeIntervalSince1970: Double(id.microseconds / 1_000_000))
    }

    private func write(_ change: TodoChange) -> TodoChange {
        var user = users[change.uid] ?? User()
        let todo = change.todo
        if let before = user.todos[todo.id] {
            user.countByMonth[CalendarMonth(containing: before.date), default: 0] -= 1
        }
        user.todos[todo.id] = change.kind == .removed ? nil : todo
        if change.kind != .removed { user.countByMonth[CalendarMonth(containing: todo.date), default: 0] += 1 }
        user.latest = change.id ?? user.latest
        user.log.append(change)
        if user.log.count > logLength { user.log.removeFirst(user.log.count - logLength) }
        users[change.uid] = user
        publish(change)
        return change
    }
}

extension Todo {
    /// Whether the draft is what this todo was made of; its status and place change with use.
    fileprivate func matches(_ draft: TodoDraft) -> Bool {
        date == draft.date && content == draft.content && detail == draft.detail
    }
}
