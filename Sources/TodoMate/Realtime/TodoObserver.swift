public import EventLoop

/// Is told of the changes of a user's todos, in order, each once.
///
/// An observer is held weakly and known by identity. It is told in the order in which observers were added, never twice
/// for one change, and never after `removeObserver` returned. It may add and remove observers, itself included, while it
/// is being told. What it does here holds up the loop: work that takes long belongs elsewhere.
@LoopActor
public protocol TodoObserver: AnyObject {
    /// A todo is new.
    func todoAdded(_ todo: Todo)
    /// A todo has new content: another text, status, day or place.
    func todoModified(_ todo: Todo)
    /// A todo is gone; it comes as it last was.
    func todoRemoved(_ todo: Todo)
    /// Changes of this user were lost for good, or the user's history was replaced: what was known of the user's todos no
    /// longer holds. Read a fresh snapshot. Does nothing by default.
    func todosReset(for uid: String)
    /// Takes a change as it came. By default it decodes the todo and calls one of the three methods above; an observer
    /// that passes messages on, or that needs change ids, implements this one instead.
    func receive(_ change: TodoChange)
    /// Something became of the user's account: of who follows whom, or of the settings. Its ``TodoChange/account`` says
    /// what. Does nothing by default.
    func accountChanged(_ change: TodoChange)
}

extension TodoObserver {
    /// Does nothing.
    public func todosReset(for uid: String) {}

    /// Does nothing.
    public func accountChanged(_ change: TodoChange) {}

    /// Calls ``todoAdded(_:)``, ``todoModified(_:)`` or ``todoRemoved(_:)``.
    public func receive(_ change: TodoChange) { tell(change) }

    /// Calls the one of the three methods that fits the change: for observers that only want to look at it first.
    public func tell(_ change: TodoChange) {
        switch change.kind {
        case .added: todoAdded(change.todo)
        case .modified: todoModified(change.todo)
        case .removed: todoRemoved(change.todo)
        case .relation, .settings: accountChanged(change)
        }
    }
}
