import EventLoop

/// The result of a write that may change nothing.
public enum TodoWrite: Sendable {
    /// It was written, logged and published as this change.
    case changed(TodoChange)
    /// The todo was in this state already: nothing was written, and there is no change.
    case unchanged(TodoRecord)

    /// The todo after the write.
    @LoopActor public var todo: Todo {
        switch self {
        case .changed(let change): change.todo
        case .unchanged(let stored): stored.todo
        }
    }

    /// The todo as JSON.
    @LoopActor public var json: [UInt8] {
        switch self {
        case .changed(let change): change.todoJSON
        case .unchanged(let stored): stored.json
        }
    }

    /// The change; nil when there is none.
    public var change: TodoChange? {
        switch self {
        case .changed(let change): change
        case .unchanged: nil
        }
    }
}
