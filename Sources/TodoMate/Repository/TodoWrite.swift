import EventLoop

/// What came of a write that may find everything as it should be.
public enum TodoWrite: Sendable {
    /// It was written, logged and published as this change.
    case changed(TodoChange)
    /// The todo was like that already. Nothing was written, so that there is no change, and no id to be taken for one.
    case unchanged(TodoRecord)

    /// The todo as it is now.
    @LoopActor public var todo: Todo {
        switch self {
        case .changed(let change): change.todo
        case .unchanged(let stored): stored.todo
        }
    }

    /// The todo as JSON, as Redis answered with it.
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
