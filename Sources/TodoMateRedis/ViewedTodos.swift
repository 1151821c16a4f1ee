public import EventLoop
import Observing
public import TodoMate

/// Tells one viewer's observers of everybody's todos, as far as the viewer may see them.
///
/// A ``/TodoMate/TodoRealtimeServiceType`` over another one, for view models and observers of this process: what is hidden
/// from the viewer is never told, a todo that becomes hidden is told as removed and one that becomes visible as added.
/// Whenever the viewer's access to a user changes, by what either of the two does, observers of that user are told to read
/// anew.
@LoopActor
public final class ViewedTodos: TodoRealtimeServiceType {
    private enum Event {
        case change(TodoChange)
        case reset(uid: String)
    }

    private let viewer: String
    private let service: any TodoRealtimeServiceType
    private let views: RedisViews
    private let subject = Subject<String, Event>()
    private var shares: [String: ViewedUser] = [:]
    /// Heard while anybody is observed.
    private var account: ViewerAccount?

    /// - Parameters:
    ///   - viewer: whose eyes these are.
    ///   - service: tells all changes.
    ///   - views: say what the viewer may see.
    public init(by viewer: String, over service: any TodoRealtimeServiceType, views: RedisViews) {
        self.viewer = viewer
        self.service = service
        self.views = views
        subject.onFirstObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.open(uid) } }
        subject.onLastObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.close(uid) } }
    }

    /// Holds the observer weakly; of the viewer's own todos it is told everything.
    public func addObserver(_ observer: some TodoObserver, for uid: String) {
        guard uid != viewer else { return service.addObserver(observer, for: uid) }
        subject.add(observer, for: uid) { observer, event in
            LoopActor.assumeIsolated {
                switch event {
                case .change(let change): observer.receive(change)
                case .reset(let uid): observer.todosReset(for: uid)
                }
            }
        }
    }

    /// The observer is told nothing more of this user.
    public func removeObserver(_ observer: some TodoObserver, for uid: String) {
        guard uid != viewer else { return service.removeObserver(observer, for: uid) }
        subject.remove(observer, for: uid)
    }

    /// Returns once every further change that may be seen will be told.
    public func waitUntilFollowing(_ uid: String) async {
        await service.waitUntilFollowing(uid)
        await service.waitUntilFollowing(viewer)
    }

    /// The todos that the viewer may see.
    ///
    /// - Throws: ``/TodoMate/TodoError/notFound(_:)`` while the viewer may see nothing of this user.
    public func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        guard uid != viewer else { return try await service.snapshot(of: uid, in: days) }
        var failures = 0
        while true {
            await waitUntilFollowing(uid)
            do throws(TodoError) {
                let (sides, snapshot) = try await views.view(of: viewer, on: uid, in: days)
                shares[uid]?.note(sides.access)
                guard let snapshot else {
                    throw .notFound("\(uid) shares nothing with \(viewer) right now")
                }
                return snapshot
            } catch .unavailable(let reason) {
                guard shares[uid] != nil else { throw .unavailable(reason) }
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
    }

    /// The users who have observers here.
    public var observedUsers: [String] {
        Array(shares.keys) + (observerCount(of: viewer) > 0 ? [viewer] : [])
    }

    /// How many observers a user has here.
    public func observerCount(of uid: String) -> Int {
        guard uid == viewer else { return subject.observerCount(of: uid) }
        return service.observerCount(of: uid) - (account == nil ? 0 : 1)
    }

    private func open(_ uid: String) {
        if account == nil {
            account = ViewerAccount(
                viewer,
                service,
                changed: { [weak self] change in
                    guard let account = change.account, case .relation(let relation) = account else { return }
                    self?.shares[relation.with]?.viewerChanged(account)
                },
                lost: { [weak self] in self?.shares.values.forEach { $0.recheck() } }
            )
            account?.open()
        }
        let share = ViewedUser(uid, viewer: viewer, service: service, relations: views.relations)
        share.onChange = { [weak self] in self?.subject.notify(.change($0), to: uid) }
        share.onReset = { [weak self] in self?.subject.notify(.reset(uid: uid), to: uid) }
        shares[uid] = share
        share.open()
    }

    private func close(_ uid: String) {
        shares.removeValue(forKey: uid)?.close()
        guard shares.isEmpty else { return }
        account?.close()
        account = nil
    }
}
