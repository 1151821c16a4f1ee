public import TodoMate

/// Something that was done on this device and the server does not have, as far as is known: for an app to show.
public struct PendingChange: Sendable, Equatable, Identifiable {
    /// What was done.
    public enum Kind: Sendable, Equatable {
        /// The todo was added.
        case added
        /// The todo was changed.
        case edited
        /// The todo was removed.
        case removed
        /// A routine's day was left out.
        case skipped
        /// A routine's day that was left out is to be there again.
        case unskipped
    }

    /// How far it has come.
    public enum State: Sendable, Equatable {
        /// It waits to be sent.
        case pending
        /// It was sent, and is not confirmed yet.
        case sent
        /// The server will not have it, for this reason. It is shown nowhere else until it is tried again or discarded.
        case refused(TodoError)
    }

    /// Names it to ``TodoClient/retry(_:)`` and ``TodoClient/discard(_:)``.
    public let id: Int
    /// The id of the todo.
    public let todoID: String
    /// What was done.
    public let kind: Kind
    /// How far it has come.
    public let state: State
    /// The todo as the person wanted it, with all that was typed; for a removal, as it was.
    public let todo: Todo

    /// Whether the server will not have it.
    package var isRefused: Bool { if case .refused = state { true } else { false } }

    package init(id: Int, kind: Kind, state: State, todo: Todo) {
        (self.id, self.kind, self.state, self.todo, todoID) = (id, kind, state, todo, todo.id)
    }

    init?(_ entry: OutboxEntry, of uid: String) {
        switch entry.intent {
        case .add(let draft): (kind, todo) = (.added, draft.todo(of: uid, made: entry.made))
        case .edit(let patch):
            guard let seen = entry.seen else { return nil }
            (kind, todo) = (.edited, patch.applied(to: seen))
        case .remove:
            guard let seen = entry.seen else { return nil }
            (kind, todo) = (.removed, seen)
        case .skip(let isBack):
            guard let seen = entry.seen else { return nil }
            (kind, todo) = (isBack ? .unskipped : .skipped, seen)
        }
        (id, todoID) = (entry.number, entry.todo)
        switch entry.state {
        case .waiting: state = .pending
        case .sent: state = .sent
        case .refused(let reason): state = .refused(reason)
        // The server has it, and the base will show it in a moment.
        case .answered: return nil
        }
    }
}
