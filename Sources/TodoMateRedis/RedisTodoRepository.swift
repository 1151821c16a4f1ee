public import EventLoop
public import RedisClient
public import TodoMate

/// Todos in Redis, shared by all processes that use the same one.
///
///     let container = DIContainer(repository: RedisTodoRepository(url))
///
/// Every write is one call of a function that checks, stores, indexes, logs and publishes atomically. Keys, messages and
/// functions are a public contract, which the article "The Redis contract" describes.
@LoopActor
public final class RedisTodoRepository: TodoRepositoryType {
    private let url: RedisURL
    let client: RedisClient
    let functions: TodoFunctions
    /// Relations and settings, over the same connection.
    package let relations: RedisRelationStore
    /// What viewers may see of other users' todos; long lists over a separate connection.
    package let shared: RedisSharedTodos
    /// Feeds, reactions and badges, over the same connection.
    package let feeds: RedisFeedStore
    /// What signing in needs, over the same connection.
    package let accounts: RedisAccountStore
    /// Accounts and sessions, over the same connection.
    package let sessions: RedisSessionStore
    /// Which names look alike, over the same connection.
    package let looks: RedisNameLooks
    /// Invitations, over the same connection.
    package let invitations: RedisInvitationStore
    /// Links for a new password, over the same connection.
    package let resets: RedisPasswordResetStore
    /// The addresses that accounts have mail sent to, over the same connection.
    package let mails: RedisMailStore
    /// Identities at OpenID providers.
    package let identities: RedisIdentityStore
    /// What operators decide about accounts, over the same connection.
    package let operators: RedisOperatorStore
    /// What is announced to all, over the same connection.
    package let announcements: RedisAnnouncementStore
    /// Second factors, over the same connection.
    package let factors: RedisFactorStore
    /// Accounts that are to be deleted, over the same connection.
    package let deletions: RedisDeletionStore
    /// What people take along, over a separate connection.
    package let archives: RedisArchiveStore
    /// What became of todos.
    package let histories: RedisHistoryStore
    /// What todos are for, over the same connection.
    package let goals: RedisGoalStore
    /// Finds todos, over a separate connection.
    package let searches: RedisSearchStore
    /// What people do again and again, over the same connection.
    package let routines: RedisRoutineStore
    /// What people write about days, over the same connection.
    package let notes: RedisNoteStore
    /// Deletes all data of a user, over the same connection.
    package let purge: AccountPurge
    private var channels: [String: TodoChannel] = [:]
    private var streams: TodoChangeStreams?
    private let bulk: BulkConnection
    private let log: ChangeLog
    private let lists: SharedLists

    /// The pub/sub connection; commands alone need none.
    lazy var subscriber = {
        let subscriber = RedisSubscriber(url, sharing: client)
        subscriber.onConnectionChange = { [weak self] in self?.onSubscriberChange?($0) }
        return subscriber
    }()

    /// A repository in the Redis at `url`, which connects at once, and again whenever the connection breaks.
    ///
    /// - Parameters:
    ///   - url: where Redis is.
    ///   - timeout: how long a call may wait for Redis.
    ///   - device: by which is written what names no ``/TodoMate/WritingDevice`` of its own; nil where nobody need know.
    public init(_ url: RedisURL, timeout: Duration = .seconds(5), device: WritingDevice? = nil) {
        self.url = url
        client = RedisClient(url, timeout: timeout)
        functions = TodoFunctions(client, device: device)
        bulk = BulkConnection(url, timeout: timeout, device: device, beside: client)
        log = ChangeLog(bulk)
        lists = SharedLists(functions, bulk, log)
        relations = RedisRelationStore(functions)
        shared = RedisSharedTodos(functions, lists, log)
        feeds = RedisFeedStore(functions, bulk)
        accounts = RedisAccountStore(functions)
        sessions = RedisSessionStore(functions)
        looks = RedisNameLooks(functions)
        invitations = RedisInvitationStore(functions)
        resets = RedisPasswordResetStore(functions)
        mails = RedisMailStore(functions)
        identities = RedisIdentityStore(functions)
        operators = RedisOperatorStore(functions)
        announcements = RedisAnnouncementStore(functions)
        factors = RedisFactorStore(functions)
        purge = AccountPurge(functions, sessions, relations)
        deletions = RedisDeletionStore(functions, relations, purge)
        archives = RedisArchiveStore(bulk, deletions)
        histories = RedisHistoryStore(bulk)
        goals = RedisGoalStore(functions, relations)
        searches = RedisSearchStore(functions, bulk)
        routines = RedisRoutineStore(functions, relations)
        notes = RedisNoteStore(functions)
    }

    /// Returns once Redis answers and has the function library; waits as long as it takes.
    ///
    /// - Throws: ``/TodoMate/TodoError/unavailable(_:)`` when Redis answers but refuses.
    public func prepare() async throws(TodoError) {
        await client.waitUntilConnected()
        do throws(RedisError) {
            try await functions.installation.installEverywhere()
        } catch {
            throw TodoError(error)
        }
    }

    /// Called on the loop when the command connection is established, lost or refused.
    public var onConnectionChange: ((RedisConnectionChange) -> Void)? {
        get { client.onConnectionChange }
        set { client.onConnectionChange = newValue }
    }

    /// Called on the loop when the pub/sub connection, which is made for the first channel, is established, lost or refused.
    package var onSubscriberChange: ((RedisConnectionChange) -> Void)?

    /// Called on the loop, once, with a pattern of channels by which silent nodes of a cluster are found, when an access list forbids them.
    package var onProbesRefused: ((String) -> Void)? {
        get { client.onProbesRefused }
        set { client.onProbesRefused = newValue }
    }

    /// Called on the loop with the time that each command took.
    package var onReply: ((Duration) -> Void)? {
        get { client.onReply }
        set { client.onReply = newValue }
    }

    /// Closes the connections; calls in progress fail.
    public func close() {
        bulk.close()
        subscriber.close()
        client.close()
        channels = [:]
        streams?.finish()
        streams = nil
    }

    /// One `FCALL_RO todomate_get`.
    public func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
        let reply = try await functions.call("todomate_get", uid, [id], readsOnly: true, isRepeatable: true)
        return try TodoJSON.stored(reply, id)
    }

    /// One `FCALL_RO todomate_short` for few todos, parts that are put together for many; all of the same moment.
    public func snapshot(
        of uid: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> TodoSnapshot {
        try await lists.list(of: uid, in: days, for: uid).list.snapshot(for: .own)
    }

    /// One `FCALL_RO todomate_latest` when the list was read of late and nothing has changed since, which costs a thirtieth
    /// of reading 300 todos; as ``snapshot(of:in:)`` otherwise.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        let read = try await lists.list(of: uid, in: days, for: uid)
        await read.list.writeText(for: .own)
        return TodoListText(read, for: .own)
    }

    /// One `FCALL_RO todomate_short`, or `todomate_latest` for a list that was read of late.
    public func shortList(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText?
    {
        try await lists.short(of: uid, in: days).map { TodoListText(ReadList(list: $0, turn: nil), for: .own) }
    }

    /// One `FCALL_RO todomate_latest`.
    ///
    /// If the log is gone while todos exist, a new history begins first: without one, the state has no id.
    public func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        try await functions.latestChangeID(of: uid)
    }

    /// One `FCALL_RO todomate_since`, over a connection of its own.
    public func changes(
        of uid: String,
        since id: ChangeID,
        within bytes: Int?
    ) async throws(TodoError) -> [TodoChange]? {
        try await log.changes(of: uid, since: id, within: bytes)
    }

    /// Subscribes to `todomate:{uid}:changes`.
    public func openChannel(of uid: String, _ listener: any TodoChannelListener) {
        let channel = TodoChannel(uid, listener)
        channels[uid] = channel
        subscriber.subscribe(channel.channel, channel)
    }

    /// Unsubscribes from the user's channel.
    public func closeChannel(of uid: String) {
        guard let channel = channels.removeValue(forKey: uid) else { return }
        subscriber.unsubscribe(channel.channel)
    }

    /// Subscribes to the pattern `todomate:{*}:changes`, once for all readers.
    ///
    /// No pattern matches the shard channels of a cluster. There, the users are looked for by their keys and subscribed to one by
    /// one; somebody's first changes of all come at least up to five seconds late, and later where there are millions of keys. A node
    /// that is away keeps back those of its own users alone, who are told of again once it is back: as after any disconnect, what was
    /// missed meanwhile is a hole in ``/TodoMate/Todo/revision``.
    public func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> {
        let streams = streams ?? makeStreams()
        self.streams = streams
        return streams.open()
    }

    private func makeStreams() -> TodoChangeStreams {
        guard client.isCluster else { return TodoChangeStreams(subscriber, makeChannels: nil) }
        return TodoChangeStreams(subscriber) { [url, client, functions] in
            AllUsersChannels(RedisSubscriber(url, sharing: client), functions, onChange: $0)
        }
    }
}
