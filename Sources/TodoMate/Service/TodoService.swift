public import EventLoop

/// Creates, reads, changes and removes todos.
@LoopActor
public protocol TodoServiceType: Sendable {
    /// Writes a new todo, and returns it as it was stored.
    ///
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/exists(_:)``, ``TodoError/full(_:)``.
    @discardableResult
    func create(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> Todo
    /// Changes parts of a todo.
    ///
    /// - Parameters:
    ///   - id: the todo's id.
    ///   - uid: its owner.
    ///   - patch: the parts that change.
    ///   - revision: the revision that the todo must still have; nil for any.
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/notFound(_:)``, ``TodoError/conflict(_:current:)``,
    ///   ``TodoError/full(_:)``.
    @discardableResult
    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> Todo
    /// Removes a todo, and returns its last state.
    ///
    /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/conflict(_:current:)``.
    @discardableResult
    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError) -> Todo
    /// One todo.
    ///
    /// - Throws: ``TodoError/notFound(_:)``.
    func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo
    /// The todos of some days in list order; nil for all days.
    func todos(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> [Todo]
    /// Moves a todo before or after another one, to whose day it then belongs; it keeps its time.
    ///
    /// Todos stand in the order of their times, those without one last, so that a place is chosen only among those of the same
    /// time, or among those without one.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` where the todo's own time, or its lack of one, puts it elsewhere,
    ///   ``TodoError/notFound(_:)``, ``TodoError/full(_:)``.
    @discardableResult
    func move(_ id: String, of uid: String, to place: TodoPlace) async throws(TodoError) -> Todo
}

extension TodoServiceType {
    /// Changes parts of a todo, whatever its revision.
    @discardableResult
    public func update(_ id: String, of uid: String, with patch: TodoPatch) async throws(TodoError) -> Todo {
        try await update(id, of: uid, with: patch, expecting: nil)
    }

    /// Removes a todo, whatever its revision, and returns its last state.
    @discardableResult
    public func remove(_ id: String, of uid: String) async throws(TodoError) -> Todo {
        try await remove(id, of: uid, expecting: nil)
    }

    /// All todos, in list order.
    public func todos(of uid: String) async throws(TodoError) -> [Todo] { try await todos(of: uid, in: nil) }
}

/// A place beside another todo.
public enum TodoPlace: Sendable, Equatable {
    /// Right before the todo with this id.
    case before(String)
    /// Right after the todo with this id.
    case after(String)
}

/// ``TodoServiceType`` over a repository; it keeps no state.
///
///     let milk = TodoDraft(date: CalendarDate(Date(), in: .current), content: "Buy milk")
///     let id = try await todos.create(milk, for: "alice").id
///     try await todos.update(id, of: "alice", with: TodoPatch(status: .complete))
@LoopActor
public final class TodoService: TodoServiceType {
    private let repository: any TodoRepositoryType

    /// A service over `repository`.
    public init(_ repository: any TodoRepositoryType) { self.repository = repository }

    /// Writes a new todo, and returns it as it was stored.
    @discardableResult
    public func create(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> Todo {
        try await repository.add(draft, for: uid).todo
    }

    /// Changes parts of a todo.
    @discardableResult
    public func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> Todo {
        try await repository.update(id, of: uid, with: patch, expecting: revision).todo
    }

    /// Removes a todo, and returns its last state.
    @discardableResult
    public func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?)
        async throws(TodoError) -> Todo
    {
        try await repository.remove(id, of: uid, expecting: revision).todo
    }

    /// One todo.
    public func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo {
        try await repository.todo(id, of: uid)
    }

    /// The todos of some days in list order; nil for all days.
    public func todos(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> [Todo] {
        try await repository.snapshot(of: uid, in: days).todos
    }

    /// Gives the todo a position between its new neighbours; when halving has left none, the day is renumbered first.
    @discardableResult
    public func move(_ id: String, of uid: String, to place: TodoPlace) async throws(TodoError) -> Todo {
        let anchorID =
            switch place {
            case .before(let id), .after(let id): id
            }
        guard anchorID != id else { throw .invalid("a todo cannot be placed beside itself: name another one") }
        // Nothing may be renumbered for a todo that does not exist.
        let todo = try await repository.todo(id, of: uid)
        let anchor = try await repository.todo(anchorID, of: uid)
        let day = try await repository.snapshot(of: uid, in: anchor.date...anchor.date).todos
            .filter { $0.id != id && !$0.isNote }
        guard let index = day.firstIndex(where: { $0.id == anchorID }) else {
            throw .notFound("\(anchorID) was moved or removed meanwhile: list the day again")
        }
        let next = if case .before = place { index } else { index + 1 }
        guard let (equals, next) = TodoPosition.equals(of: todo, in: day, at: next) else {
            throw .invalid(TodoPosition.advice(todo))
        }
        // Among no others it needs no place.
        guard !equals.isEmpty else {
            return try await update(id, of: uid, with: TodoPatch(date: anchor.date), expecting: nil)
        }
        let lower = next > 0 ? equals[next - 1].position : nil
        let upper = next < equals.count ? equals[next].position : nil
        guard let position = TodoPosition.between(lower, upper) else {
            return try await renumber(equals, inserting: id, at: next, of: uid)
        }
        return try await update(id, of: uid, with: TodoPatch(date: anchor.date, position: position), expecting: nil)
    }

    /// Gives todos of a day and time whole positions again, once halving has left no room between two of them.
    private func renumber(
        _ equals: [Todo],
        inserting id: String,
        at index: Int,
        of uid: String
    ) async throws(TodoError) -> Todo {
        // All of them must stay below the largest position.
        let start = min((equals.first?.position ?? 0).rounded(.up), TodoBounds.largestPosition - Double(equals.count))
        for (offset, todo) in equals.enumerated().reversed() {
            let position = start + Double(offset < index ? offset : offset + 1)
            let patch = TodoPatch(position: position)
            _ = try await update(todo.id, of: uid, with: patch, expecting: nil)
        }
        let position = start + Double(index)
        return try await update(
            id,
            of: uid,
            with: TodoPatch(date: equals.first?.date, position: position),
            expecting: nil
        )
    }
}

/// The positions of todos.
package enum TodoPosition {
    /// Those of a day that have the todo's time, or none like it, and the place among them that it gets at `index` of the day; nil
    /// where its time puts it elsewhere.
    ///
    /// - Parameter day: the other todos of the day, in list order.
    package static func equals(of todo: Todo, in day: [Todo], at index: Int) -> (todos: [Todo], index: Int)? {
        let rank = { (other: Todo) in other.time?.minutes ?? .max }
        let isAfterAll = day[..<index].allSatisfy { rank($0) <= rank(todo) }
        let isBeforeAll = day[index...].allSatisfy { rank(todo) <= rank($0) }
        guard isAfterAll, isBeforeAll else { return nil }
        return (day.filter { $0.time == todo.time }, day[..<index].count { $0.time == todo.time })
    }

    /// Why a todo cannot have a place that its time does not give it, and what to do.
    static func advice(_ todo: Todo) -> String {
        let rule = "todos stand in the order of their times, those without one last"
        return todo.time.map { "\(rule): this one is at \($0), so give it another time, or none" }
            ?? "\(rule): this one has no time, so give it one"
    }

    /// A position strictly between two neighbours, of which either may be missing; nil when there is none.
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
