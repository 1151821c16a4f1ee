/// What happened to a stored record.
public enum DatabaseChange<Record> {
    /// The record was added.
    case added(Record)
    /// The record was modified.
    case modified(Record)
    /// The record, in its last state, was removed.
    case removed(Record)

    /// The record that changed.
    public var record: Record {
        switch self {
        case .added(let record), .modified(let record), .removed(let record): record
        }
    }
}

extension DatabaseChange: Sendable where Record: Sendable {}
extension DatabaseChange: Equatable where Record: Equatable {}

extension DatabaseChange where Record == TodoDTO {
    /// The todo that changed, as it was stored.
    package var todoDTO: TodoDTO { record }
}

/// The kinds of change, as messages spell them.
public enum ChangeKind: String, Sendable, Codable, CaseIterable {
    /// A todo was added.
    case added
    /// A todo was modified.
    case modified
    /// A todo was removed.
    case removed
    /// The relation of the user to another one has changed.
    case relation
    /// The user's settings have changed.
    case settings

    /// Whether a todo changed, and not the account.
    package var isOfTodo: Bool {
        switch self {
        case .added, .modified, .removed: true
        case .relation, .settings: false
        }
    }
}
