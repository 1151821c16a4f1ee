public import EventLoop

/// A ``TodoChangeObserver`` with a method for each thing that can happen to a todo.
///
///     @LoopActor
///     final class Printer: TodoObserver {
///         func todoAdded(_ todo: Todo) { print("added:", todo.content) }
///         func todoModified(_ todo: Todo) { print("now \(todo.status):", todo.content) }
///         func todoRemoved(_ todo: Todo) { print("removed:", todo.content) }
///     }
@LoopActor
public protocol TodoObserver: TodoChangeObserver {
    /// A todo was added, or has become visible.
    func todoAdded(_ todo: Todo)
    /// A todo has another text, status, day, position or visibility.
    func todoModified(_ todo: Todo)
    /// A todo was removed; this is its last state.
    func todoRemoved(_ todo: Todo)
}

extension TodoObserver {
    /// Calls ``todoAdded(_:)``, ``todoModified(_:)`` or ``todoRemoved(_:)``.
    public func receive(_ change: TodoChange) { dispatch(change) }

    /// The same, for observers that implement ``TodoChangeObserver/receive(_:)``.
    public func dispatch(_ change: TodoChange) {
        switch change.kind {
        case .added: todoAdded(change.shownTodo)
        case .modified: todoModified(change.shownTodo)
        case .removed: todoRemoved(change.shownTodo)
        case .relation, .settings: accountChanged(change)
        }
    }
}
