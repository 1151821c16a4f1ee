import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateClient

/// The todos of devices that keep what is done in files, and send it to a gateway: each write is waited for until the server has it, so that
/// the device then shows what any repository would.
///
/// What the contract says of channels does not hold here, as a device shows a write before it has an id and once more when it has one; nor
/// what it says of ids of snapshots, which count what was shown; nor of a full month, which is told later, among what was refused.
@LoopActor
final class SettledOffline: TodoRepositoryType {
    private let url: URL
    private let folder: URL
    private var clients: [String: TodoClient] = [:]

    private init(_ url: URL, in folder: URL) { (self.url, self.folder) = (url, folder) }

    /// Runs `body` with the devices of a gateway.
    static func with(
        over stores: Stores,
        _ body: @LoopActor (SettledOffline) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withOpenGateway(over: stores) { url in
            let devices = SettledOffline(url, in: folder)
            defer { for client in devices.clients.values { client.close() } }
            try await body(devices)
        }
    }

    /// The device of a user; that of another one for what is no user.
    private func of(_ uid: String) throws(TodoError) -> TodoClient {
        let uid = (try? TodoBounds.uid(uid)) == nil ? "alice" : uid
        if let client = clients[uid] { return client }
        let path = folder.appending(path: "\(clients.count).sqlite").path
        let client = try TodoClient(server: url, uid: uid, credentials: FixedToken(nil), keepingIn: path)
        clients[uid] = client
        return client
    }

    /// A change as the server has it, once it does.
    private func settled(_ change: TodoChange, _ client: TodoClient) async throws(TodoError) -> TodoChange {
        try? await eventually("the server has it") { client.pendingChanges.isEmpty }
        guard change.kind != .removed else {
            let id = try await client.stores.todos.latestChangeID(of: client.uid)
            return TodoChange(id: id, kind: .removed, todo: change.todo)
        }
        guard let todo = client.kept(change.todo.id) else { throw .broken("what was written is not shown") }
        return TodoChange(
            id: ChangeID(version: todo.revision, microseconds: todo.micros),
            kind: change.kind,
            todo: todo
        )
    }

    private func settled(_ write: TodoWrite, _ client: TodoClient) async throws(TodoError) -> TodoWrite {
        guard let change = write.change else { return write }
        return .changed(try await settled(change, client))
    }

    func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        let client = try of(uid)
        return try await settled(try await client.stores.todos.add(draft, for: uid), client)
    }

    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        let client = try of(uid)
        let write = try await client.stores.todos.update(id, of: uid, with: patch, expecting: revision)
        return try await settled(write, client)
    }

    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange
    {
        let client = try of(uid)
        return try await settled(try await client.stores.todos.remove(id, of: uid, expecting: revision), client)
    }

    func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
        try await of(uid).stores.todos.record(id, of: uid)
    }

    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        try await of(uid).stores.todos.snapshot(of: uid, in: days)
    }

    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        try await of(uid).stores.todos.list(of: uid, in: days)
    }

    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try await of(uid).stores.todos.latestChangeID(of: uid)
    }

    func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]? {
        try await of(uid).stores.todos.changes(of: uid, since: id, within: bytes)
    }

    func openChannel(of uid: String, _ listener: any TodoChannelListener) {
        (try? of(uid))?.stores.todos.openChannel(of: uid, listener)
    }

    func closeChannel(of uid: String) { (try? of(uid))?.stores.todos.closeChannel(of: uid) }

    func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> {
        (try? of("alice"))?.stores.todos.observeTodoChanges() ?? AsyncStream { $0.finish() }
    }
}
