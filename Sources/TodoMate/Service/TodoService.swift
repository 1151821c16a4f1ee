public import EventLoop

/// Creates, reads, changes and removes todos; keeps no state.
@LoopActor
public protocol TodoServiceType: Sendable {
    /// Writes a new todo.
    func create(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> Todo
    /// Changes parts of a todo; `revision`, when given, is the one that it must still be at.
    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> Todo
    /// Removes a todo and returns it as it last was.
    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError) -> Todo
    /// One todo.
    func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo
    /// The todos of some days, or all, in list order.
    func todos(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> [Todo]
    /// Puts a todo before or after another one of its day, or of that one's day.
    func place(_ id: String, of uid: String, _ place: TodoPlace) async throws(TodoError) -> Todo
}

/// Where a todo is to go.
public enum TodoPlace: Sendable, Equatable {
    /// Right before the todo with this id.
    case before(String)
    /// Right after the todo with this id.
    case after(String)
}

/// ``TodoServiceType`` over a repository.
@LoopActor
public final class TodoService: TodoServiceType {
    private let repository: any TodoRepositoryType

    /// A service over this repository.
    public init(_ repository: any TodoRepositoryType) { self.repository = repository }

    /// Writes a new todo.
    public func create(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> Todo {
        try await repository.add(draft, for: uid).todo
    }

    /// Changes parts of a todo.
    public func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision? = nil
    ) async throws(TodoError) -> Todo {
        try await repository.update(id, of: uid, with: patch, expecting: revision).todo
    }

    /// Removes a todo and returns it as it last was.
    public func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision? = nil)
        async throws(TodoError) -> Todo
    {
        try await repository.remove(id, of: uid, expecting: revision).todo
    }

    /// One todo.
    public func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo {
        try await repository.todo(id, of: uid)
    }

    /// The todos of some days, or all, in list order.
    public func todos(of uid: String, in days: ClosedRange<CalendarDate>? = nil) async throws(TodoError) -> [Todo] {
        try await repository.snapshot(of: uid, in: days).todos
    }

    /// Gives the todo a position between its new neighbours; when halving has left none, the day is numbered anew first.
    public func place(_ id: String, of uid: String, _ place: TodoPlace) async throws(TodoError) -> Todo {
        let anchorID =
            switch place {
            case .before(let id), .after(let id): id
            }
        guard anchorID != id else { throw .invalid("a todo cannot be placed beside itself: name another one") }
        // Nothing may be moved about for a todo that is not there.
        _ = try await repository.todo(id, of: uid)
        let anchor = try await repository.todo(anchorID, of: uid)
        let day = try await repository.snapshot(of: uid, in: anchor.date...anchor.date).todos.filter { $0.id != id }
        guard let index = day.firstIndex(where: { $0.id == anchorID }) else {
            throw .notFound("\(anchorID) was moved or removed meanwhile: list the day again")
        }
        let next = if case .before = place { index } else { index + 1 }
        let lower = next > 0 ? day[next - 1].position : nil
        let upper = next < day.count ? day[next].position : nil
        guard let position = TodoPosition.between(lower, upper) else {
            return try await renumber(day, inserting: id, at: next, of: uid)
        }
        return try await update(id, of: uid, with: TodoPatch(date: anchor.date, position: position), expecting: nil)
    }

    /// Gives the todos of a day whole positions again, when halving has left no room between two of them.
    private func renumber(
        _ day: [Todo],
        inserting id: String,
        at index: Int,
        of uid: String
    ) async throws(TodoError) -> Todo {
        // All of them must find room below the largest position.
        let start = min((day.first?.position ?? 0).rounded(.up), TodoBounds.largestPosition - Double(day.count))
        for (offset, todo) in day.enumerated().reversed() {
            let position = start + Double(offset < index ? offset : offset + 1)
            let patch = TodoPatch(position: position)
            _ = try await update(todo.id, of: uid, with: patch, expecting: nil)
        }
        let position = start + Double(index)
        return try await update(id, of: uid, with: TodoPatch(date: day.first?.date, position: position), expecting: nil)
    }
}

/// Positions between others.
enum TodoPosition {
    /// A position strictly between two neighbours, either of which may be missing; nil when none is left.
    static func between(_ lower: Double?, _ upper: Double?) -> Double? {
        let candidate =
            switch (lower, upper) {
            case (let lower?, let upper?): lower + (upper - lower) / 2
            case (let lower?, nil): lower.rounded(.down) + 1
            case (nil, let upper?): upper.rounded(.up) - 1
            case (nil, nil): 1.0
            }
        let isAbove = lower.map { $0 < candidate } ?? true
        let isBelow = upper.map { candidate < $0 } ?? true
        return isAbove && isBelow && abs(candidate) <= TodoBounds.largestPosition ? candidate : nil
    }
}
