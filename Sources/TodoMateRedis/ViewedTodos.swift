public import EventLoop
import Observing
public import TodoMate

/// Tells one viewer's observers of everybody's todos, as far as the viewer may see them.
///
/// A ``/TodoMate/TodoRealtimeServiceType`` over another one, for view models and observers of this process: what is hidden
/// from the viewer is never told, a todo that becomes hidden is told as removed and one that becomes visible as added.
/// Whenever the viewer's access to a user changes, observers of that user are told to read anew.
@LoopActor
public final class ViewedTodos: TodoRealtimeServiceType {
    private enum Event {
        case change(TodoChange)
        case reset(uid: String)
    }

    private let viewer: String
    private let service: any TodoRealtimeServiceType
    private let relations: RedisRelationStore
    private let subject = Subject<String, Event>()
    private var shares: [String: ViewedUser] = [:]

    /// - Parameters:
    ///   - viewer: whose eyes these are.
    ///   - service: tells all changes.
    ///   - relations: say what the viewer may see.
    public init(by viewer: String, over service: any TodoRealtimeServiceType, relations: RedisRelationStore) {
        self.viewer = viewer
        self.service = service
        self.relations = relations
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
    public func waitUntilFollowing(_ uid: String) async { await service.waitUntilFollowing(uid) }

    /// The todos that the viewer may see.
    ///
    /// - Throws: ``/TodoMate/TodoError/notFound(_:)`` while the viewer may see nothing of this user.
    public func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        guard uid != viewer else { return try await service.snapshot(of: uid, in: days) }
        while true {
            await service.waitUntilFollowing(uid)
            do throws(TodoError) {
                guard let snapshot = try await relations.view(of: viewer, on: uid, in: days).snapshot else {
                    throw .notFound("\(uid) shares nothing with \(viewer) right now")
                }
                return snapshot
            } catch .unavailable(let reason) {
                guard shares[uid] != nil else { throw .unavailable(reason) }
                await LoopTimer.sleep(for: ViewedUser.retry)
            }
        }
    }

    /// The users who have observers here.
    public var observedUsers: [String] {
        Array(shares.keys) + (service.observerCount(of: viewer) > 0 ? [viewer] : [])
    }

    /// How many observers a user has here.
    public func observerCount(of uid: String) -> Int {
        uid == viewer ? service.observerCount(of: uid) : subject.observerCount(of: uid)
    }

    private func open(_ uid: String) {
        let share = ViewedUser(uid, viewer: viewer, service: service, relations: relations)
        share.onChange = { [weak self] in self?.subject.notify(.change($0), to: uid) }
        share.onReset = { [weak self] in self?.subject.notify(.reset(uid: uid), to: uid) }
        shares[uid] = share
        share.open()
    }

    private func close(_ uid: String) { shares.removeValue(forKey: uid)?.close() }
}

/// One user's changes as one viewer may see them.
///
/// The access is read from the owner's side. Whatever changes it travels in the owner's order of changes: from there on
/// nothing is told until the access has been read again, and then everything is read anew.
@LoopActor
private final class ViewedUser: TodoChangeObserver {
    static let retry = Duration.milliseconds(250)

    private let uid: String
    private let viewer: String
    private let service: any TodoRealtimeServiceType
    private let relations: RedisRelationStore
    var onChange: ((TodoChange) -> Void)?
    var onReset: (() -> Void)?
    /// What the viewer may see; nil while that is being read.
    private var access: Access?
    private var isBehind = false
    private var reads = 0

    init(_ uid: String, viewer: String, service: any TodoRealtimeServiceType, relations: RedisRelationStore) {
        self.uid = uid
        self.viewer = viewer
        self.service = service
        self.relations = relations
    }

    func open() {
        service.addObserver(self, for: uid)
        read()
    }

    func close() {
        reads += 1
        service.removeObserver(self, for: uid)
    }

    private func read() {
        access = nil
        reads += 1
        let number = reads
        Task {
            while number == reads {
                do throws(TodoError) {
                    await service.waitUntilFollowing(uid)
                    let access = try await relations.access(of: viewer, to: uid).access
                    guard number == reads else { return }
                    self.access = access
                    guard isBehind else { return }
                    isBehind = false
                    onReset?()
                    return
                } catch {
                    await LoopTimer.sleep(for: Self.retry)
                }
            }
        }
    }

    // MARK: TodoObserver

    func receive(_ change: TodoChange) {
        guard let access else {
            isBehind = true
            return
        }
        switch ChangeSight(change.kind, before: change.visibilityBefore, now: change.visibility, access: access) {
        case .asItIs: onChange?(change)
        case .asAdded: onChange?(TodoChange(id: change.id, kind: .added, todo: change.todo))
        case .asRemoved: onChange?(TodoChange(hiding: change))
        case .hidden: break
        }
    }

    func accountChanged(_ change: TodoChange) {
        guard change.account?.touchesAccess(of: viewer) == true else { return }
        isBehind = true
        read()
    }

    func todosReset(for uid: String) {
        isBehind = true
        read()
    }
}
