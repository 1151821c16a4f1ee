public import EventLoop

/// A ``TodoChangeObserver`` with a method for each thing that can happen to a todo.
@LoopActor
public protocol TodoObserver: TodoChangeObserver {
    /// A todo is new.
    func todoAdded(_ todo: Todo)
    /// A todo has new content: another text, status, day or place.
    func todoModified(_ todo: Todo)
    /// A todo is gone; it comes as it last was.
    func todoRemoved(_ todo: Todo)
}

extension TodoObserver {
    /// Calls ``todoAdded(_:)``, ``todoModified(_:)`` or ``todoRemoved(_:)``.
    public func receive(_ change: TodoChange) { dispatch(change) }

    /// The same, for observers with a ``TodoChangeObserver/receive(_:)`` of their own.
    public func dispatch(_ change: TodoChange) {
        switch change.kind {
        case .added: todoAdded(change.todo)
        case .modified: todoModified(change.todo)
        case .removed: todoRemoved(change.todo)
        case .relation, .settings: accountChanged(change)
        }
    }
}
