package import EventLoop
import Observing

/// Notifies one viewer's observers of all users' todos, as far as the viewer may see them.
///
/// A ``TodoRealtimeServiceType`` over another one, for view models and observers of this process: what is hidden from the viewer
/// is not delivered, a todo that becomes hidden is delivered as removed and one that becomes visible as added. Whenever the
/// viewer's access to a user changes, observers of that user are notified of a reset.
@LoopActor
package final class ViewedTodos: TodoRealtimeServiceType, ShareObserver {
    private enum Event {
        case change(TodoChange)
        case reset(uid: String)
    }

    private let viewer: String
    private let source: SharingService
    private let subject = Subject<String, Event>()
    private var shares: [String: Share] = [:]
    /// The owners of shares that have begun, or ended: observers may hold what was read with that access.
    private var begun: Set<String> = []
    /// Observed while any user is.
    private var account: ViewerAccount?
    /// Finds observers that have died, so that their shares do not stay open.
    private var sweeper: LoopTimer?

    /// - Parameters:
    ///   - viewer: the user whose access counts.
    ///   - source: what is shared.
    package init(by viewer: String, from source: SharingService) {
        self.viewer = viewer
        self.source = source
        subject.onFirstObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.open(uid) } }
        subject.onLastObserver = { [weak self] uid in LoopActor.assumeIsolated { self?.close(uid) } }
    }

    /// Holds the observer weakly; of the viewer's own todos it is notified of everything.
    package func addObserver(_ observer: some TodoChangeObserver, for uid: String) {
        guard uid != viewer else { return source.service.addObserver(observer, for: uid) }
        subject.add(observer, for: uid) { observer, event in
            LoopActor.assumeIsolated {
                switch event {
                case .change(let change): observer.receive(change)
                case .reset(let uid): observer.todosReset(for: uid)
                }
            }
        }
    }

    /// The observer is not notified of this user any more.
    package func removeObserver(_ observer: some TodoChangeObserver, for uid: String) {
        guard uid != viewer else { return source.service.removeObserver(observer, for: uid) }
        subject.remove(observer, for: uid)
    }

    /// Returns once every further change that is visible will be delivered.
    package func waitUntilFollowing(_ uid: String) async {
        await source.service.waitUntilFollowing(uid)
        await source.service.waitUntilFollowing(viewer)
        // What comes before the share has begun is part of its beginning, and is not delivered.
        await shares[uid]?.waitUntilKnown()
    }

    /// The todos that the viewer may see.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` while the viewer may see nothing of this user.
    package func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        guard uid != viewer else { return try await source.service.snapshot(of: uid, in: days) }
        var failures = 0
        while true {
            await waitUntilFollowing(uid)
            do throws(TodoError) {
                let known = source.service.lastDelivered(of: uid)
                let (sides, snapshot) = try await source.stores.shared.view(of: viewer, on: uid, in: days)
                if let id = snapshot?.id { try source.service.check(id, of: uid, isNotBefore: known) }
                if let share = shares[uid], share.access != sides.access {
                    // Changes are delivered with another access: the snapshot would not fit them.
                    if share.access != nil { share.recheck() }
                    continue
                }
                guard let snapshot else { throw .notFound("\(uid) shares nothing with \(viewer) right now") }
                return snapshot
            } catch .unavailable(let reason) {
                guard shares[uid] != nil else { throw .unavailable(reason) }
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
    }

    package func lastDelivered(of uid: String) -> ChangeID? { source.service.lastDelivered(of: uid) }

    package func lookUpLatest(of uid: String) { source.service.lookUpLatest(of: uid) }

    /// The users who have observers here.
    package var observedUsers: [String] {
        Array(shares.keys) + (observerCount(of: viewer) > 0 ? [viewer] : [])
    }

    /// How many observers a user has here.
    package func observerCount(of uid: String) -> Int {
        guard uid == viewer else { return subject.observerCount(of: uid) }
        return source.service.observerCount(of: uid) - (account == nil ? 0 : 1)
    }

    private func open(_ uid: String) {
        if account == nil {
            account = ViewerAccount(
                viewer,
                source.service,
                changed: { [weak self] change in
                    guard let account = change.account, case .relation(let relation) = account else { return }
                    self?.shares[relation.with]?.viewerChanged(account)
                },
                lost: { [weak self] in self?.shares.values.forEach { $0.recheck() } }
            )
            account?.open()
        }
        sweeper = sweeper ?? LoopTimer.every(.seconds(1), of: self) { $0.subject.sweep(limit: 1000) }
        let share = Share(uid, viewer: viewer, .changes, from: source, observer: self)
        shares[uid] = share
        share.open()
    }

    private func close(_ uid: String) {
        shares.removeValue(forKey: uid)?.close()
        begun.remove(uid)
        guard shares.isEmpty else { return }
        account?.close()
        account = nil
        sweeper?.cancel()
        sweeper = nil
    }

    // MARK: ShareObserver

    package func share(_ share: Share, began read: ReadList?, _ access: Access) { reset(share) }

    package func share(
        _ share: Share,
        resumed last: ChangeID,
        _ access: Access,
        with views: [(change: TodoChange, view: ChangeView)],
        in turn: FairTurn?
    ) {
        preconditionFailure("a share that was opened without a place does not resume")
    }

    package func share(_ share: Share, delivers change: TodoChange, _ view: ChangeView) {
        subject.notify(.change(change.seen(as: view)), to: share.owner)
    }

    package func share(_ share: Share, passes change: TodoChange, _ id: ChangeID) {}

    package func shareEnded(_ share: Share) { reset(share) }

    /// Before the first time there is nothing to reset.
    private func reset(_ share: Share) {
        guard !begun.insert(share.owner).inserted else { return }
        subject.notify(.reset(uid: share.owner), to: share.owner)
    }
}
