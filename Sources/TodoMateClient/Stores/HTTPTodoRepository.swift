import EventLoop
import Foundation
import TodoMate

/// Todos of a server, over HTTP, under the same contract as the other repositories.
///
/// A user's log is read by the event stream of that user, which is where a server shows it. Channels are those of the board, and
/// only for users whom the viewer is allowed to see.
@LoopActor
final class HTTPTodoRepository: TodoRepositoryType {
    /// A write is asked to be answered with its change.
    static let change = ["Accept": "application/vnd.todomate.change+json"]

    private let server: Server
    private var channels: [String: BoardChannel] = [:]
    /// Notifies of what changes on the server; nothing is followed without.
    weak var board: LiveBoard?

    init(_ server: Server) { self.server = server }

    static func path(_ uid: String, _ rest: String...) throws(TodoError) -> [String] {
        ["users", try TodoBounds.uid(uid)] + rest
    }

    // MARK: Writing

    /// The id is made here, so that an add can be repeated; one that may be said again in other ways is the same request each time.
    func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        var draft = draft
        if RepeatableWrite.current == nil { draft.id = draft.id ?? RandomID.next() }
        if let id = draft.id { try TodoBounds.id(id) }
        if let position = draft.position { try TodoBounds.position(position) }
        let path = try Self.path(uid, "todos")
        return try await write(ServerRequest(.post, path, fields: Self.change, body: draft.json), of: uid)
    }

    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        try TodoBounds.id(id)
        if let position = patch.position { try TodoBounds.position(position) }
        let tag = try await tag(revision, id, of: uid)
        // A server takes no patch of nothing.
        guard patch != TodoPatch() else {
            let stored = try await record(id, of: uid)
            if let revision, !revision.matches(stored.todo) { throw Self.conflict(stored.todo) }
            return .unchanged(stored)
        }
        let fields = Self.change.merging(tag) { $1 }
        return try await write(
            ServerRequest(.patch, try Self.path(uid, "todos", id), fields: fields, body: patch.json),
            of: uid
        )
    }

    func remove(
        _ id: String,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoChange {
        try TodoBounds.id(id)
        let fields = Self.change.merging(try await tag(revision, id, of: uid)) { $1 }
        let request = ServerRequest(.delete, try Self.path(uid, "todos", id), fields: fields)
        guard let change = try await write(request, of: uid).change else {
            throw .broken("the server says of a removal that nothing has changed")
        }
        return change
    }

    func write(_ request: ServerRequest, of uid: String) async throws(TodoError) -> TodoWrite {
        try WrittenChange.read(try await server.ask(request), of: uid)
    }

    /// The `If-Match` of a revision. A tag names one write; of a revision in any history only the todo itself tells which.
    func tag(_ revision: ExpectedRevision?, _ id: String, of uid: String) async throws(TodoError) -> [String:
        String]
    {
        guard let revision else { return [:] }
        guard revision.micros == nil, revision.number > 0 else { return ["If-Match": "\"\(revision)\""] }
        let todo = try await record(id, of: uid).todo
        guard revision.matches(todo) else { throw Self.conflict(todo) }
        return ["If-Match": "\"\(todo.micros > 0 ? todo.written.description : String(todo.revision))\""]
    }

    private static func conflict(_ current: Todo) -> TodoError {
        .conflict("the todo is now at revision \(current.revision): read it again and retry", current: current)
    }

    // MARK: Reading

    func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
        try TodoBounds.id(id)
        let answer = try await server.ask(ServerRequest(.get, try Self.path(uid, "todos", id)))
        return try TodoRecord(json: Array(answer.body))
    }

    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        try await todoList(of: uid, in: days).snapshot(for: .own)
    }

    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        let list = try await todoList(of: uid, in: days)
        return TodoListText(id: list.id, json: list.text(for: .own), of: list)
    }

    private func todoList(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoList {
        let query = [("from", days?.lowerBound.description), ("to", days?.upperBound.description)]
        let answer = try await server.ask(ServerRequest(.get, try Self.path(uid, "todos"), query: query))
        return try TodoList(Array(answer.body), in: days)
    }

    /// By a list of a day on which there is hardly anything.
    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try await todoList(of: uid, in: CalendarDate.earliest...CalendarDate.earliest).id
    }

    func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]? {
        let latest = try await latestChangeID(of: uid)
        if latest == id { return [] }
        // Who has seen nothing may have seen the nothing of another history.
        guard id != .zero, latest.version > id.version else { return nil }
        let reading = LogReading(uid, after: id, through: latest, within: bytes)
        return try await reading.changes(from: server)
    }

    // MARK: Following

    func openChannel(of uid: String, _ listener: any TodoChannelListener) {
        channels[uid]?.close()
        guard let board else { return }
        let channel = BoardChannel(uid, board, listener)
        channels[uid] = channel
        channel.open()
    }

    func closeChannel(of uid: String) { channels.removeValue(forKey: uid)?.close() }

    /// Of all users who are followed here at the moment.
    func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DatabaseChange<TodoDTO>.self,
            bufferingPolicy: .bufferingNewest(1024)
        )
        board?.stream(to: continuation)
        return stream
    }
}

/// A server's answer to a write, which is its message where something has changed.
@LoopActor
enum WrittenChange {
    private struct Unchanged: Decodable { var todo: TodoDTO }

    /// - Parameter uid: whose todo was written.
    static func read(_ answer: ServerAnswer, of uid: String) throws(TodoError) -> TodoWrite {
        if let change = try? TodoChange(message: Array(answer.body), uid: uid), change.id != nil {
            return .changed(change)
        }
        do throws(ServerFailure) {
            return .unchanged(TodoRecord(try answer.read(Unchanged.self).todo.toModel()))
        } catch {
            throw error.todoError
        }
    }
}
