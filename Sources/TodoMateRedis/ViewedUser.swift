import EventLoop
import TodoMate

/// One user's changes as one viewer may see them.
///
/// The access is read from both sides of the pair. Whatever changes it travels in the order of one side's changes: from there
/// on nothing is told until the access has been read again, and where it is another one then, or something was not told,
/// everything is read anew.
@LoopActor
final class ViewedUser: TodoChangeObserver {
    private let uid: String
    private let viewer: String
    private let service: any TodoRealtimeServiceType
    private let relations: RedisRelationStore
    var onChange: ((TodoChange) -> Void)?
    var onReset: (() -> Void)?
    /// What the viewer may see; nil while that is being read.
    private var access: Access?
    /// What both sides were last heard to say.
    private var sides: PairAccess?
    /// With which access the todos were read that observers may hold, while it is not known whether it is the right one.
    private var held: Set<Access> = []
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
        recheck()
    }

    func close() {
        reads += 1
        service.removeObserver(self, for: uid)
    }

    /// The todos were read, with this access.
    func note(_ access: Access) {
        guard self.access != access else { return }
        held.insert(access)
        guard self.access != nil else { return }
        // What was told meanwhile may be too little for it.
        isBehind = true
        recheck()
    }

    /// Something became of the viewer's own account.
    func viewerChanged(_ change: AccountChange) {
        // What is being read may be from before.
        if hears(change) || access == nil { recheck() }
    }

    /// Something may have made the viewer see more, or less: tells nothing until that is known.
    func recheck() {
        if let access { held.insert(access) }
        access = nil
        reads += 1
        let number = reads
        Task {
            var failures = 0
            while number == reads {
                do throws(TodoError) {
                    await service.waitUntilFollowing(uid)
                    await service.waitUntilFollowing(viewer)
                    let sides = try await relations.sides(of: viewer, to: uid).sides
                    guard number == reads else { return }
                    return know(sides)
                } catch {
                    await LoopTimer.sleep(for: .reading, afterFailure: failures)
                    failures += 1
                }
            }
        }
    }

    private func know(_ sides: PairAccess) {
        self.sides = sides
        access = sides.access
        let mustReset = isBehind || held.contains { $0 != sides.access }
        (held, isBehind) = ([], false)
        if mustReset { onReset?() }
    }

    private func hears(_ change: AccountChange) -> Bool { sides?.hear(change, of: uid, by: viewer) ?? false }

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
        guard let account = change.account, account.touchesAccess(of: viewer) else { return }
        // What is being read may be from before.
        if hears(account) || access == nil { recheck() }
    }

    func todosReset(for uid: String) {
        isBehind = true
        recheck()
    }
}
