public import EventLoop
import Foundation

/// One change of one user's todos or account, as it travels from Redis to the observers.
///
/// It carries the message as bytes, ready to be forwarded, and decodes the todo when it is first read, once for all
/// observers.
@LoopActor
public final class TodoChange {
    /// Whose todos changed.
    public nonisolated let uid: String
    /// The id of the change; nil for a plain publish, which is not stored and not ordered.
    public nonisolated let id: ChangeID?
    /// What happened.
    public nonisolated let kind: ChangeKind
    /// The message: one line of JSON in the documented spelling.
    public nonisolated let message: [UInt8]

    /// The change of the account; nil for a change of a todo.
    public nonisolated let account: AccountChange?
    /// The visibility of the todo; ``Visibility/private`` for a change of the account.
    package nonisolated let visibility: Visibility
    /// The visibility before, if it has changed.
    public nonisolated let visibilityBefore: Visibility?
    /// The status before, if it has changed.
    public nonisolated let statusBefore: TodoStatus?

    /// The change before it, where the message said so: see ``init(published:uid:)``.
    package internal(set) var before: ChangeID?

    private let canonical: CanonicalMessage?
    private var decoded: Todo?

    /// The todo after the change; for a removal, its last state. Changes of the account have none.
    public var todo: Todo {
        if let decoded { return decoded }
        guard let todo = canonical?.todo else { preconditionFailure("a checked message has a todo") }
        decoded = todo
        return todo
    }

    /// The ``todo`` for those who show it: what is stored nowhere has no revision, whatever the message says.
    var shownTodo: Todo {
        var todo = todo
        if id == nil { (todo.revision, todo.micros) = (0, 0) }
        return todo
    }

    /// The id of the ``todo``.
    package var todoID: String { canonical?.todoID ?? todo.id }

    /// The ``todo`` as JSON: the very bytes of the ``message`` where it came in the documented spelling.
    package var todoJSON: [UInt8] {
        canonical.map { Array($0.todoBytes) } ?? Array(CanonicalMessage.encode(todo).utf8)
    }

    /// A change that this process made or decoded itself.
    ///
    /// - Parameters:
    ///   - id: the id of the change; nil for a plain publish.
    ///   - kind: what happened.
    ///   - todo: the todo after the change; for a removal, its last state.
    ///   - visibilityBefore: the visibility before, if it has changed.
    ///   - statusBefore: the status before, if it has changed.
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
    package init(id: ChangeID, _ account: AccountChange) {
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

    /// The change for a viewer who may no longer see the todo: a removal with its id and nothing else.
    ///
    /// Its ``todo`` has no text; its ``message`` is `{"id":"58-…","type":"removed","todo":{"id":"…","uid":"bob"}}`.
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
    /// any other goes through the JSON decoder and is encoded again.
    ///
    /// - Throws: ``MessageRefusal`` when it is not a valid message about this user's todos.
    public init(message: [UInt8], uid: String) throws(MessageRefusal) {
        let message = LineSeparators.escaped(in: message)
        if let canonical = CanonicalMessage(message), canonical.isOf(uid) {
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
