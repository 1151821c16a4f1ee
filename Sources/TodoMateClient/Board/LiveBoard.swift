import EventLoop
import Foundation
import Observing
import TodoMate

/// Notifies observers of all users' todos as far as the viewer may see them, by one event stream.
///
/// What is watched is kept here as the server shows it (``MirroredShare``), and goes on from its cursor after each interruption, so
/// that views stay what they are meanwhile. Observers of a user are notified of a reset when a snapshot takes the place of what was
/// known, and when nothing may be seen any more.
@LoopActor
final class LiveBoard: TodoRealtimeServiceType {
    private enum Event {
        case change(TodoChange)
        case reset(uid: String)
    }

    /// The most users of one board.
    static let mostUsers = 100

    let viewer: String
    private let connection: BoardConnection
    private let storage: (any BoardStorage)?
    private let elsewhere: any TodoRepositoryType
    private let subject = Subject<String, Event>()
    /// Of those who are watched, and of those who were and may still be named by the cursor.
    private var shares: [String: MirroredShare]
    /// In the order in which they came.
    private var watched: [String] = []
    /// For whom there is no room, in the order in which they came.
    private var left: [String] = []
    private var isUpdating = false
    private var isClosed = false
    private let begun = Waiters()
    private var sweeper: LoopTimer?
    private var streams: [AsyncStream<DatabaseChange<TodoDTO>>.Continuation] = []

    /// The numbers at the viewer's tabs, as they were told last.
    private(set) var badges: Badges?
    /// Called when the numbers have changed.
    var onBadges: (Badges) -> Void = { _ in }
    /// Called when the connection's status has changed.
    var onStatus: (ConnectionStatus) -> Void = { _ in }
    /// Called when the server has said something, after it was applied.
    var onEvent: () -> Void = {}
    /// What is announced to all.
    let announcements = ToldAnnouncements()
    private var isToldAnew = false
    private lazy var listing = ListedBase { [weak self] in await self?.readList() }

    /// - Parameters:
    ///   - server: where the board is.
    ///   - viewer: whose board it is.
    ///   - zone: where the viewer is, for the badges; nil for no badges.
    ///   - heartbeat: how often the server says that it is there.
    ///   - storage: keeps what is known from one run to the next; nil for nothing.
    ///   - elsewhere: reads the todos of those who are not watched.
    init(
        _ server: Server,
        viewer: String,
        zone: TimeZone?,
        heartbeat: Duration = .seconds(10),
        storage: (any BoardStorage)? = nil,
        elsewhere: any TodoRepositoryType
    ) {
        let known = storage?.board ?? StoredBoard()
        (self.viewer, self.storage, self.elsewhere) = (viewer, storage, elsewhere)
        shares = known.shares
        connection = BoardConnection(server, viewer: viewer, zone: zone, heartbeat: heartbeat, after: known.cursor)
        subject.onFirstObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.watch(uid) } }
        subject.onLastObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.unwatch(uid) } }
        connection.onEvent = { [weak self] in self?.take($0) }
        connection.onStatus = { [weak self] in self?.noted($0) }
    }

    /// How the connection stands.
    var status: ConnectionStatus { connection.status }

    /// When the server is asked again; nil while that is not waited for.
    var nextAttempt: ContinuousClock.Instant? { connection.nextAttempt }

    private func noted(_ status: ConnectionStatus) {
        // A stream that opens says first what is announced, and nothing where nothing is.
        if status == .connecting { isToldAnew = false }
        if status == .live, !isToldAnew { announcements.take(nil) }
        if storage != nil { listing.noted(status, isNeeded: shares[viewer] == nil, mayAsk: connection.mayAsk) }
        onStatus(status)
    }

    /// What the server shows of a user; nil while that is not known.
    func share(of uid: String) -> MirroredShare? { shares[uid] }

    func hurry() { connection.hurry() }
    /// As ``hurry()``; what an open stream has said does not count.
    func renew() { connection.renew() }
    func credentialsChanged() { connection.credentialsChanged() }

    func close() {
        isClosed = true
        connection.close()
        sweeper?.cancel()
        sweeper = nil
        for stream in streams { stream.finish() }
        streams = []
        begun.resumeAll()
    }

    /// Notifies a stream of all changes of todos that observers are notified of.
    func stream(to stream: AsyncStream<DatabaseChange<TodoDTO>>.Continuation) {
        streams.append(stream)
        addObserver(self, for: viewer)
    }

    // MARK: TodoRealtimeServiceType

    func addObserver(_ observer: some TodoChangeObserver, for uid: String) {
        subject.add(observer, for: uid) { observer, event in
            LoopActor.assumeIsolated {
                switch event {
                case .change(let change):
                    if change.kind.isOfTodo { observer.receive(change) } else { observer.accountChanged(change) }
                case .reset(let uid): observer.todosReset(for: uid)
                }
            }
        }
    }

    func removeObserver(_ observer: some TodoChangeObserver, for uid: String) { subject.remove(observer, for: uid) }

    /// Returns also while the connection is away, once the user's todos are known: the cursor misses nothing.
    func waitUntilFollowing(_ uid: String) async {
        await begun.wait { isClosed || shares[uid] != nil || !watched.contains(uid) }
    }

    func isFollowing(_ uid: String) -> Bool { watched.contains(uid) && shares[uid].map { $0.access != .none } ?? false }

    func lastDelivered(of uid: String) -> ChangeID? { isFollowing(uid) ? shares[uid]?.id : nil }

    /// - Throws: ``TodoError/notFound(_:)`` while the viewer may see nothing of this user, ``TodoError/full(_:)`` while there is no room for
    ///   the user on this board.
    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        try TodoBounds.uid(uid)
        await waitUntilFollowing(uid)
        guard !left.contains(uid) else {
            throw .full("\(Self.mostUsers) people are shown at once, and \(uid) is one more: show fewer others")
        }
        guard watched.contains(uid) else { return try await elsewhere.snapshot(of: uid, in: days) }
        guard let share = shares[uid] else { throw .unavailable("the board of \(viewer) was closed") }
        guard share.access != .none else { throw .notFound("\(uid) shares nothing with \(viewer) right now") }
        return share.snapshot(in: days)
    }

    var observedUsers: [String] { watched }

    func observerCount(of uid: String) -> Int { subject.observerCount(of: uid) }

    // MARK: Who is watched

    private func watch(_ uid: String) {
        guard (try? TodoBounds.uid(uid)) != nil else { return }
        guard watched.count < Self.mostUsers else { return left.append(uid) }
        watched.append(uid)
        sweeper = sweeper ?? LoopTimer.every(.seconds(1), of: self) { $0.subject.sweep(limit: 1000) }
        update()
    }

    private func unwatch(_ uid: String) {
        watched.removeAll { $0 == uid }
        left.removeAll { $0 == uid }
        // Whoever shows the next one has been refused, and asks again.
        if !left.isEmpty, watched.count < Self.mostUsers { watched.append(left.removeFirst()) }
        begun.resumeAll()
        update()
    }

    /// Views come and go several at a time: one stream for all that is watched when they are done.
    private func update() {
        guard !isUpdating else { return }
        isUpdating = true
        Task {
            isUpdating = false
            if !isClosed { connection.watch(watched) }
        }
    }

    // MARK: What the server says

    private func take(_ event: StreamEvent) -> String? {
        defer { onEvent() }
        do throws(TodoError) {
            return try take(BoardEvent.read(event, viewer: viewer), event.id)
        } catch {
            return error.description
        }
    }

    private func take(_ event: BoardEvent, _ cursor: String?) throws(TodoError) -> String? {
        switch event {
        case .snapshot(let uid, let access, let snapshot):
            try begin(uid, MirroredShare(access, snapshot), cursor)
        case .closed(let uid): try begin(uid, .closed, cursor)
        case .change(let change): return try take(change, cursor)
        case .hidden(let uid, let todo, let id): return try hide(todo, of: uid, id, cursor)
        case .badges(let badges):
            self.badges = badges
            onBadges(badges)
        case .announcement(let announcement):
            isToldAnew = true
            announcements.take(announcement)
        case .other: if let cursor { try storage?.reached(cursor) }
        }
        return nil
    }

    private func begin(_ uid: String, _ share: MirroredShare, _ cursor: String?) throws(TodoError) {
        try storage?.begin(uid, share, cursor)
        let isFirst = shares.updateValue(share, forKey: uid) == nil
        // Nobody else is named by the cursor from now on: what was known of them cannot be gone on from.
        for gone in shares.keys where cursor != nil && !connection.users.contains(gone) { try forget(gone) }
        if !isFirst { subject.notify(.reset(uid: uid), to: uid) }
        begun.resumeAll()
    }

    /// Reads the viewer's own todos for once without the stream, which takes their place when it comes.
    private func readList() async {
        guard let list = try? await elsewhere.snapshot(of: viewer, in: nil), !isClosed, shares[viewer] == nil else {
            return
        }
        // Without a cursor the stream begins with a snapshot.
        try? begin(viewer, MirroredShare(.own, list), nil)
    }

    private func forget(_ uid: String) throws(TodoError) {
        shares[uid] = nil
        try storage?.forget(uid)
    }

    private func take(_ change: TodoChange, _ cursor: String?) throws(TodoError) -> String? {
        // Of what is shown to a viewer who watches others alone, the account is no part.
        guard var share = shares[change.uid] else {
            return change.kind.isOfTodo ? "a change came of \(change.uid), of whom nothing is known" : nil
        }
        // A change of the account has no todo.
        let state = change.kind.isOfTodo && change.kind != .removed ? change.todo : nil
        let verdict = change.kind.isOfTodo ? share.take(change.id, change.todo.id, state) : share.pass(change.id)
        switch verdict {
        case .doubtful(let reason): return reason
        case .seen: return nil
        case .applied:
            try storage?.apply(change.uid, change.kind.isOfTodo ? change.todo.id : nil, state, share.id, cursor)
            shares[change.uid] = share
            notify(change)
            return nil
        }
    }

    private func hide(_ todo: String, of uid: String, _ id: ChangeID, _ cursor: String?) throws(TodoError) -> String? {
        guard var share = shares[uid] else { return "a change came of \(uid), of whom nothing is known" }
        let before = share.todos[todo]
        switch share.take(id, todo, nil) {
        case .doubtful(let reason): return reason
        case .seen: return nil
        case .applied:
            try storage?.apply(uid, todo, nil, share.id, cursor)
            shares[uid] = share
            if let before { notify(TodoChange(id: id, kind: .removed, todo: before)) }
            return nil
        }
    }

    private func notify(_ change: TodoChange) {
        subject.notify(.change(change), to: change.uid)
    }
}

extension LiveBoard: TodoChangeObserver {
    func receive(_ change: TodoChange) {
        guard let change = change.databaseChange else { return }
        streams.removeAll { stream in
            if case .terminated = stream.yield(change) { true } else { false }
        }
    }
}
