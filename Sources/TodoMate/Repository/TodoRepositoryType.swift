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
    /// Writes a new todo, with a new id if the draft has none. Adding it again with the same id, day, content and detail returns
    /// ``TodoWrite/unchanged(_:)`` with the stored todo.
    ///
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/exists(_:)`` (same id, other content), ``TodoError/full(_:)``.
    func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite

    /// Changes parts of a todo. A patch that changes nothing returns ``TodoWrite/unchanged(_:)``.
    ///
    /// - Parameters:
    ///   - id: the todo's id.
    ///   - uid: its owner.
    ///   - patch: the parts that change.
    ///   - revision: the revision that the todo must still have; nil for any.
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/notFound(_:)``, ``TodoError/conflict(_:current:)``,
    ///   ``TodoError/full(_:)``.
    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite

    /// Removes a todo; the change has its last state.
    ///
    /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/conflict(_:current:)``.
    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange

    /// One todo, with the JSON that it is stored as.
    ///
    /// - Throws: ``TodoError/notFound(_:)``.
    func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord

    /// The todos of some days, or of all, in list order, with the id of the latest change that they contain.
    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot

    /// The same as JSON text: much cheaper where the todos themselves are not needed.
    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText

    /// The same if it is short; nil if reading it takes long and may have to wait.
    func shortList(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText?

    /// The id of a user's latest change; ``ChangeID/zero`` before the first.
    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID

    /// All changes of a user after one of them, in order; nil when the log does not have that one, or no longer. After
    /// ``ChangeID/zero`` it is nil once there are changes: read a snapshot then.
    ///
    /// - Parameters:
    ///   - uid: whose changes.
    ///   - id: the change before the first of them.
    ///   - bytes: the most bytes of all messages; the result is nil if there are more. Nil for the repository's own limit.
    func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]?

    /// Notifies `listener` of what is published on a user's channel, until ``closeChannel(of:)``; one listener per user.
    func openChannel(of uid: String, _ listener: any TodoChannelListener)

    /// Ends ``openChannel(of:_:)``.
    func closeChannel(of uid: String)

    /// The changes of all users from now on, for `for await`.
    ///
    /// They are delivered at most once: changes during a disconnect are missed, and a reader that falls more than 1,024 changes
    /// behind loses the oldest. Gaps in ``Todo/revision`` can be read with ``changes(of:since:within:)``. ``TodoRealtimeService``
    /// does all that by itself.
    func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>>
}

extension TodoRepositoryType {
    /// One todo.
    ///
    /// - Throws: ``TodoError/notFound(_:)``.
    public func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo {
        try await record(id, of: uid).todo
    }

    /// All changes of a user after one of them, within the repository's own limit.
    public func changes(of uid: String, since id: ChangeID) async throws(TodoError) -> [TodoChange]? {
        try await changes(of: uid, since: id, within: nil)
    }

    /// Every list is short.
    public func shortList(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText?
    {
        try await list(of: uid, in: days)
    }

    /// Reads a snapshot and encodes it.
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
