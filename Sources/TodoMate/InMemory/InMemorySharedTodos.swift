import EventLoop

/// What viewers may see of others' todos, in this process alone.
@LoopActor
final class InMemorySharedTodos: SharedTodoStoreType {
    private let database: InMemoryDatabase

    init(_ database: InMemoryDatabase) { self.database = database }

    func sides(of viewer: String, to owner: String) async throws(TodoError) -> (sides: PairAccess, id: ChangeID) {
        (try sides(viewer, owner), database[owner].latest)
    }

    func list(
        of owner: String,
        for viewer: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> (sides: PairAccess, read: ReadList?) {
        let sides = try sides(viewer, owner)
        guard sides.access != .none else { return (sides, nil) }
        let user = database[owner]
        var parts = TodoParts()
        for todo in user.todos.values where days?.contains(todo.date) ?? true {
            try parts.append(Array(TodoDTO(todo).json.utf8))
        }
        return (sides, ReadList(list: await TodoList.list(user.latest, parts, in: days), turn: nil))
    }

    func todo(_ id: String, of owner: String, for viewer: String) async throws(TodoError) -> TodoRecord {
        try TodoBounds.id(id)
        guard let todo = database[owner].todos[id], try sides(viewer, owner).access.covers(todo.visibility) else {
            throw .notFound("\(owner) has no todo with the id \(id)")
        }
        return TodoRecord(todo)
    }

    /// What both sides of a pair say.
    func sides(_ viewer: String, _ owner: String) throws(TodoError) -> PairAccess {
        try TodoBounds.uid(viewer)
        try TodoBounds.uid(owner)
        guard viewer != owner else { return PairAccess(granted: .own, stance: .following) }
        return PairAccess(granted: granted(viewer, by: database[owner]), stance: stance(of: viewer, toward: owner))
    }

    private func granted(_ viewer: String, by owner: InMemoryDatabase.User) -> Access {
        if owner.has(viewer, in: .blocked) || owner.account.audience == .private { return .none }
        return owner.has(viewer, in: .following) ? .followers : .public
    }

    private func stance(of viewer: String, toward owner: String) -> Stance {
        if database[viewer].has(owner, in: .blocked) { return .blocked }
        return switch database[viewer].following[owner]?.state {
        case .following: .following
        case .requested: .requested
        case .pending: .pending
        case FollowState.none?, nil: .none
        }
    }
}
