/// The todos of one user within some days, kept up by changes: the state of a view model, without I/O.
struct TodoWindow {
    private(set) var days: ClosedRange<CalendarDate>
    /// The todos but for notes in list order, kept so: a month may hold thousands of them, and many may change at once.
    private(set) var sorted: [Todo] = []
    /// The notes of the days, which are no part of that.
    private(set) var notes: [CalendarDate: Todo] = [:]
    /// The same by id, to find what a change replaces.
    private var todos: [String: Todo] = [:]
    private var join = SnapshotJoin<TodoChange>(id: \.id)

    init(days: ClosedRange<CalendarDate>) { self.days = days }

    /// Turns to other days; a snapshot of them is needed.
    mutating func show(_ days: ClosedRange<CalendarDate>) {
        self.days = days
        (todos, sorted, notes) = ([:], [], [:])
        join.restart()
    }

    /// Waits for a fresh snapshot and keeps the old todos until it comes.
    mutating func restart() { join.restart() }

    /// Loads the snapshot, and returns the held changes that are to be applied on top of it.
    mutating func load(_ snapshot: TodoSnapshot) -> [TodoChange] {
        todos = Dictionary(snapshot.todos.lazy.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        sorted = todos.values.filter { !$0.isNote }.sorted(by: Todo.isInListOrder)
        notes = Dictionary(
            todos.values.lazy.filter(\.isNote).map { ($0.date, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return join.join(at: snapshot.id)
    }

    /// Whether a change is to be applied now; it may have to wait for a snapshot, or be part of it.
    mutating func admits(_ change: TodoChange) -> Bool { join.receive(change) }

    /// Whether what has arrived does not fit the snapshot: another one must be loaded.
    var needsSnapshot: Bool { join.needsSnapshot }

    /// Whether a todo as it is now makes a difference to what is shown.
    func isChanged(by todo: Todo) -> Bool { todos[todo.id] != (days.contains(todo.date) ? todo : nil) }

    /// Takes a todo as it is now: one moved to a day outside leaves, one moved inside enters.
    mutating func put(_ todo: Todo) {
        var todo = todo
        // A todo that is stored remains so when something else is published about it.
        if todo.revision == 0, !todo.isUnmade, let known = todos[todo.id] {
            (todo.revision, todo.micros) = (known.revision, known.micros)
        }
        remove(todo)
        guard days.contains(todo.date) else { return }
        todos[todo.id] = todo
        if todo.isNote { notes[todo.date] = todo } else { sorted.insert(todo, at: place(of: todo)) }
    }

    /// Whether there is such a todo.
    func contains(_ todo: Todo) -> Bool { todos[todo.id] != nil }

    /// Takes a todo out.
    mutating func remove(_ todo: Todo) {
        guard let old = todos.removeValue(forKey: todo.id) else { return }
        if old.isNote { notes[old.date] = nil } else { sorted.remove(at: place(of: old)) }
    }

    /// Where a todo stands in list order, or would, by binary search: the order is total, by id at last.
    private func place(of todo: Todo) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if Todo.isInListOrder(sorted[middle], todo) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
