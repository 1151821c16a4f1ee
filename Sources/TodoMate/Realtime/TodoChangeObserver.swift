public import EventLoop

/// Is notified of a user's changes, in order and once each, with their ids and messages; a todo is decoded only when it is read.
///
/// An observer is held weakly and known by identity. Observers are notified in the order in which they were added, and never
/// after `removeObserver` returned. An observer may add and remove observers, itself included, while it is being notified. It
/// runs on the loop: long work belongs elsewhere.
@LoopActor
public protocol TodoChangeObserver: AnyObject {
    /// A todo has changed.
    func receive(_ change: TodoChange)
    /// The user's account has changed: a relation or the settings, as ``TodoChange/account`` says. Does nothing by default.
    func accountChanged(_ change: TodoChange)
    /// The user's history was lost or replaced: discard what is known of the todos, and read a new snapshot. Does nothing by
    /// default.
    func todosReset(for uid: String)
}

extension TodoChangeObserver {
    /// Does nothing.
    public func accountChanged(_ change: TodoChange) {}

    /// Does nothing.
    public func todosReset(for uid: String) {}
}
