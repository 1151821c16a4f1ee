import EventLoop
public import TodoMate

/// What waits to be sent, and what was refused.
extension TodoClient {
    /// What was done here and is not on the server as far as is known, in the order in which it was done; nothing without a file.
    public var pendingChanges: [PendingChange] {
        offline?.todos.outbox.entries.compactMap { PendingChange($0, of: uid) } ?? []
    }

    /// Calls `body` with what waits, now and whenever that has changed, as long as the client lives.
    public func observePendingChanges(_ body: @escaping @LoopActor ([PendingChange]) -> Void) {
        pendingObservers.append(body)
        body(pendingChanges)
    }

    func tellPending() {
        defer { settled.resumeAll() }
        guard !pendingObservers.isEmpty else { return }
        let pending = pendingChanges
        for body in pendingObservers { body(pending) }
    }

    /// Why the file could not be written last, such as a disk that is full; nil once it could be again, and without a file. Calls that write
    /// throw that themselves: this is about what the client does by itself, such as noting what was sent. It is tried again until it works.
    public var fileTrouble: TodoError? { offline?.todos.trouble }

    /// Calls `body` with ``fileTrouble``, now if there is any and whenever it has changed, as long as the client lives.
    public func observeFileTrouble(_ body: @escaping @LoopActor (TodoError?) -> Void) {
        troubleObservers.append(body)
        if let fileTrouble { body(fileTrouble) }
    }

    /// Tries once more what was refused; a todo that is gone meanwhile comes back with what was written.
    ///
    /// - Throws: ``/TodoMate/TodoError/unavailable(_:)`` when that could not be written down.
    public func retry(_ change: PendingChange) throws(TodoError) {
        guard let offline else { return }
        try offline.todos.perform { (outbox) throws(TodoError) in
            outbox.retry(change.id, key: RandomID.next(), base: offline.board.todos)
        }
        offline.todos.send()
    }

    /// Gives up what was refused.
    ///
    /// - Throws: ``/TodoMate/TodoError/unavailable(_:)`` when that could not be written down.
    public func discard(_ change: PendingChange) throws(TodoError) {
        try offline?.todos.perform { (outbox) throws(TodoError) in outbox.discard(change.id) }
    }

    /// One of the person's own todos as it is shown, without a question to the server; nil without a file.
    package func kept(_ id: String) -> Todo? { offline?.todos.shown[id] }

    /// What was changed here and elsewhere at once, and stands as it was done here: to be told to the person.
    public var overwritten: [Overwritten] { (try? offline?.storage.told()) ?? [] }

    /// The person has been told of all that was ``overwritten``.
    public func acknowledgeOverwritten() throws(TodoError) { try offline?.storage.forgetTold() }
}
