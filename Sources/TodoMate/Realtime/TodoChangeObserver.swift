public import EventLoop

/// Is notified of a user's changes, in order, each once, as they came: with their ids, and as the bytes of their messages, which
/// are decoded only if somebody asks for the todo.
///
/// An observer is held weakly and known by identity. Observers are notified in the order in which they were added, never twice of
/// one change, and never after `removeObserver` returned. An observer may add and remove observers, itself included, while it is
/// being notified. What it does here holds up the loop: work that takes long belongs elsewhere.
@LoopActor
public protocol TodoChangeObserver: AnyObject {
    /// A todo has changed.
    func receive(_ change: TodoChange)
    /// The user's account has changed: who follows whom, or the settings. ``TodoChange/account`` says what. Does nothing by
    /// default.
    func accountChanged(_ change: TodoChange)
    /// Changes of this user were lost for good, or the user's history was replaced: what was known of the user's todos no
    /// longer holds. Read a fresh snapshot. Does nothing by default.
    func todosReset(for uid: String)
}

extension TodoChangeObserver {
    /// Does nothing.
    public func accountChanged(_ change: TodoChange) {}

    /// Does nothing.
    public func todosReset(for uid: String) {}
}
