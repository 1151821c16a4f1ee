package import EventLoop

/// Reads what a user's log says became of todos. Only for the owner: it tells what a todo was while nobody else could see it.
@LoopActor
package protocol HistoryStoreType: AnyObject, Sendable {
    /// What became of a todo, the newest change first, at most ``TodoHistory/most`` of them.
    ///
    /// - Parameters:
    ///   - id: the todo's id, also of one that was removed.
    ///   - uid: whose todo.
    ///   - change: only what was before this change; nil for all.
    /// - Throws: ``TodoError/notFound(_:)`` for a todo that is not stored and of which the log knows nothing,
    ///   ``TodoError/gone(_:)`` when the log does not have that change, or no longer.
    func history(of id: String, of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory

    /// The last removal of each todo that was removed and has not been added again, the newest first, at most
    /// ``TodoHistory/most`` of them.
    ///
    /// - Parameters:
    ///   - uid: whose todos.
    ///   - change: only what was before this change; nil for all.
    /// - Throws: ``TodoError/gone(_:)`` when the log does not have that change, or no longer.
    func removed(of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory
}

extension TodoError {
    /// A place in a log from which nothing can be read on.
    package static func gone(_ change: ChangeID, of uid: String) -> TodoError {
        .gone("the log of \(uid) does not have the change \(change), or no longer: begin without it")
    }

    /// A todo of which nothing is known.
    package static func unknown(_ id: String, of uid: String) -> TodoError {
        .notFound("\(uid) has no todo with the id \(id), and the log knows of none")
    }
}
