/// The todos of one user within some days, kept up by changes: the state of a view model, without I/O.
struct TodoWindow {
    private(set) var days: ClosedRange<CalendarDate>
    private var todos: [String: Todo] = [:]
    private var join = SnapshotJoin<TodoChange>(id: \.id)

    init(days: ClosedRange<CalendarDate>) { self.days = days }

    /// The todos in list order.
    var sorted: [Todo] { todos.values.sorted(by: Todo.isInListOrder) }

    /// Turns to other days; a snapshot of them is needed.
    mutating func show(_ days: ClosedRange<CalendarDate>) {
        self.days = days
        todos = [:]
        join.restart()
    }

    /// Waits for a fresh snapshot and keeps the old todos until it comes.
    mutating func restart() { join.restart() }

    /// Takes the snapshot that was asked for and returns the changes that are to be applied on top of it.
    mutating func load(_ snapshot: TodoSnapshot) -> [TodoChange] {
        todos = Dictionary(snapshot.todos.lazy.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        return join.join(at: snapshot.id)
    }

    /// Whether a change is to be applied now; it may have to wait for a snapshot, or be part of it.
    mutating func admits(_ change: TodoChange) -> Bool { join.receive(change) }

    /// Takes a todo as it is now: one moved to a day outside leaves, one moved inside enters.
    mutating func put(_ todo: Todo) { todos[todo.id] = days.contains(todo.date) ? todo : nil }

    /// Takes a todo out.
    mutating func remove(_ todo: Todo) { todos[todo.id] = nil }
}
