public import EventLoop
import Observing

/// The subject of the todos: notifies each user's observers of the changes of that user's todos.
@LoopActor
public protocol TodoRealtimeServiceType: AnyObject, Sendable {
    /// Notifies `observer` of the changes of `uid` from now on; adding it again changes nothing.
    func addObserver(_ observer: some TodoChangeObserver, for uid: String)
    /// Stops notifying `observer` of the changes of `uid`; it is not called again once this returns.
    func removeObserver(_ observer: some TodoChangeObserver, for uid: String)
    /// Returns once every further change of an observed user will be delivered; waits for Redis as long as it takes. Returns
    /// at once for a user without observers.
    func waitUntilFollowing(_ uid: String) async
    /// The todos of an observed user, such that the changes delivered to observers continue from them: ignore those that are
    /// not newer than its `id` (``SnapshotJoin`` does).
    ///
    /// Waits for Redis as long as the user is observed.
    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot
    /// The same as JSON text: much cheaper where the todos themselves are not needed.
    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText
    /// The users who have observers in this process.
    var observedUsers: [String] { get }
    /// The number of a user's observers in this process.
    func observerCount(of uid: String) -> Int
    /// Whether every change of a user that is published from now on will be delivered here.
    func isFollowing(_ uid: String) -> Bool
}

extension TodoRealtimeServiceType {
    /// Reads a snapshot and encodes it.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        TodoListText(try await snapshot(of: uid, in: days))
    }
    /// False: nothing is known.
    public func isFollowing(_ uid: String) -> Bool { false }

    /// Notified of sessions that end; held weakly. Only a ``TodoRealtimeService`` learns of any.
    package var sessionObserver: (any SessionObserver)? {
        get { (self as? TodoRealtimeService)?.sessionObserver }
        set { (self as? TodoRealtimeService)?.sessionObserver = newValue }
    }
}

/// ``TodoRealtimeServiceType`` over a repository's channels and logs.
///
///     let journal = Journal()
///     changes.addObserver(journal, for: "alice")
///     await changes.waitUntilFollowing("alice")
///
/// A user's channel is open while the user has at least one observer in this process: the first opens it, and when the last is
/// removed or deallocated, it is closed. What was missed while the connection was down is replayed from the user's log.
@LoopActor
public final class TodoRealtimeService: TodoRealtimeServiceType {
    private enum Event {
        case change(TodoChange)
        case reset(uid: String)
    }

    private let repository: any TodoRepositoryType
    let monitor: any TodoRealtimeMonitor
    private let subject = Subject<String, Event>()
    private(set) var followed: [String: FollowedUser] = [:]
    /// One for each type of observers.
    private var receivers: [ObjectIdentifier: EventReceiver<Event>] = [:]
    private var sweeper: LoopTimer?
    /// Users still to be checked in this round.
    private var unchecked: [String] = []
    /// Notified of sessions that end, of users whose channels are open.
    package weak var sessionObserver: (any SessionObserver)?

    /// This many users are swept of deallocated observers every second.
    private static let usersSweptPerSecond = 1000
    /// This many users' latest ids are read every second.
    private static let usersCheckedPerSecond = 200

    /// A subject without observers, which notifies of the changes in `repository`.
    public convenience init(_ repository: any TodoRepositoryType) {
        self.init(repository, monitor: NoTodoRealtimeMonitor())
    }

    package init(_ repository: any TodoRepositoryType, monitor: any TodoRealtimeMonitor) {
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
        let notify: @LoopActor (Target, Event) -> Void = { observer, event in
            switch event {
            case .change(let change):
                if change.kind.isOfTodo { observer.receive(change) } else { observer.accountChanged(change) }
            case .reset(let uid): observer.todosReset(for: uid)
            }
        }
        let receiver = EventReceiver<Event>(type, LoopActor.assumingIsolated(notify))
        receivers[ObjectIdentifier(type)] = receiver
        return receiver
    }

    /// The last one of a user closes the user's channel.
    public func removeObserver(_ observer: some TodoChangeObserver, for uid: String) {
        subject.remove(observer, for: uid)
    }

    /// The users who have observers here.
    public var observedUsers: [String] { Array(followed.keys) }

    /// How many observers a user has here.
    public func observerCount(of uid: String) -> Int { subject.observerCount(of: uid) }

    /// Whether the channel is confirmed and the user's latest change is known.
    public func isFollowing(_ uid: String) -> Bool { followed[uid]?.sequence.isFollowing ?? false }

    /// Returns once the channel is confirmed and the user's latest change is known.
    public func waitUntilFollowing(_ uid: String) async {
        await followed[uid]?.waitUntilFollowing()
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
                guard followed[uid] != nil else { throw .unavailable(reason) }
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
    }

    /// The todos as of the read with which following begins; nil when there is no such read, or another caller has it.
    private func first<Value: Sendable>(
        _ uid: String,
        _ id: @escaping @LoopActor (Value) -> ChangeID,
        _ read: @escaping @LoopActor () async throws(TodoError) -> Value?
    ) async throws(TodoError) -> Value? {
        var value: Value?
        let answer = await LoopActor.suspend { (continuation: LoopContinuation<FollowedUser.FirstRead.Answer>) in
            guard let user = followed[uid], !user.sequence.isFollowing, user.firstRead == nil else {
                return continuation.resume(returning: nil)
            }
            user.firstRead = FollowedUser.FirstRead(
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
        let user = FollowedUser(uid, self)
        followed[uid] = user
        if sweeper == nil {
            sweeper = LoopTimer.every(.seconds(1), of: self) { $0.sweep() }
        }
        repository.openChannel(of: uid, user)
    }

    private func close(_ uid: String) {
        repository.closeChannel(of: uid)
        sessionObserver?.sessionsUnheard(of: uid)
        guard let user = followed.removeValue(forKey: uid) else { return }
        user.reads.abandon()
        user.resumeWaiters()
    }

    /// Deallocated observers are found when the user's next change comes; this finds those of users without changes.
    private func sweep() {
        subject.sweep(limit: Self.usersSweptPerSecond)
        check()
        guard followed.isEmpty else { return }
        sweeper?.cancel()
        sweeper = nil
    }

    /// A history that was flushed or cut while nobody writes publishes nothing: only reading the latest id finds it.
    private func check() {
        if unchecked.isEmpty { unchecked = Array(followed.keys) }
        for uid in unchecked.suffix(Self.usersCheckedPerSecond) {
            guard let user = followed[uid], user.sequence.isFollowing else { continue }
            Task {
                do throws(TodoError) {
                    let latest = try await repository.latestChangeID(of: uid)
                    if followed[uid] === user { perform(user.sequence.checked(latest), for: user) }
                } catch {
                    monitor.readFailed(uid, error)
                }
            }
        }
        unchecked.removeLast(min(Self.usersCheckedPerSecond, unchecked.count))
    }

    func perform(_ effect: ChangeSequence<TodoChange>.Effect, for user: FollowedUser) {
        switch effect {
        case .nothing: break
        case .deliver(let change):
            let observers = subject.notify(.change(change), to: user.uid)
            monitor.delivered(change, observers: observers)
        case .refuse: monitor.refused(.unknownChange, for: user.uid)
        case .reset:
            monitor.reset(user.uid)
            subject.notify(.reset(uid: user.uid), to: user.uid)
        case .read(let id): read(since: id, for: user)
        case .ready: user.resumeWaiters()
        case .several(let effects):
            for effect in effects { perform(effect, for: user) }
        }
    }

    private func read(since id: ChangeID?, for user: FollowedUser) {
        let attempt = user.reads.begin()
        Task {
            let effect: ChangeSequence<TodoChange>.Effect
            do throws(TodoError) {
                if let id {
                    let missed = try await repository.changes(of: user.uid, since: id)
                    guard user.reads.isCurrent(attempt) else { return }
                    monitor.caughtUp(user.uid, changes: missed?.count)
                    effect = missed.map { user.sequence.caughtUp($0) } ?? user.sequence.logIsGone()
                } else if let first = user.firstRead {
                    user.firstRead = nil
                    let id = try await todos(of: user.uid, for: first)
                    guard user.reads.isCurrent(attempt) else {
                        if id != nil { first.continuation.resume(returning: nil) }
                        return
                    }
                    guard let id else { return read(since: nil, for: user) }
                    effect = user.sequence.caughtUp(at: id)
                    // Not before: changes after a snapshot that following does not begin with might never be delivered.
                    first.continuation.resume(returning: .success(()))
                } else {
                    let latest = try await repository.latestChangeID(of: user.uid)
                    guard user.reads.isCurrent(attempt) else { return }
                    effect = user.sequence.caughtUp(at: latest)
                }
            } catch {
                monitor.readFailed(user.uid, error)
                user.failures += 1
                await LoopTimer.sleep(for: .reading, afterFailure: user.failures - 1)
                guard user.reads.isCurrent(attempt) else { return }
                // A log that cannot be read from here on may still be followed from its end.
                let isTemporary = if case .unavailable = error { true } else { false }
                effect = id == nil || isTemporary ? user.sequence.readAgain() : user.sequence.logIsGone()
                return perform(effect, for: user)
            }
            user.failures = 0
            perform(effect, for: user)
        }
    }

    /// The todos for a caller who waits for them; nil when they cannot be read, which is then an error for that caller alone.
    private func todos(of uid: String, for first: FollowedUser.FirstRead) async throws(TodoError) -> ChangeID? {
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
}
