import TodoMate

/// One owner's todos as the viewer has them from the server: the base of everything that is shown. No I/O.
///
/// A server shows each version once and in order, and says with a snapshot when it cannot. That is checked here: of the viewer's own
/// changes none may be missing, and none of anybody's may be of another history than what is known.
struct MirroredShare: Sendable, Equatable {
    /// What the viewer may see; none where that is nothing.
    private(set) var access: Access
    /// The last change that is part of the todos.
    private(set) var id: ChangeID
    /// By their ids.
    private(set) var todos: [String: Todo]

    /// What is to be done about a change.
    enum Verdict: Equatable {
        /// It is new, and is part of the todos now.
        case applied
        /// It was part of them before.
        case seen
        /// Something is missing before it, or it does not fit what is known: everything is read anew.
        case doubtful(String)
    }

    /// A share that begins with a snapshot.
    init(_ access: Access, _ snapshot: TodoSnapshot) {
        self.access = access
        id = snapshot.id
        todos = Dictionary(snapshot.todos.lazy.map { ($0.id, $0) }) { $1 }
    }

    /// A share of which nothing may be seen.
    static var closed: MirroredShare { MirroredShare(.none, TodoSnapshot(id: .zero, todos: [])) }

    /// The todos of some days, in list order.
    func snapshot(in days: ClosedRange<CalendarDate>?) -> TodoSnapshot {
        let shown = todos.values.filter { days?.contains($0.date) ?? true }
        return TodoSnapshot(id: id, todos: shown.sorted(by: Todo.isInListOrder))
    }

    /// Takes a change of a todo.
    ///
    /// - Parameters:
    ///   - change: its id; nil for what was only published, which is shown and not stored.
    ///   - todo: the todo's id.
    ///   - state: the todo after it; nil for one that is gone, or hidden.
    mutating func take(_ change: ChangeID?, _ todo: String, _ state: Todo?) -> Verdict {
        let verdict = pass(change)
        if verdict == .applied { todos[todo] = state }
        return verdict
    }

    /// Takes a change of the account.
    mutating func pass(_ change: ChangeID?) -> Verdict {
        guard let change else { return .applied }
        guard access != .none else { return .doubtful("a change came of somebody of whom nothing may be seen") }
        if change.mayBeOfAnotherHistory(than: id) { return .doubtful("the server's history was replaced") }
        guard change.version > id.version else { return .seen }
        guard access != .own || change.version == id.version + 1 else { return .doubtful("a change is missing") }
        id = change
        return .applied
    }
}
