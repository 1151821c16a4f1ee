public import EventLoop
import Observing

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

    /// The last change that observers of a user were told here; nil while not every change is delivered.
    public func lastDelivered(of uid: String) -> ChangeID? { followed[uid]?.sequence.last }

    /// One read of the latest id; nothing for a user who is not followed.
    public func lookUpLatest(of uid: String) {
        guard let user = followed[uid], user.sequence.isFollowing else { return }
        Task {
            do throws(TodoError) {
                let latest = try await repository.latestChangeID(of: uid)
                if followed[uid] === user { perform(user.sequence.checked(latest), for: user) }
            } catch {
                monitor.readFailed(uid, error)
            }
        }
    }

    /// Reads again while Redis cannot be reached and the user is still observed.
    public func snapshot(
        of uid: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> TodoSnapshot {
        try await persistently(uid) { [self] () throws(TodoError) in
            if let first = try await firstList(of: uid, in: days)?.list { return first.snapshot(for: .own) }
            await waitUntilFollowing(uid)
            let known = lastDelivered(of: uid)
            let snapshot = try await repository.snapshot(of: uid, in: days)
            try check(snapshot.id, of: uid, isNotBefore: known)
            return snapshot
        }
    }

    /// Reads again while Redis cannot be reached and the user is still observed.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        try await persistently(uid) { [self] () throws(TodoError) in
            if let first = try await firstList(of: uid, in: days) { return first }
            await waitUntilFollowing(uid)
            let known = lastDelivered(of: uid)
            let list = try await repository.list(of: uid, in: days)
            try check(list.id, of: uid, isNotBefore: known)
            return list
        }
    }

    private func persistently<Value: Sendable>(
        _ uid: String,
        _ read: @LoopActor () async throws(TodoError) -> Value
    ) async throws(TodoError) -> Value {
        var failures = 0
        while true {
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

    /// The todos as of the read with which following begins; nil when following has begun, begins with another read, or when
    /// the read would take long.
    private func firstList(
        of uid: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> TodoListText? {
        guard let user = followed[uid], !user.sequence.isFollowing, user.firstReader == nil,
            let attempt = await LoopActor.suspend({ user.firstReader = $0 })
        else { return nil }
        let list: TodoListText?
        do throws(TodoError) {
            list = try await repository.shortList(of: uid, in: days)
        } catch {
            if case .unavailable = error {
                Task { await readAgain(after: error, since: nil, attempt, for: user) }
                return nil
            }
            // What cannot be read is an error for this caller alone.
            if user.reads.isCurrent(attempt) { read(since: nil, for: user) }
            throw error
        }
        // Changes after a list that following does not begin with might never be delivered.
        guard user.reads.isCurrent(attempt) else { return nil }
        if let list {
            user.failures = 0
            perform(user.sequence.caughtUp(at: list.id), for: user)
        } else {
            read(since: nil, for: user)
        }
        return list
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
        for uid in unchecked.suffix(Self.usersCheckedPerSecond) { lookUpLatest(of: uid) }
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
        if id == nil, let first = user.firstReader {
            user.firstReader = nil
            return first.resume(returning: attempt)
        }
        Task {
            let effect: ChangeSequence<TodoChange>.Effect
            do throws(TodoError) {
                if let id {
                    let missed = try await repository.changes(of: user.uid, since: id)
                    guard user.reads.isCurrent(attempt) else { return }
                    monitor.caughtUp(user.uid, changes: missed?.count)
                    effect = missed.map { user.sequence.caughtUp($0) } ?? user.sequence.logIsGone()
                } else {
                    let latest = try await repository.latestChangeID(of: user.uid)
                    guard user.reads.isCurrent(attempt) else { return }
                    effect = user.sequence.caughtUp(at: latest)
                }
            } catch {
                return await readAgain(after: error, since: id, attempt, for: user)
            }
            user.failures = 0
            perform(effect, for: user)
        }
    }

    private func readAgain(
        after error: TodoError,
        since id: ChangeID?,
        _ attempt: Attempts.Attempt,
        for user: FollowedUser
    ) async {
        monitor.readFailed(user.uid, error)
        user.failures += 1
        await LoopTimer.sleep(for: .reading, afterFailure: user.failures - 1)
        guard user.reads.isCurrent(attempt) else { return }
        // A log that cannot be read from here on may still be followed from its end.
        let isTemporary = if case .unavailable = error { true } else { false }
        perform(id == nil || isTemporary ? user.sequence.readAgain() : user.sequence.logIsGone(), for: user)
    }
}
