import EventLoop
import TodoMate
import TodoMateRedis

/// One owner's todos as one viewer may see them: an observer that lets through what ``ChangeSight`` says.
///
/// The access is read from the owner's side, in the same moment as the snapshot. Whatever could change it arrives in the
/// owner's own order of changes, so that nothing that came after is told before the access has been read again.
@LoopActor
final class BoardShare: TodoChangeObserver {
    let owner: String
    let index: Int
    private let viewer: String
    private let days: ClosedRange<CalendarDate>?
    private let service: any TodoRealtimeServiceType
    private let repository: any TodoRepositoryType
    private let relations: RedisRelationStore
    private let log: Logger
    private weak var sink: (any BoardShareSink)?
    private var join = SnapshotJoin<TodoChange>(id: \.id)
    /// What the viewer may see; nil until it was read, and while it is read again.
    private(set) var access: Access?
    /// The viewer went away: only following again brings the share back, whatever the owner's side says until it has heard.
    private var isLeft = false
    /// The sink was told so.
    private var isEnded = false
    private var loads = 0
    /// The ids of the todos within the days; nil without a filter.
    private var shown: Set<String>?
    private static let retryDelay = Duration.milliseconds(250)

    init(
        _ owner: String,
        at index: Int = 0,
        viewer: String,
        days: ClosedRange<CalendarDate>?,
        door: BoardDoor,
        sink: any BoardShareSink
    ) {
        self.owner = owner
        self.index = index
        self.viewer = viewer
        self.days = days
        self.sink = sink
        service = door.service
        repository = door.repository
        relations = door.relations
        log = door.log
    }

    /// Follows the owner, from after a change that the reader has seen with some access, or from a snapshot.
    func open(after place: (access: Access, id: ChangeID)?) {
        service.addObserver(self, for: owner)
        load(after: place)
    }

    func close() {
        loads += 1
        service.removeObserver(self, for: owner)
    }

    /// The viewer follows the owner no more, or has blocked them: the share ends before the owner's side has heard of it.
    func leave() {
        isLeft = true
        end()
    }

    /// The viewer follows the owner, maybe again.
    func comeBack() {
        isLeft = false
        if access == Access.none { recheck() }
    }

    /// Something may have made the viewer see more, or less.
    func recheck() { load(after: nil) }

    private func load(after place: (access: Access, id: ChangeID)?) {
        loads += 1
        join.restart()
        let number = loads
        access = nil
        Task {
            while number == loads {
                do throws(TodoError) {
                    try await read(after: place, number)
                    return
                } catch .unavailable {
                    await LoopTimer.sleep(for: Self.retryDelay)
                } catch {
                    log.warning("share ended: nothing to begin with", ["uid": owner, "reason": error.description])
                    if number == loads { end() }
                    return
                }
            }
        }
    }

    private func read(after place: (access: Access, id: ChangeID)?, _ number: Int) async throws(TodoError) {
        await service.waitUntilFollowing(owner)
        guard number == loads else { return }
        // Without a filter, what was missed is enough; with one, the reader's todos are not known any more.
        if days == nil, let place, let missed = try await repository.changes(of: owner, since: place.id) {
            let now = try await relations.access(of: viewer, to: owner).access
            guard number == loads else { return }
            if now == place.access, !missed.contains(where: touchesAccess) {
                return resume(after: place.id, now, missed)
            }
        }
        let (access, snapshot) = try await relations.view(of: viewer, on: owner, in: days)
        guard number == loads else { return }
        guard let snapshot, !isLeft else { return end() }
        begin(with: snapshot, access)
    }

    private func begin(with snapshot: TodoSnapshot, _ access: Access) {
        isEnded = false
        self.access = access
        if days != nil { shown = Set(snapshot.todos.map(\.id)) }
        sink?.share(self, began: snapshot, access)
        catchUp(join.join(at: snapshot.id))
    }

    private func resume(after last: ChangeID, _ access: Access, _ missed: [TodoChange]) {
        isEnded = false
        self.access = access
        sink?.share(self, resumed: last, access, with: sights(of: missed, access))
        if let tip = missed.last, let id = tip.id { sink?.share(self, passes: tip, id) }
        catchUp(join.join(at: missed.last?.id ?? last))
    }

    /// What a reader who was away is told: nothing of what todos looked like while they could be seen, when they cannot be
    /// seen any more.
    private func sights(of missed: [TodoChange], _ access: Access) -> [(TodoChange, ChangeView)] {
        guard access != .own else { return missed.map { ($0, ChangeView(kind: $0.kind)) } }
        var isHidden: [String: Bool] = [:]
        var told: [(TodoChange, ChangeView)] = []
        for change in missed.reversed() where change.kind.isOfTodo {
            let id = change.todo.id
            let isLast = isHidden[id] == nil
            let isGone = isHidden[id] ?? !access.covers(change.visibility)
            isHidden[id] = isGone
            guard let view = view(of: change, access) else { continue }
            if isGone, !isLast, view.kind != .removed {
                continue
            }
            told.append((change, view))
        }
        return told.reversed()
    }

    private func catchUp(_ changes: [TodoChange]) {
        for (index, change) in changes.enumerated() {
            // One of them had the access read again: what comes after it waits for that.
            guard join.isJoined else {
                for later in changes[index...] { _ = join.receive(later) }
                return
            }
            tell(change)
        }
    }

    private func end() {
        loads += 1
        join.restart()
        access = Access.none
        shown = nil
        guard !isEnded else { return }
        isEnded = true
        sink?.shareEnded(self)
    }

    // MARK: TodoObserver

    func receive(_ change: TodoChange) {
        // Of a share that ended nothing is kept; only the account's changes can bring it back.
        if access == Access.none { return }
        if join.receive(change) { tell(change) }
    }

    func accountChanged(_ change: TodoChange) {
        if access == Access.none { return touchesAccess(change) ? recheck() : () }
        if join.receive(change) { tell(change) }
    }

    func todosReset(for uid: String) { recheck() }

    /// Whether a change of the owner's account could have given or taken access.
    private func touchesAccess(_ change: TodoChange) -> Bool { change.account?.touchesAccess(of: viewer) == true }

    /// Whether such a change says anything but what is known.
    private func isNews(_ change: TodoChange, to access: Access) -> Bool {
        guard case .relation(let relation)? = change.account else { return true }
        let granted: Access = relation.blocked ? .none : relation.follower == .following ? .followers : .public
        return granted != access
    }

    private func tell(_ change: TodoChange) {
        guard let access else { return }
        if touchesAccess(change), isNews(change, to: access) { return recheck() }
        if let view = view(of: change, access) {
            sink?.share(self, tells: change, view)
        } else if let id = change.id {
            sink?.share(self, passes: change, id)
        }
    }

    /// How a change is told; nil when it is not.
    private func view(of change: TodoChange, _ access: Access) -> ChangeView? {
        let sight = ChangeSight(
            change.kind,
            before: change.visibilityBefore,
            now: change.visibility,
            access: access
        )
        guard let days, change.kind.isOfTodo else {
            return switch sight {
            case .asItIs: ChangeView(kind: change.kind)
            case .asAdded: ChangeView(kind: .added)
            case .asRemoved: ChangeView(kind: .removed, isRedacted: true)
            case .hidden: nil
            }
        }
        let todo = change.todo
        let isVisible = access.covers(change.visibility)
        let wasShown = shown?.contains(todo.id) ?? false
        let isShown = isVisible && change.kind != .removed && days.contains(todo.date)
        if isShown { shown?.insert(todo.id) } else { shown?.remove(todo.id) }
        return switch (wasShown, isShown) {
        case (false, false): nil
        case (true, false): ChangeView(kind: .removed, isRedacted: !isVisible)
        case (false, true): ChangeView(kind: .added)
        case (true, true): ChangeView(kind: change.kind == .added ? .added : .modified)
        }
    }
}
