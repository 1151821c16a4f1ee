/// What happened to a stored record.
public enum DatabaseChange<Record> {
    /// It is new.
    case added(Record)
    /// It has new content.
    case modified(Record)
    /// It is gone; the record is as it last was.
    case removed(Record)

    /// The record that it happened to.
    public var record: Record {
        switch self {
        case .added(let record), .modified(let record), .removed(let record): record
        }
    }
}

extension DatabaseChange: Sendable where Record: Sendable {}
extension DatabaseChange: Equatable where Record: Equatable {}

extension DatabaseChange where Record == TodoDTO {
    /// The todo that it happened to, as it was stored.
    public var todoDTO: TodoDTO { record }
}

/// The kinds of change, as messages spell them.
public enum ChangeKind: String, Sendable, Codable, CaseIterable {
    /// A todo is new.
    case added
    /// A todo has new content.
    case modified
    /// A todo is gone.
    case removed
    /// Something is different between the user and another one.
    case relation
    /// The user's settings are different.
    case settings

    /// Whether it happened to a todo, and not to the account.
    package var isOfTodo: Bool {
        switch self {
        case .added, .modified, .removed: true
        case .relation, .settings: false
        }
    }
}
