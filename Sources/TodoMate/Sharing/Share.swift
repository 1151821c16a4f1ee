package import EventLoop

/// One owner's todos as one viewer may see them: an observer that lets through what ``ChangeView`` says.
///
/// ``ShareStateMachine`` decides what is read and what is delivered; this performs it.
@LoopActor
package final class Share: TodoChangeObserver {
    /// What a share begins with.
    package enum Content {
        /// The todos of some days, or of all.
        case todos(in: ClosedRange<CalendarDate>?)
        /// Nothing: only changes are delivered.
        case changes

        fileprivate var days: ClosedRange<CalendarDate>? { if case .todos(let days) = self { days } else { nil } }
    }

    /// Whose todos.
    package let owner: String
    /// The share's place among those of one reader.
    package let index: Int
    private let viewer: String
    private let content: Content
    private let source: SharingService
    private weak var observer: (any ShareObserver)?
    private var machine: ShareStateMachine
    private var filter: VisibilityFilter
    private let settled = Waiters()

    package init(
        _ owner: String,
        at index: Int = 0,
        viewer: String,
        _ content: Content,
        from source: SharingService,
        observer: any ShareObserver
    ) {
        (self.owner, self.index, self.viewer, self.content) = (owner, index, viewer, content)
        self.source = source
        self.observer = observer
        machine = ShareStateMachine(of: owner, for: viewer)
        filter = VisibilityFilter(days: content.days)
    }

    /// What the viewer may see; nil until it was read, and while it is read again.
    package var access: Access? { machine.access }

    /// Follows the owner, from after a change that the reader has seen with some access, or from a snapshot. The viewer's own
    /// changes must be observed already, and be passed to ``viewerChanged(_:)``.
    package func open(after place: (access: Access, id: ChangeID)? = nil) {
        source.service.addObserver(self, for: owner)
        perform(machine.open(after: place))
    }

    package func close() {
        machine.close()
        source.service.removeObserver(self, for: owner)
        settled.resumeAll()
    }

    /// A change of the viewer's own account.
    package func viewerChanged(_ change: AccountChange) { perform(machine.viewerChanged(change)) }

    /// Changes of the viewer's account may have been missed: delivers nothing until the access is known.
    package func recheck() { perform(machine.viewerMissed()) }

    /// Returns once the access is known, or the share is closed.
    package func waitUntilKnown() async {
        await settled.wait { if case .reading = machine.state { false } else { true } }
    }

    // MARK: TodoChangeObserver

    package func receive(_ change: TodoChange) { perform(machine.received(change)) }

    package func accountChanged(_ change: TodoChange) { perform(machine.ownerChanged(change)) }

    package func todosReset(for uid: String) { perform(machine.reset()) }

    // MARK: Effects

    private func perform(_ effect: ShareStateMachine.Effect, _ read: ReadList? = nil, in turn: FairTurn? = nil) {
        switch effect {
        case .nothing: break
        case .read(let reading): Task { await answer(reading) }
        case .begin(let access):
            if let read { filter.begin(with: read.list, access) }
            observer?.share(self, began: read, access)
        case .resume(let access, let last, let missed):
            observer?.share(self, resumed: last, access, with: views(of: missed, access), in: turn)
            if let tip = missed.last, let id = tip.id { observer?.share(self, passes: tip, id) }
        case .deliver(let change, let access):
            if let view = filter.view(of: change, access) {
                observer?.share(self, delivers: change, view)
            } else if let id = change.id {
                observer?.share(self, passes: change, id)
            }
        case .end: observer?.shareEnded(self)
        case .several(let effects): for effect in effects { perform(effect, read, in: turn) }
        }
    }

    private func views(of missed: [TodoChange], _ access: Access) -> [(change: TodoChange, view: ChangeView)] {
        guard access != .own else { return missed.map { ($0, ChangeView(kind: $0.kind)) } }
        return MissedChanges.views(of: missed, for: access)
    }

    // MARK: Reading

    private func answer(_ reading: ShareStateMachine.Reading) async {
        var failures = 0
        while machine.isCurrent(reading) {
            do throws(TodoError) {
                try await read(reading)
                break
            } catch .unavailable {
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            } catch {
                source.log.warning(
                    "share ended: nothing to begin with",
                    ["uid": owner, "reason": error.description]
                )
                if machine.isCurrent(reading) { perform(machine.end(nil, by: reading)) }
            }
        }
        if access != nil { settled.resumeAll() }
    }

    private func read(_ reading: ShareStateMachine.Reading) async throws(TodoError) {
        // No change of either side may fall between the reading and the observing.
        await source.service.waitUntilFollowing(owner)
        await source.service.waitUntilFollowing(viewer)
        guard let turn = await source.loading.turn(for: viewer) else {
            throw .unavailable("\(viewer) waits for too many beginnings at the moment")
        }
        defer {
            withExtendedLifetime(turn) {}
            source.onRead(viewer)
        }
        guard machine.isCurrent(reading) else { return }
        let known = source.service.lastDelivered(of: owner)
        if try await proceed(reading, known) { return }
        switch content {
        case .changes:
            let (sides, id) = try await source.stores.shared.sides(of: viewer, to: owner)
            try source.service.check(id, of: owner, isNotBefore: known)
            begin(with: nil, sides, asOf: id, reading)
        case .todos(let days):
            let (sides, read) = try await source.stores.shared.list(of: owner, for: viewer, in: days)
            if let id = read?.list.id { try source.service.check(id, of: owner, isNotBefore: known) }
            if machine.isCurrent(reading) { await read?.list.writeText(for: sides.access) }
            if machine.isCurrent(reading), days != nil { await read?.list.collectIDs(for: sides.access) }
            begin(with: read, sides, asOf: read?.list.id ?? .zero, reading)
        }
    }

    private func begin(
        with read: ReadList?,
        _ sides: PairAccess,
        asOf id: ChangeID,
        _ reading: ShareStateMachine.Reading
    ) {
        guard machine.isCurrent(reading) else { return }
        if sides.access == .none {
            perform(machine.end(sides, by: reading))
        } else {
            perform(machine.begin(sides, asOf: id, by: reading), read)
        }
    }

    /// Goes on without a snapshot, where the access is what it was; whether that is done.
    private func proceed(
        _ reading: ShareStateMachine.Reading,
        _ known: ChangeID?
    ) async throws(TodoError) -> Bool {
        var missed: [TodoChange] = []
        var turn: FairTurn?
        switch reading.start {
        case .snapshot: return false
        case .stay: break
        case .resume(_, let last):
            // With a filter by days, the reader's todos are not known any more.
            guard filter.days == nil, let read = try await source.missed(by: viewer, of: owner, since: last) else {
                return false
            }
            (missed, turn) = read
            try source.service.check(missed.last?.id ?? last, of: owner, isNotBefore: known)
        }
        let (sides, id) = try await source.stores.shared.sides(of: viewer, to: owner)
        try source.service.check(id, of: owner, isNotBefore: known)
        guard machine.isCurrent(reading) else { return true }
        guard let effect = machine.know(sides, asOf: id, missed: missed, by: reading) else { return false }
        perform(effect, in: turn)
        return true
    }
}
