public import EventLoop
import Observing

/// The subject of the todos: tells each user's observers of each change of that user's todos.
@LoopActor
public protocol TodoRealtimeServiceType: AnyObject, Sendable {
    /// Tells `observer` of the changes of `uid` from now on; adding it again changes nothing.
    func addObserver(_ observer: some TodoChangeObserver, for uid: String)
    /// Tells `observer` nothing more of `uid`; it is heard of no more when this returns.
    func removeObserver(_ observer: some TodoChangeObserver, for uid: String)
    /// Returns once every further change of an observed user will be told; waits for Redis as long as it takes. Returns
    /// at once for a user without observers.
    func waitUntilFollowing(_ uid: String) async
    /// The todos of a user who is being observed, read so that what observers are told later joins on: drop what is not
    /// newer than its `id` (``SnapshotJoin`` does).
    ///
    /// Waits for Redis as long as the user is observed.
    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot
    /// The same as JSON text: much cheaper where nobody looks into the todos.
    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText
    /// The users who have observers here.
    var observedUsers: [String] { get }
    /// How many observers a user has here.
    func observerCount(of uid: String) -> Int
    /// Whether everything that is published about a user from now on will be heard here, as long as nothing else is said.
    func isFollowing(_ uid: String) -> Bool
    /// Hears of the sessions of users whose channels are open here; held weakly.
    var sessionObserver: (any SessionObserver)? { get set }
}

extension TodoRealtimeServiceType {
    /// Reads a snapshot and writes it out.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        TodoListText(try await snapshot(of: uid, in: days))
    }
    /// False: nothing is known.
    public func isFollowing(_ uid: String) -> Bool { false }
    /// None: nothing is heard.
    public var sessionObserver: (any SessionObserver)? {
        get { nil }
        set {}
    }
}

/// ``TodoRealtimeServiceType`` over a repository's channels and logs.
///
/// A user's channel is open while at least one observer of that user lives here: the first one in opens it, the last one
/// out closes it, by removal or by having died. `ChangeSequence` decides what of the channel is told; what was missed is
/// read from the user's log.
@LoopActor
public final class TodoRealtimeService: TodoRealtimeServiceType, TodoChannelListener {
    private enum Event {
        case change(TodoChange)
        case reset(uid: String)
    }

    private final class Feed {
        // A value that calls nobody: no check for overlapping accesses, which took 105 instructions a change.
        @exclusivity(unchecked) var sequence = ChangeSequence<TodoChange> { $0.id }
        var waiters: [LoopContinuation<Void>] = []
        /// The channel was lost since it was opened.
        var wasLost = false
        /// Answered by the read with which following begins.
        var firstRead: FirstRead?
        var reads = 0
        /// Reads that failed since the last that did not.
        var failures = 0
    }

    /// Somebody who wants the todos of a user who is not followed yet. The read of the latest id, with which following begins,
    /// is then one of the todos, which tells both: one question to Redis a stream instead of two.
    private struct FirstRead {
        typealias Answer = Result<Void, TodoError>?

        /// Reads the todos, keeps them for whoever waits, and answers the change that they are as of; nil when that would take long.
        let read: @LoopActor () async throws(TodoError) -> ChangeID?
        /// Resumed with nil when the todos were not read.
        let continuation: LoopContinuation<Answer>
    }

    private let repository: any TodoRepositoryType
    private let monitor: any TodoRealtimeMonitor
    private let subject = Subject<String, Event>()
    private var feeds: [String: Feed] = [:]
    /// One for each type of observers.
    private var receivers: [ObjectIdentifier: EventReceiver<Event>] = [:]
    private var sweeper: LoopTimer?
    /// Users still to be checked in this round.
    private var unchecked: [String] = []
    /// Hears of users' sessions.
    public weak var sessionObserver: (any SessionObserver)?

    /// Dead observers of this many users are looked for every second.
    private static let usersSweptPerSecond = 1000
    /// So many users' latest ids are looked up every second.
    private static let usersCheckedPerSecond = 200

    /// A subject without observers.
    ///
    /// - Parameters:
    ///   - repository: whose changes are told.
    ///   - monitor: hears of what is dropped, repaired and reset.
    public init(_ repository: any TodoRepositoryType, monitor: any TodoRealtimeMonitor = NoTodoRealtimeMonitor()) {
        self.repository = repository
        self.monitor = monitor
        subject.onFirstObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.open(uid) } }
        subject.onLastObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.close(uid) } }
    }

    /// Holds the observer weakly; the first one of a user opens the user's channel.
    public func addObserver<Target: TodoChangeObserver>(_ observer: Target, for uid: String) {
        subject.add(observer, for: uid, by: receiver(of: Target.self))
    }

    private func receiver<Target: TodoChangeObserver>(of type: Target.Type) -> EventReceiver<Event> {
        if let known = receivers[ObjectIdentifier(type)] { return known }
        let tell: @LoopActor (Target, Event) -> Void = { observer, event in
            switch event {
            case .change(let change):
                if change.kind.isOfTodo { observer.receive(change) } else { observer.accountChanged(change) }
            case .reset(let uid): observer.todosReset(for: uid)
            }
        }
        let receiver = EventReceiver<Event>(type, LoopActor.assumingIsolated(tell))
        receivers[ObjectIdentifier(type)] = receiver
        return receiver
    }

    /// The last one of a user closes the user's channel.
    public func removeObserver(_ observer: some TodoChangeObserver, for uid: String) {
        subject.remove(observer, for: uid)
    }

    /// The users who have observers here.
    public var observedUsers: [String] { Array(feeds.keys) }

    /// How many observers a user has here.
    public func observerCount(of uid: String) -> Int { subject.observerCount(of: uid) }

    /// Whether the channel is confirmed and the user's latest change is known.
    public func isFollowing(_ uid: String) -> Bool { feeds[uid]?.sequence.isFollowing ?? false }

    /// Returns once the channel is confirmed and the user's latest change is known.
    public func waitUntilFollowing(_ uid: String) async {
        guard let feed = feeds[uid], !feed.sequence.isFollowing else { return }
        await LoopActor.suspend { feed.waiters.append($0) }
    }

    /// Reads again while Redis cannot be reached and the user is still observed.
    public func snapshot(
        of uid: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> TodoSnapshot {
        let short = { @LoopActor @Sendable [repository] () async throws(TodoError) -> TodoSnapshot? in
            try await repository.shortList(of: uid, in: days)?.list?.snapshot(for: .own)
        }
        return try await persistently(uid, { $0.id }, short: short) { [repository] () throws(TodoError) in
            try await repository.snapshot(of: uid, in: days)
        }
    }

    /// Reads again while Redis cannot be reached and the user is still observed.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        let short = { @LoopActor @Sendable [repository] () async throws(TodoError) -> TodoListText? in
            try await repository.shortList(of: uid, in: days)
        }
        return try await persistently(uid, { $0.id }, short: short) { [repository] () throws(TodoError) in
            try await repository.list(of: uid, in: days)
        }
    }

    private func persistently<Value: Sendable>(
        _ uid: String,
        _ id: @escaping @LoopActor (Value) -> ChangeID,
        short: @escaping @LoopActor () async throws(TodoError) -> Value?,
        _ read: @escaping @LoopActor () async throws(TodoError) -> Value
    ) async throws(TodoError) -> Value {
        var failures = 0
        while true {
            if let first = try await first(uid, id, short) { return first }
            await waitUntilFollowing(uid)
            do throws(TodoError) {
                let value = try await read()
                monitor.snapshotRead(uid)
                return value
            } catch .unavailable(let reason) {
                guard feeds[uid] != nil else { throw .unavailable(reason) }
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
    }

    /// The todos as the read with which following begins finds them; nil when there is no such read, or it is not for this.
    private func first<Value: Sendable>(
        _ uid: String,
        _ id: @escaping @LoopActor (Value) -> ChangeID,
        _ read: @escaping @LoopActor () async throws(TodoError) -> Value?
    ) async throws(TodoError) -> Value? {
        var value: Value?
        let answer = await LoopActor.suspend { (continuation: LoopContinuation<FirstRead.Answer>) in
            guard let feed = feeds[uid], !feed.sequence.isFollowing, feed.firstRead == nil else {
                return continuation.resume(returning: nil)
            }
            feed.firstRead = FirstRead(
                read: { () throws(TodoError) in
                    value = try await read()
                    return value.map(id)
                },
                continuation: continuation
            )
        }
        guard let answer else { return nil }
        try answer.get()
        return value
    }

    private func open(_ uid: String) {
        feeds[uid] = Feed()
        if sweeper == nil {
            sweeper = LoopTimer.every(.seconds(1), of: self) { $0.sweep() }
        }
        repository.openChannel(of: uid, self)
    }

    private func close(_ uid: String) {
        repository.closeChannel(of: uid)
        sessionObserver?.sessionsUnheard(of: uid)
        guard let feed = feeds.removeValue(forKey: uid) else { return }
        // A read under way has the feed still: it must find nobody to tell, nor anybody to wake a second time.
        feed.reads += 1
        let waiters = feed.waiters
        feed.waiters = []
        for waiter in waiters { waiter.resume() }
        feed.firstRead?.continuation.resume(returning: nil)
        feed.firstRead = nil
    }

    /// An observer that died is noticed when its user's next change comes; this finds those whose users are quiet.
    private func sweep() {
        subject.sweep(limit: Self.usersSweptPerSecond)
        check()
        guard feeds.isEmpty else { return }
        sweeper?.cancel()
        sweeper = nil
    }

    /// A history that was flushed or cut while nobody writes announces itself by nothing: it is looked for.
    private func check() {
        if unchecked.isEmpty { unchecked = Array(feeds.keys) }
        for uid in unchecked.suffix(Self.usersCheckedPerSecond) {
            guard let feed = feeds[uid], feed.sequence.isFollowing else { continue }
            Task {
                do throws(TodoError) {
                    let latest = try await repository.latestChangeID(of: uid)
                    if feeds[uid] === feed { perform(feed.sequence.checked(latest), for: uid, feed) }
                } catch {
                    monitor.readFailed(uid, error)
                }
            }
        }
        unchecked.removeLast(min(Self.usersCheckedPerSecond, unchecked.count))
    }

    private func perform(_ effect: ChangeSequence<TodoChange>.Effect, for uid: String, _ feed: Feed) {
        switch effect {
        case .nothing: break
        case .deliver(let change):
            let observers = subject.notify(.change(change), to: uid)
            monitor.delivered(change, observers: observers)
        case .refuse: monitor.refused(.unknownChange, for: uid)
        case .reset:
            monitor.reset(uid)
            subject.notify(.reset(uid: uid), to: uid)
        case .read(let id): read(since: id, for: uid, feed)
        case .ready:
            let waiters = feed.waiters
            feed.waiters = []
            for waiter in waiters { waiter.resume() }
            feed.firstRead?.continuation.resume(returning: nil)
            feed.firstRead = nil
        case .several(let effects):
            for effect in effects { perform(effect, for: uid, feed) }
        }
    }

    private func read(since id: ChangeID?, for uid: String, _ feed: Feed) {
        feed.reads += 1
        let number = feed.reads
        Task {
            let effect: ChangeSequence<TodoChange>.Effect
            do throws(TodoError) {
                if let id {
                    let missed = try await repository.changes(of: uid, since: id)
                    guard number == feed.reads, feeds[uid] === feed else { return }
                    monitor.caughtUp(uid, changes: missed?.count)
                    effect = missed.map { feed.sequence.caughtUp($0) } ?? feed.sequence.logIsGone()
                } else if let first = feed.firstRead {
                    feed.firstRead = nil
                    let id = try await todos(of: uid, for: first)
                    guard number == feed.reads, feeds[uid] === feed else {
                        if id != nil { first.continuation.resume(returning: nil) }
                        return
                    }
                    guard let id else { return read(since: nil, for: uid, feed) }
                    effect = feed.sequence.caughtUp(at: id)
                    // Not before: changes after a snapshot that following does not begin with might never be told.
                    first.continuation.resume(returning: .success(()))
                } else {
                    let latest = try await repository.latestChangeID(of: uid)
                    guard number == feed.reads, feeds[uid] === feed else { return }
                    effect = feed.sequence.caughtUp(at: latest)
                }
            } catch {
                monitor.readFailed(uid, error)
                feed.failures += 1
                await LoopTimer.sleep(for: .reading, afterFailure: feed.failures - 1)
                // A read that was started since, after a reconnect, takes the place of this one.
                guard number == feed.reads, feeds[uid] === feed else { return }
                // A log that cannot be read from here on may still be followed from its end.
                let isPassing = if case .unavailable = error { true } else { false }
                effect = id == nil || isPassing ? feed.sequence.readAgain() : feed.sequence.logIsGone()
                return perform(effect, for: uid, feed)
            }
            feed.failures = 0
            perform(effect, for: uid, feed)
        }
    }

    /// The todos that somebody waits for; nil when they cannot be read, which is then the reader's trouble alone.
    private func todos(of uid: String, for first: FirstRead) async throws(TodoError) -> ChangeID? {
        do throws(TodoError) {
            guard let id = try await first.read() else {
                first.continuation.resume(returning: nil)
                return nil
            }
            monitor.snapshotRead(uid)
            return id
        } catch .unavailable(let reason) {
            first.continuation.resume(returning: nil)
            throw .unavailable(reason)
        } catch {
            first.continuation.resume(returning: .failure(error))
            return nil
        }
    }

    // MARK: TodoChannelListener

    /// Starts to follow, or catches up.
    public func channelOpened(of uid: String) {
        guard let feed = feeds[uid] else { return }
        // Asked before the log is: nothing that was missed is told to a session that has ended meanwhile.
        if feed.wasLost { sessionObserver?.sessionsMissed(of: uid) }
        feed.wasLost = false
        perform(feed.sequence.opened(), for: uid, feed)
    }

    /// Puts the change in its place.
    public func channel(of uid: String, published change: TodoChange) {
        guard let feed = feeds[uid] else { return }
        perform(feed.sequence.received(change), for: uid, feed)
    }

    /// Passes on that sessions have ended.
    public func channel(of uid: String, sessions news: SessionNews) { sessionObserver?.sessionsChanged(of: uid, news) }

    /// Counts what was dropped.
    public func channel(of uid: String, refused refusal: MessageRefusal) { monitor.refused(refusal, for: uid) }

    /// Waits for the channel to open again.
    public func channelLost(of uid: String) {
        guard let feed = feeds[uid] else { return }
        feed.reads += 1
        feed.wasLost = true
        feed.sequence.lost()
        sessionObserver?.sessionsUnheard(of: uid)
    }
}
