public import EventLoop

/// Stores todos, logs their changes and publishes them.
///
/// `RedisTodoRepository` (in `TodoMateRedis`) shares them between processes; ``InMemoryTodoRepository`` keeps them in
/// this one. Both obey the same contract:
///
/// - Every write that changes something gets the user's next version, is logged and published, all at once or not at all.
/// - Bad input is a ``TodoError`` and changes nothing.
@LoopActor
public protocol TodoRepositoryType: AnyObject, Sendable {
    /// Writes a new todo, under an id of its own where the draft has none. Adding it again with the same id, day, content and detail is the same add: it answers
    /// ``TodoWrite/unchanged(_:)`` with the stored todo.
    ///
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/exists(_:)`` (same id, other content), ``TodoError/full(_:)``.
    func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite

    /// Changes parts of a todo. A patch that changes nothing is answered ``TodoWrite/unchanged(_:)``.
    ///
    /// - Parameters:
    ///   - id: the todo's id.
    ///   - uid: the user it belongs to.
    ///   - patch: what is to become different.
    ///   - revision: when given, the todo must still be at it.
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/notFound(_:)``, ``TodoError/conflict(_:current:)``,
    ///   ``TodoError/full(_:)``.
    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite

    /// Removes a todo; the answer carries it as it last was.
    ///
    /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/conflict(_:current:)``.
    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange

    /// One todo, with the JSON that it is stored as.
    ///
    /// - Throws: ``TodoError/notFound(_:)``.
    func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord

    /// The todos of some days, or all of them, in list order, with the change that they are as of.
    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot

    /// The same as JSON text: much cheaper where nobody looks into the todos.
    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText

    /// The same where it takes no long reading, which may have to wait for its turn; nil otherwise.
    func shortList(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText?

    /// The latest change of a user; ``ChangeID/zero`` before the first, when there is nothing at all.
    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID

    /// All changes of a user after one of them, in order; nil when the log does not have that one (any more). After
    /// ``ChangeID/zero`` there are none, while nothing has happened, or they are not known: what is missing then is read as a
    /// snapshot.
    ///
    /// - Parameters:
    ///   - uid: whose changes.
    ///   - id: the change after which they begin.
    ///   - bytes: where they are longer than that together, they are as good as gone; nil for as long as is worth reading.
    func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]?

    /// Tells `listener` what is published about a user from now on, until ``closeChannel(of:)``; one listener a user.
    func openChannel(of uid: String, _ listener: any TodoChannelListener)

    /// Ends what ``openChannel(of:_:)`` began.
    func closeChannel(of uid: String)

    /// What is published about any user from now on, as it comes: the plain way for `for await`.
    ///
    /// At most once and unchecked: what is published while the connection is away is missed, and a reader that falls
    /// more than 1,024 changes behind loses the oldest. A todo's ``Todo/revision`` says which version wrote it; what is
    /// missing can be read with ``changes(of:since:within:)``. ``TodoRealtimeService`` does all that by itself.
    func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>>
}

extension TodoRepositoryType {
    /// One todo.
    ///
    /// - Throws: ``TodoError/notFound(_:)``.
    public func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo {
        try await record(id, of: uid).todo
    }

    /// All changes of a user after one of them, as long as that is worth reading.
    public func changes(of uid: String, since id: ChangeID) async throws(TodoError) -> [TodoChange]? {
        try await changes(of: uid, since: id, within: nil)
    }

    /// Every list is short.
    public func shortList(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText?
    {
        try await list(of: uid, in: days)
    }

    /// Reads a snapshot and writes it out.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        TodoListText(try await snapshot(of: uid, in: days))
    }
}

/// Receives what is published on a user's channel.
@LoopActor
public protocol TodoChannelListener: AnyObject {
    /// Everything published from now on will be received; what was published before may have been missed.
    func channelOpened()
    /// A change was published.
    func channelPublished(_ change: TodoChange)
    /// A message was published that is not a valid change of this user.
    func channelRefused(_ refusal: MessageRefusal)
    /// Nothing will be received until ``channelOpened()`` is called again.
    func channelLost()
}

/// Also receives which of the user's sessions have ended.
package protocol SessionChannelListener: TodoChannelListener {
    /// Sessions of the user have ended.
    func channelPublished(_ news: SessionNews)
}
