public import EventLoop
public import Foundation
public import TodoMate

/// One person's todos on a server, and those that others share with them, over HTTP: what an app is given in place of a repository.
///
///     let client = TodoClient(server: url, uid: "alice", credentials: FixedToken(token))
///     let list = TodoListViewModel(service: client.container.todoRealtimeService, uid: "alice")
///
/// View models, observers and services work with it as they do beside Redis. All that is watched comes by one event stream, which
/// goes on where it was after each interruption. With a file (``init(server:uid:zone:heartbeat:credentials:keepingIn:)``), everything that was seen
/// is there without a network, and what is done meanwhile is sent later.
@LoopActor
public final class TodoClient {
    /// Whose todos these are.
    public let uid: String
    /// The services, for views.
    public let container: DIContainer

    let server: Server
    let board: LiveBoard
    /// Asked without the stream.
    let online: HTTPTodoRepository
    let offline: (todos: OfflineTodos, board: OfflineBoard, storage: OfflineStorage)?
    private var statusObservers: [@LoopActor (ConnectionStatus) -> Void] = []
    /// Resumed with each step towards having nothing to wait for.
    let settled = Waiters()
    private var badgeObservers: [@LoopActor (Badges) -> Void] = []
    var pendingObservers: [@LoopActor ([PendingChange]) -> Void] = []
    var troubleObservers: [@LoopActor (TodoError?) -> Void] = []

    /// What the person's own commands and views need, over HTTP.
    package let stores: PersonalStores
    /// Where the person is.
    private let zone: TimeZone

    /// Whom the person follows, and who follows them.
    public var people: PeopleService { PeopleService(uid: uid, relations: stores.relations) }
    /// What the person has decided, goals and routines among it.
    public var settings: SettingsService {
        SettingsService(uid: uid, relations: stores.relations, goals: stores.goals, routines: stores.routines)
    }
    /// The feed, reactions, and what the person's own days say.
    public var feed: FeedService {
        FeedService(uid: uid, zone: zone, relations: stores.relations, feeds: stores.feeds)
    }
    /// Searching, histories, and notes of days.
    public var past: PastService {
        PastService(uid: uid, searches: stores.searches, histories: stores.histories, notes: stores.notes)
    }

    /// A client that needs the server for everything, and connects when something is watched or asked for.
    ///
    /// - Parameters:
    ///   - url: where the server is, such as `https://todo.example.org`.
    ///   - uid: whose todos; the credentials must be theirs.
    ///   - zone: where they are, which decides what today is.
    ///   - heartbeat: how often the server says that it is there, in whole seconds, 2 to 60. A connection of which nothing comes for two thirds
    ///     longer is made anew: less notices sooner, and keeps a phone's radio busy.
    ///   - credentials: knows by which token requests are sent.
    public convenience init(
        server url: URL,
        uid: String,
        zone: TimeZone = .current,
        heartbeat: Duration = .seconds(10),
        credentials: any CredentialSource
    ) {
        self.init(Server(url, credentials), uid, zone, heartbeat, kept: nil)
    }

    /// A client that goes on without a network, and remembers from one run to the next.
    ///
    /// - Parameters:
    ///   - url: where the server is, such as `https://todo.example.org`.
    ///   - uid: whose todos; the credentials must be theirs.
    ///   - zone: where they are, which decides what today is.
    ///   - heartbeat: how often the server says that it is there, in whole seconds. A connection of which nothing comes for two thirds
    ///     longer is made anew: less notices sooner, and keeps a phone's radio busy.
    ///   - credentials: knows by which token requests are sent.
    ///   - path: a file of this person's on this server; it is made where there is none. One program at a time may use it. Delete it
    ///     when the person signs out.
    /// - Throws: ``/TodoMate/TodoError/unavailable(_:)`` when the file cannot be used,
    ///   ``/TodoMate/TodoError/broken(_:)`` when what waits in it to be sent cannot be read.
    public convenience init(
        server url: URL,
        uid: String,
        zone: TimeZone = .current,
        heartbeat: Duration = .seconds(10),
        credentials: any CredentialSource,
        keepingIn path: String
    ) throws(TodoError) {
        let storage = try OfflineStorage(path, of: "\(uid) at \(url.absoluteString)")
        self.init(Server(url, credentials), uid, zone, heartbeat, kept: (storage, try storage.outbox()))
    }

    private init(
        _ server: Server,
        _ uid: String,
        _ zone: TimeZone,
        _ heartbeat: Duration,
        kept: (storage: OfflineStorage, outbox: Outbox)?
    ) {
        (self.server, self.uid, self.zone) = (server, uid, zone)
        online = HTTPTodoRepository(server)
        board = LiveBoard(
            server,
            viewer: uid,
            zone: zone,
            heartbeat: heartbeat,
            storage: kept?.storage,
            elsewhere: online
        )
        online.board = board
        let todos: any TodoRepositoryType
        if let kept {
            let view = OfflineBoard(uid, board)
            let own = OfflineTodos(of: uid, on: view, kept.storage, kept.outbox, HTTPOutboxDoor(server))
            offline = (own, view, kept.storage)
            let repository = OfflineTodoRepository(own, online: online, board: view)
            todos = repository
            container = DIContainer(todoService: TodoService(repository), todoRealtimeService: view)
        } else {
            offline = nil
            todos = online
            container = DIContainer(todoService: TodoService(online), todoRealtimeService: board)
        }
        server.answers = kept?.storage
        let (relations, searches) = (HTTPRelationStore(server), HTTPSearchStore(server))
        let feeds = HTTPFeedStore(server, relations, searches)
        let (goals, routines, notes) = (HTTPGoalStore(server), HTTPRoutineStore(server), HTTPNoteStore(server, online))
        stores = PersonalStores(
            todos: todos,
            relations: relations,
            shared: HTTPSharedTodos(server),
            feeds: offline.map { OfflineFeedStore($0.todos, online: feeds) } ?? feeds,
            histories: HTTPHistoryStore(server),
            goals: offline.map { _ in OfflineGoalStore(of: uid, online: goals, relations) } ?? goals,
            searches: searches,
            routines: offline.map { OfflineRoutineStore($0.todos, online: routines, relations) } ?? routines,
            notes: offline.map { OfflineNoteStore($0.todos, todos, online: notes) } ?? notes
        )
        board.onStatus = { [weak self] in self?.statusChanged($0) }
        board.onEvent = { [weak self] in self?.settled.resumeAll() }
        board.onBadges = { [weak self] badges in
            for body in self?.badgeObservers ?? [] { body(badges) }
        }
        if let offline {
            offline.todos.onOutbox = { [weak self] in self?.tellPending() }
            offline.todos.onTrouble = { [weak self] trouble in
                for body in self?.troubleObservers ?? [] { body(trouble) }
            }
            // A server that does something can be followed as well.
            offline.todos.onDone = { [weak board] in board?.hurry() }
            relations.shown = { [weak own = offline.todos] settings in
                guard let own, own.uid == settings.uid else { return settings }
                return own.learn(settings)
            }
            // For the next run, which may begin without a network; this one has been told already.
            offline.board.onSettings = { Task { _ = try? await relations.profile(of: uid) } }
            if let known = offline.storage.answer(to: HTTPRelationStore.profile(of: uid).name),
                let settings = try? JSONDecoder().decode(AccountSettings.self, from: known)
            {
                _ = offline.todos.learn(settings)
            }
            offline.board.open(offline.todos)
            offline.todos.resume()
        }
    }

    // MARK: The connection

    /// How the connection stands.
    public var status: ConnectionStatus { board.status }

    /// When the connection is made again by itself, for an app that counts down to it; nil while that is not waited for.
    public var nextAttempt: ContinuousClock.Instant? { board.nextAttempt }

    /// Calls `body` with the status, now and whenever it has changed, as long as the client lives.
    public func observeStatus(_ body: @escaping @LoopActor (ConnectionStatus) -> Void) {
        statusObservers.append(body)
        body(status)
    }

    private func statusChanged(_ status: ConnectionStatus) {
        defer { settled.resumeAll() }
        // The network is back: what waits is sent at once.
        if status == .live {
            offline?.todos.hurry()
            if server.takeHasShownKept() { offline?.todos.readAgain() }
        }
        for body in statusObservers { body(status) }
    }

    /// The numbers at the tabs, as the server told them last while something was watched; nil before.
    public var badges: Badges? { board.badges }

    /// Calls `body` with the numbers at the tabs, now if they are known and whenever one of them has changed, also because a day has
    /// begun where the person is. They come while something is watched.
    public func observeBadges(_ body: @escaping @LoopActor (Badges) -> Void) {
        badgeObservers.append(body)
        if let badges { body(badges) }
    }

    /// What an operator announces to all, as it was told last while something was watched.
    package var announcements: any AnnouncementStoreType { board.announcements }

    /// Calls `body` when something else is announced than before, or nothing any more.
    package func observeAnnouncements(_ body: @escaping @LoopActor () -> Void) { board.announcements.onChange = body }

    /// Asks the credential source for another token: call it when somebody has signed in again.
    public func credentialsChanged() {
        board.credentialsChanged()
        offline?.todos.hurry()
    }

    /// Ends the connection. Views stay as they are and are not notified any more; what waits to be sent is sent by the next client that
    /// has the same file.
    public func close() {
        offline?.todos.close()
        board.close()
        offline?.storage.close()
        server.close()
    }
}
