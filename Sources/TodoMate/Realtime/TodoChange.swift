public import EventLoop
import Foundation

/// One change of one user's todos, as it travels from Redis to the observers.
///
/// It carries the message as bytes, ready to be passed on, and decodes the todo when it is first asked for, once for all
/// observers.
@LoopActor
public final class TodoChange {
    /// Whose todos changed.
    public nonisolated let uid: String
    /// Names the change; nil for a plain publish, which is not stored and has no place in the order.
    public nonisolated let id: ChangeID?
    /// What happened.
    public nonisolated let kind: ChangeKind
    /// The message as JSON in the documented spelling, one line of valid UTF-8.
    public nonisolated let message: [UInt8]

    private let canonical: CanonicalMessage?
    private var decoded: Todo?

    /// The todo that changed; for a removal, as it last was.
    public var todo: Todo {
        if let decoded { return decoded }
        guard let todo = canonical?.todo else { preconditionFailure("a checked message has a todo") }
        decoded = todo
        return todo
    }

    /// A change that this process made or decoded itself.
    public init(id: ChangeID?, kind: ChangeKind, todo: Todo) {
        uid = todo.uid
        self.id = id
        self.kind = kind
        message = CanonicalMessage.encode(id, kind, todo)
        canonical = nil
        decoded = todo
    }

    /// Checks a message that arrived on the channel of `uid`.
    ///
    /// A message in the documented spelling is taken as it is; any other goes through the JSON decoder and is written
    /// anew.
    ///
    /// - Throws: ``MessageRefusal`` when it is not a valid message about this user's todos.
    public init(message: [UInt8], uid: String) throws(MessageRefusal) {
        if let canonical = CanonicalMessage(message), canonical.uid.elementsEqual(uid.utf8) {
            self.uid = uid
            id = canonical.id
            kind = canonical.kind
            self.message = message
            self.canonical = canonical
        } else {
            let published = try PublishedMessage(message, uid: uid)
            self.uid = uid
            id = published.id
            kind = published.kind
            self.message = CanonicalMessage.encode(id, kind, published.todo)
            canonical = nil
            decoded = published.todo
        }
    }

    /// The change in the form of a database change.
    public var databaseChange: DatabaseChange<TodoDTO> {
        switch kind {
        case .added: .added(TodoDTO(todo))
        case .modified: .modified(TodoDTO(todo))
        case .removed: .removed(TodoDTO(todo))
        }
    }
}
