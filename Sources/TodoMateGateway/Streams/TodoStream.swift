import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// One reader's stream of one user's changes: an observer that writes.
///
/// It begins with a `snapshot` event, or, for a reader that resumes, with exactly what it missed; then comes each change as
/// an `added`, `modified` or `removed` event whose id is the change's. With a filter by days, a todo that moves out of
/// them arrives as `removed` and one that moves in as `added`; a change that shows on no day of the filter arrives not at all.
@LoopActor
final class TodoStream: TodoChangeObserver {
    private let uid: String
    private let days: ClosedRange<CalendarDate>?
    private let stream: EventStream
    private let context: StreamContext
    private let service: any TodoRealtimeServiceType
    private let frames: FrameCache
    // A value that calls nothing but a change's id: it needs no runtime check for overlapping accesses.
    @exclusivity(unchecked) private var join = SnapshotJoin<TodoChange> { $0.id }
    /// The ids of the todos within the days; nil without a filter.
    private var shown: ShownTodos?
    private var loads = Attempts()

    init(
        uid: String,
        days: ClosedRange<CalendarDate>?,
        stream: EventStream,
        context: StreamContext,
        frames: FrameCache
    ) {
        self.uid = uid
        self.days = days
        self.stream = stream
        self.context = context
        service = context.service
        self.frames = frames
    }

    /// Follows the user, from after a change that the reader has seen, or from a snapshot.
    func open(after last: ChangeID?) async {
        service.addObserver(self, for: uid)
        await load(after: last, loads.begin())
    }

    func close() {
        loads.abandon()
        service.removeObserver(self, for: uid)
    }

    private func load(after last: ChangeID?, _ attempt: Attempts.Attempt) async {
        defer { context.streams.checkWaiting(of: uid) }
        do throws(TodoError) {
            // Without a filter, what was missed is enough; with one, the reader's todos are not known any more.
            if days == nil, let last, try await resume(after: last, attempt) { return }
            let list = try await service.list(of: uid, in: days)
            if days != nil { await list.list?.collectIDs(for: .own) }
            if loads.isCurrent(attempt) { begin(with: list) }
        } catch {
            guard loads.isCurrent(attempt) else { return }
            context.log.warning("stream ended: nothing to begin with", ["uid": uid, "reason": error.description])
            stream.close()
        }
    }

    /// Continues with the changes that were missed; false when they are not known.
    private func resume(after last: ChangeID, _ attempt: Attempts.Attempt) async throws(TodoError) -> Bool {
        await service.waitUntilFollowing(uid)
        let known = service.lastDelivered(of: uid)
        // A user who opens many streams at once waits in line behind them, instead of others.
        let turn = await context.sharing.loading.turn(for: uid)
        defer { withExtendedLifetime(turn) {} }
        guard let (missed, turnOfMuch) = try await context.sharing.missed(by: uid, of: uid, since: last) else {
            return false
        }
        do throws(TodoError) {
            try service.check(missed.last?.id ?? last, of: uid, isNotBefore: known)
        } catch {
            // A snapshot is read until one is not behind.
            return false
        }
        let frames = await frames(of: missed)
        if loads.isCurrent(attempt) { resume(after: missed.last?.id ?? last, frames, in: turnOfMuch) }
        return true
    }

    /// In one piece: a reader is not slow because it missed much.
    private func frames(of missed: [TodoChange]) async -> [UInt8] {
        var frames: [UInt8] = []
        frames.reserveCapacity(missed.reduce(0) { $0 + $1.message.count + 100 })
        for change in missed {
            frames += EventFrame.event(change.kind.rawValue, id: change.id?.description, data: change.message)
            await LoopActor.shareTurn()
        }
        return frames
    }

    private func resume(after last: ChangeID, _ frames: [UInt8], in turn: FairTurn?) {
        if !frames.isEmpty { stream.send(frames, keeping: turn) }
        deliverHeld(after: last)
    }

    private func begin(with list: TodoListText) {
        if days != nil { shown = ShownTodos(list.todoIDs) }
        stream.send(EventFrame.event("snapshot", id: list.id.description, data: list.json), keeping: list.turn)
        deliverHeld(after: list.id)
    }

    private func deliverHeld(after id: ChangeID) {
        for change in join.join(at: id) { deliver(change) }
        if join.needsSnapshot { todosReset(for: uid) }
    }

    // MARK: TodoChangeObserver

    func receive(_ change: TodoChange) {
        if join.receive(change) { deliver(change) } else if join.needsSnapshot { todosReset(for: uid) }
    }

    func accountChanged(_ change: TodoChange) { receive(change) }

    func todosReset(for uid: String) {
        join.restart()
        let attempt = loads.begin()
        Task { await load(after: nil, attempt) }
    }

    private func deliver(_ change: TodoChange) {
        guard let days, change.kind.isOfTodo else { return stream.send(frames.frame(of: change, as: change.kind)) }
        let todo = change.todo
        let wasShown = shown?.contains(todo.id) ?? false
        let isShown = change.kind != .removed && days.contains(todo.date)
        switch (wasShown, isShown) {
        case (false, false): return
        case (false, true): shown?.insert(todo.id)
        case (true, false): shown?.remove(todo.id)
        case (true, true): break
        }
        let kind: ChangeKind = !isShown ? .removed : !wasShown ? .added : change.kind == .added ? .added : .modified
        stream.send(frames.frame(of: change, as: kind))
    }
}

/// Frames each change once for all streams, which receive it right after one another.
@LoopActor
final class FrameCache {
    // `frame` calls nothing back: neither needs a runtime check for overlapping accesses.
    @exclusivity(unchecked) private var change: TodoChange?
    /// The change's frames so far; nearly always one, and found without hashing.
    @exclusivity(unchecked) private var frames: [(kind: ChangeKind, frame: [UInt8])] = []

    nonisolated init() {}

    /// The event of a change, delivered as `kind`: the data is the message of that kind.
    func frame(of change: TodoChange, as kind: ChangeKind) -> [UInt8] {
        if change !== self.change {
            self.change = change
            frames.removeAll(keepingCapacity: true)
        }
        for known in frames where known.kind == kind { return known.frame }
        let frame = EventFrame.event(kind.rawValue, id: change.id?.description, data: change.message(as: kind))
        frames.append((kind, frame))
        return frame
    }
}
