public import EventLoop
public import TodoMate

/// Writes down all that it is told, as `added 1-… Buy milk`, and can be waited for.
@LoopActor
public final class RecordingObserver: TodoObserver {
    /// What it was told so far.
    public private(set) var lines: [String] = []
    /// The versions that it was told so far.
    public private(set) var versions: [Int] = []
    /// Called after each line.
    public var onLine: ((String) -> Void)?

    public nonisolated init() {}

    public func receive(_ change: TodoChange) {
        if let id = change.id { versions.append(id.version) }
        dispatch(change)
    }

    public func todoAdded(_ todo: Todo) { write("added \(todo.content)") }
    public func todoModified(_ todo: Todo) { write("modified \(todo.content)") }
    public func todoRemoved(_ todo: Todo) { write("removed \(todo.content)") }
    public func todosReset(for uid: String) { write("reset \(uid)") }

    private func write(_ line: String) {
        lines.append(line)
        onLine?(line)
    }
}
