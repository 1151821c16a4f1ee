public import EventLoop
import Foundation

/// One change of one user's todos or account, as it travels from Redis to the observers.
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

    /// What became of the account; nil for a change of a todo.
    public nonisolated let account: AccountChange?
    /// Who may see the todo, besides its owner; ``Visibility/private`` for a change of the account.
    package nonisolated let visibility: Visibility
    /// The visibility that the todo had before, where it is another one now.
    public nonisolated let visibilityBefore: Visibility?
    /// The status that the todo had before, where it is another one now.
    public nonisolated let statusBefore: TodoStatus?

    private let canonical: CanonicalMessage?
    private var decoded: Todo?

    /// The todo that changed; for a removal, as it last was. A change whose ``kind`` is not of a todo has none.
    public var todo: Todo {
        if let decoded { return decoded }
        guard let todo = canonical?.todo else { preconditionFailure("a checked message has a todo") }
        decoded = todo
        return todo
    }

    /// What the ``todo`` is called.
    package var todoID: String { canonical?.todoID ?? todo.id }

    /// The ``todo`` as JSON: the very bytes of the ``message`` where it came in the documented spelling.
    package var todoJSON: [UInt8] {
        canonical.map { Array($0.todoBytes) } ?? Array(CanonicalMessage.encode(todo).utf8)
    }

    /// A change that this process made or decoded itself.
    ///
    /// - Parameters:
    ///   - id: names the change; nil for one that has no place in the order.
    ///   - kind: what happened.
    ///   - todo: the todo as it is afterwards; for a removal, as it last was.
    ///   - visibilityBefore: the visibility that the todo had, where it is another one now.
    ///   - statusBefore: the status that it had, where it is another one now.
    public init(
        id: ChangeID?,
        kind: ChangeKind,
        todo: Todo,
        visibilityBefore: Visibility? = nil,
        statusBefore: TodoStatus? = nil
    ) {
        account = nil
        visibility = todo.visibility
        self.visibilityBefore = visibilityBefore
        self.statusBefore = statusBefore
        uid = todo.uid
        self.id = id
        self.kind = kind
        message = CanonicalMessage.encode(id, kind, todo, was: (statusBefore, visibilityBefore))
        canonical = nil
        decoded = todo
    }

    /// A change of an account that this process made itself.
    init(id: ChangeID, _ account: AccountChange) {
        self.account = account
        visibility = .private
        visibilityBefore = nil
        statusBefore = nil
        uid = account.uid
        self.id = id
        kind = account.kind
        message = account.message(id)
        canonical = nil
    }

    /// The change as somebody sees it who may not see the todo any more: a removal that tells its id and nothing else.
    ///
    /// Its ``todo`` has no words; its ``message`` is `{"id":"58-…","type":"removed","todo":{"id":"…","uid":"bob"}}`.
    package init(hiding change: TodoChange) {
        account = nil
        visibility = .private
        visibilityBefore = nil
        statusBefore = nil
        uid = change.uid
        id = change.id
        kind = .removed
        let todo = change.todo
        message = Array("\(CanonicalMessage.head(id, kind)){\"id\":\"\(todo.id)\",\"uid\":\"\(uid)\"}}".utf8)
        canonical = nil
        decoded = Todo(
            id: todo.id,
            uid: uid,
            date: .earliest,
            content: "",
            position: 0,
            revision: 0,
            createdAt: .distantPast,
            updatedAt: .distantPast,
            visibility: .private
        )
    }

    /// Checks a message that arrived on the channel of `uid`.
    ///
    /// A message in the documented spelling is taken as it is, but for U+2028 and U+2029, which older versions let stand;
    /// any other goes through the JSON decoder and is written anew.
    ///
    /// - Throws: ``MessageRefusal`` when it is not a valid message about this user's todos.
    public init(message: [UInt8], uid: String) throws(MessageRefusal) {
        let message = LineSeparators.escaped(in: message)
        if let canonical = CanonicalMessage(message), canonical.uid.elementsEqual(uid.utf8) {
            self.uid = uid
            id = canonical.id
            kind = canonical.kind
            account = nil
            visibility = canonical.visibility
            visibilityBefore = canonical.before.visibility
            statusBefore = canonical.before.status
            self.message = message
            self.canonical = canonical
        } else if let (id, account) = try AccountChange.read(message, uid: uid) {
            self.uid = uid
            self.id = id
            kind = account.kind
            self.account = account
            visibility = .private
            visibilityBefore = nil
            statusBefore = nil
            self.message = account.message(id)
            canonical = nil
        } else {
            let published = try PublishedMessage(message, uid: uid)
            self.uid = uid
            account = nil
            visibility = published.todo.visibility
            visibilityBefore = published.before.visibility
            statusBefore = published.before.status
            id = published.id
            kind = published.kind
            self.message = CanonicalMessage.encode(id, kind, published.todo, was: published.before)
            canonical = nil
            decoded = published.todo
        }
    }

    /// The change in the form of a database change; nil for one of the account.
    package var databaseChange: DatabaseChange<TodoDTO>? {
        switch kind {
        case .added: .added(TodoDTO(todo))
        case .modified: .modified(TodoDTO(todo))
        case .removed: .removed(TodoDTO(todo))
        case .relation, .settings: nil
        }
    }
}
