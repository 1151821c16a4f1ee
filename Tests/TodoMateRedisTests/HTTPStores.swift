import EventLoop
import Foundation
import TestServers
import TodoMate
import TodoMateClient
import TodoMateGateway

/// Runs `body` with a gateway of this process without sign-in, so that one client may act as everybody, as the contracts do.
@LoopActor
func withOpenGateway(over stores: Stores, _ body: @LoopActor (URL) async throws -> Void) async throws {
    var configuration = GatewayConfiguration()
    configuration.port = 0
    configuration.writesPerSecond = nil
    let gateway = Gateway(configuration, stores: stores, log: Logger(write: { _ in }))
    let port = try gateway.listen()
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { fatalError("a port makes a URL") }
    do {
        try await body(url)
    } catch {
        await gateway.drain(grace: .seconds(5))
        throw error
    }
    await gateway.drain(grace: .seconds(5))
}

/// Runs `body` with what clients have of a gateway: its stores over HTTP, and beside them those that only servers have.
@LoopActor
func withHTTPStores(
    over repository: InMemoryTodoRepository = InMemoryTodoRepository(),
    _ body: @LoopActor (Stores) async throws -> Void
) async throws {
    let beside = repository.stores
    try await withOpenGateway(over: beside) { url in
        // The channels of a client are those of its viewer's board.
        let clients = ["alice", "bob"].map { TodoClient(server: url, uid: $0, credentials: FixedToken(nil)) }
        defer { for client in clients { client.close() } }
        let todos = TodosOfEach(clients)
        let alice = clients[0].stores
        try await body(
            Stores(
                todos: todos,
                relations: alice.relations,
                shared: alice.shared,
                feeds: alice.feeds,
                accounts: beside.accounts,
                sessions: beside.sessions,
                invitations: beside.invitations,
                resets: beside.resets,
                mails: beside.mails,
                identities: beside.identities,
                operators: beside.operators,
                announcements: beside.announcements,
                factors: beside.factors,
                deletions: beside.deletions,
                archives: beside.archives,
                histories: alice.histories,
                goals: alice.goals,
                searches: alice.searches,
                routines: alice.routines,
                notes: alice.notes
            )
        )
    }
}

/// The todos of a server by the client of each user, and by the first one for anybody else.
@LoopActor
private final class TodosOfEach: TodoRepositoryType {
    private let clients: [TodoClient]

    init(_ clients: [TodoClient]) { self.clients = clients }

    private func of(_ uid: String) -> any TodoRepositoryType {
        (clients.first { $0.uid == uid } ?? clients[0]).stores.todos
    }

    func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        try await of(uid).add(draft, for: uid)
    }

    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        try await of(uid).update(id, of: uid, with: patch, expecting: revision)
    }

    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange
    {
        try await of(uid).remove(id, of: uid, expecting: revision)
    }

    func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
        try await of(uid).record(id, of: uid)
    }

    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        try await of(uid).snapshot(of: uid, in: days)
    }

    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        try await of(uid).list(of: uid, in: days)
    }

    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try await of(uid).latestChangeID(of: uid)
    }

    func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]? {
        try await of(uid).changes(of: uid, since: id, within: bytes)
    }

    func openChannel(of uid: String, _ listener: any TodoChannelListener) { of(uid).openChannel(of: uid, listener) }

    func closeChannel(of uid: String) { of(uid).closeChannel(of: uid) }

    func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> { clients[0].stores.todos.observeTodoChanges() }
}
