public import EventLoop

/// A ``TodoObserver`` that takes every change of a todo as it came, by ``TodoObserver/receive(_:)``: with its id, and as the
/// bytes of its message, which are decoded only if somebody asks for the todo.
@LoopActor
public protocol TodoChangeObserver: TodoObserver {
    /// Takes a change of a todo.
    func receive(_ change: TodoChange)
}

extension TodoChangeObserver {
    /// Is not called: ``receive(_:)`` takes every change.
    public func todoAdded(_ todo: Todo) {}
    /// Is not called: ``receive(_:)`` takes every change.
    public func todoModified(_ todo: Todo) {}
    /// Is not called: ``receive(_:)`` takes every change.
    public func todoRemoved(_ todo: Todo) {}
}
