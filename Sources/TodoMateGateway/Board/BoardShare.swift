import EventLoop
import TodoMate
import TodoMateRedis

/// One owner's todos as one viewer may see them: an observer that lets through what ``ChangeSight`` says.
///
/// The access is read from both sides of the pair, the owner's in the same moment as the snapshot. Whatever could change it
/// arrives in the owner's order of changes, or in the viewer's: from there on nothing is told until both have been read again.
@LoopActor
final class BoardShare: TodoChangeObserver {
    /// From where the reader goes on once the access has been read.
    private enum Start {
        /// From a snapshot.
        case snapshot
        /// From after a change that the reader has seen with some access: what came since is in the log.
        case place(Access, ChangeID)
        /// From what was told on top of a snapshot until the access had to be read again: what came since is held.
        case standing(Access, ChangeID)
    }

    let owner: String
    let index: Int
    private let viewer: String
    private let days: ClosedRange<CalendarDate>?
    private let service: any TodoRealtimeServiceType
    private let door: BoardDoor
    private weak var sink: (any BoardShareSink)?
    private var join = SnapshotJoin<TodoChange>(id: \.id)
    /// What the viewer may see; nil until it was read, and while it is read again.
    private(set) var access: Access?
    /// What is known of both sides; nil when they could not be read.
    private var sides: PairAccess?
    /// The owner's latest change when their side was read.
    private var sidesID = ChangeID.zero
    private var start = Start.snapshot
    /// Where the changes that are told join on.
    private var joinedID = ChangeID.zero
    /// The sink was told that the viewer may see nothing.
    private var isEnded = false
    private var loads = 0
    /// The ids of the todos within the days; nil without a filter.
    private var shown: ShownTodos?

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
        self.door = door
    }

    /// Follows the owner, from after a change that the reader has seen with some access, or from a snapshot. The viewer's own
    /// changes must be heard already, and be told by ``viewerChanged(_:)``.
    func open(after place: (access: Access, id: ChangeID)?) {
        service.addObserver(self, for: owner)
        // A beginning is no place that somebody else has seen.
        load(from: place.flatMap { $0.id == .zero ? nil : .place($0.access, $0.id) } ?? .snapshot)
    }

    func close() {
        loads += 1
        service.removeObserver(self, for: owner)
    }

    /// Something became of the viewer's own account.
    func viewerChanged(_ change: AccountChange) {
        guard case .relation(let relation) = change, relation.with == owner else { return }
        // What is being read may be from before.
        if isNews(change) || access == nil { recheck() }
    }

    /// Something may have made the viewer see more, or less: tells nothing until that is known.
    func recheck() {
        switch (access, start) {
        case (nil, .standing): load(from: start)
        case (nil, _):
            join.restart()
            load(from: start)
        case (Access.none?, _):
            join.restart()
            load(from: .snapshot)
        case (let access?, _):
            join.restart()
            load(from: .standing(access, joinedID))
        }
    }

    private func load(from start: Start) {
        self.start = start
        loads += 1
        let number = loads
        access = nil
        Task {
            var failures = 0
            while number == loads {
                do throws(TodoError) {
                    try await read(number)
                    return
                } catch .unavailable {
                    await LoopTimer.sleep(for: .reading, afterFailure: failures)
                    failures += 1
                } catch {
                    door.log.warning("share ended: nothing to begin with", ["uid": owner, "reason": error.description])
                    if number == loads { end() }
                    return
                }
            }
        }
    }

    private func read(_ number: Int) async throws(TodoError) {
        // No change of either side may fall between the reading and the hearing.
        await service.waitUntilFollowing(owner)
        await service.waitUntilFollowing(viewer)
        // Whoever opens much at once waits behind their own, and so others do not.
        guard let turn = await door.loading.turn(for: viewer) else {
            throw .unavailable("\(viewer) waits for too many beginnings at the moment")
        }
        defer {
            withExtendedLifetime(turn) {}
            door.streams.checkWaiting(of: viewer)
        }
        guard number == loads else { return }
        // Without a filter, what was missed is enough; with one, the reader's todos are not known any more.
        if days == nil, case .place(let access, let last) = start,
            let (missed, turn) = try await door.missed(by: viewer, of: owner, since: last)
        {
            let (sides, id) = try await door.relations.sides(of: viewer, to: owner)
            guard number == loads else { return }
            if sides.access == access, !missed.contains(where: touchesAccess) {
                know(sides, asOf: id)
                return resume(after: last, access, missed, in: turn)
            }
        }
        let (sides, read) = try await door.views.list(of: owner, for: viewer, in: days)
        if let read, number == loads, !goesOn(with: sides.access) { await read.list.writeText(for: sides.access) }
        guard number == loads else { return }
        guard let read else { return end(sides) }
        know(sides, asOf: read.list.id)
        if case .standing(sides.access, let place) = start {
            // Nothing is another than it was: the reader goes on as if nobody had asked.
            catchUp(join.join(at: place))
        } else {
            begin(with: read, sides.access)
        }
    }

    private func goesOn(with access: Access) -> Bool {
        if case .standing(access, _) = start { true } else { false }
    }

    private func know(_ sides: PairAccess, asOf id: ChangeID) {
        self.sides = sides
        sidesID = id
        access = sides.access
        isEnded = false
    }

    private func begin(with read: ReadList, _ access: Access) {
        joinedID = read.list.id
        if days != nil { shown = ShownTodos(read.list.todoIDs(for: access)) }
        sink?.share(self, began: read, access)
        catchUp(join.join(at: joinedID))
    }

    private func resume(after last: ChangeID, _ access: Access, _ missed: [TodoChange], in turn: FairTurn?) {
        joinedID = missed.last?.id ?? last
        sink?.share(self, resumed: last, access, with: sights(of: missed, access), in: turn)
        if let tip = missed.last, let id = tip.id { sink?.share(self, passes: tip, id) }
        catchUp(join.join(at: joinedID))
    }

    private func sights(of missed: [TodoChange], _ access: Access) -> [(TodoChange, ChangeView)] {
        guard access != .own else { return missed.map { ($0, ChangeView(kind: $0.kind)) } }
        return MissedChanges.told(missed, to: access).compactMap { change, sight in
            ChangeView(sight, change.kind).map { (change, $0) }
        }
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

    private func end(_ sides: PairAccess? = nil) {
        self.sides = sides
        sidesID = .zero
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
        // What is being read may be from before.
        if access == nil, touchesAccess(change) { return recheck() }
        if access == Access.none { return isNews(change) ? recheck() : () }
        if join.receive(change) { tell(change) }
    }

    func todosReset(for uid: String) {
        join.restart()
        load(from: .snapshot)
    }

    /// Whether a change of the owner's account could have given or taken access.
    private func touchesAccess(_ change: TodoChange) -> Bool { change.account?.touchesAccess(of: viewer) == true }

    /// Whether a change of the owner's account says anything but what was read.
    private func isNews(_ change: TodoChange) -> Bool {
        guard let account = change.account, change.id.map({ $0.version > sidesID.version }) ?? true else {
            return false
        }
        return isNews(account)
    }

    /// What could not be read is read again at the first sign of something else.
    private func isNews(_ change: AccountChange) -> Bool { sides?.hear(change, of: owner, by: viewer) ?? true }

    private func tell(_ change: TodoChange) {
        guard let access else { return }
        if isNews(change) { return recheck() }
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
            return ChangeView(sight, change.kind)
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
