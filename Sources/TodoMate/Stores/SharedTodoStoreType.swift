package import EventLoop

/// Reads users' todos for others, as far as both sides of the pair let them.
@LoopActor
package protocol SharedTodoStoreType: AnyObject, Sendable {
    /// The two sides of a viewer's access to an owner's todos, and the owner's latest change of the moment in which
    /// the owner's side was read.
    func sides(of viewer: String, to owner: String) async throws(TodoError) -> (sides: PairAccess, id: ChangeID)

    /// What the two sides say, and all of the owner's todos of some days: `sides.access` says which of them may be shown. Both are
    /// of one moment of the owner's. No list where nothing may be seen.
    func list(
        of owner: String,
        for viewer: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> (sides: PairAccess, read: ReadList?)

    /// A todo of an owner's, if the viewer may see it in this moment.
    ///
    /// - Throws: `TodoError.notFound` both for what does not exist and for what may not be seen.
    func todo(_ id: String, of owner: String, for viewer: String) async throws(TodoError) -> TodoRecord
}

extension SharedTodoStoreType {
    /// What a viewer may see of an owner's todos.
    package func access(of viewer: String, to owner: String) async throws(TodoError) -> Access {
        try await sides(of: viewer, to: owner).sides.access
    }

    /// What the two sides say, and those of the owner's todos that may be seen; none where nothing may be seen.
    package func view(
        of viewer: String,
        on owner: String,
        in days: ClosedRange<CalendarDate>? = nil
    ) async throws(TodoError) -> (sides: PairAccess, snapshot: TodoSnapshot?) {
        let (sides, read) = try await list(of: owner, for: viewer, in: days)
        return (sides, read?.list.snapshot(for: sides.access))
    }
}

/// A list that was read, and the right to have so much in hand.
package struct ReadList: Sendable {
    /// The list, shared with others.
    package let list: TodoList
    /// Nil for a short list; of the long ones, one user has few at a time, each until its turn is released.
    package let turn: FairTurn?

    /// A list, read in a turn.
    package init(list: TodoList, turn: FairTurn?) { (self.list, self.turn) = (list, turn) }
}

extension TodoListText {
    /// What an access covers of a list.
    @LoopActor
    package init(_ read: ReadList, for access: Access) {
        self.init(id: read.list.id, json: read.list.text(for: access), of: read.list, turn: read.turn)
    }
}
