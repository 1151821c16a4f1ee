import EventLoop
import HTTPServing
import TodoMate

/// Frames each change and snapshot once for all readers with the same access: they are notified right after one another.
@LoopActor
final class BoardFrames {
    private struct WholeKey: Hashable {
        var view: ChangeView
        var id: [UInt8]
    }

    private struct SnapshotKey: Hashable {
        var list: ObjectIdentifier
        var access: Access
        var owner: String?
    }

    private var change: TodoChange?
    private var bodies: [ChangeView: [UInt8]] = [:]
    private var wholes: [WholeKey: [UInt8]] = [:]
    private var snapshots: [SnapshotKey: (frame: [UInt8], list: TodoList)] = [:]
    private var snapshotBytes = 0
    private static let mostSnapshotBytes = 8 << 20
    private var entries: [Access: [UInt8]] = [:]

    nonisolated init() {}

    /// The line that names an event's place.
    static func idLine(_ cursor: [UInt8]) -> [UInt8] { Array("id: ".utf8) + cursor + [UInt8(ascii: "\n")] }

    /// The cursor of the readers that received a change.
    func entry(of change: TodoChange, _ id: ChangeID, _ access: Access) -> [UInt8] {
        turn(to: change)
        if let entry = entries[access] { return entry }
        let entry = BoardCursor.entry(BoardCursor.hash(change.uid), access, id)
        entries[access] = entry
        return entry
    }

    /// An event without its id, which comes before it as a line of its own.
    func body(of change: TodoChange, _ view: ChangeView) -> [UInt8] {
        turn(to: change)
        if let body = bodies[view] { return body }
        let body = EventFrame.event(view.kind.rawValue, data: Self.data(of: change, view))
        bodies[view] = body
        return body
    }

    /// An event with its id: shared by all readers who are at the same place.
    func whole(_ change: TodoChange, _ view: ChangeView, at cursor: [UInt8]) -> [UInt8] {
        turn(to: change)
        let key = WholeKey(view: view, id: cursor)
        if let whole = wholes[key] { return whole }
        let whole = Self.idLine(cursor) + body(of: change, view)
        wholes[key] = whole
        return whole
    }

    /// A snapshot without its id: `{"uid":"bob","access":"followers","id":"57-…","todos":[{…},…]}`, or, where it is plain whose
    /// it is, without the first two.
    func snapshot(_ list: TodoList, _ access: Access, of owner: String? = nil) -> [UInt8] {
        let key = SnapshotKey(list: ObjectIdentifier(list), access: access, owner: owner)
        if let (frame, _) = snapshots[key] { return frame }
        let head = owner.map { "{\"uid\":\"\($0)\",\"access\":\"\(access.rawValue)\"," } ?? "{"
        let frame = EventFrame.event("snapshot", data: Array(head.utf8) + list.text(for: access).dropFirst())
        if snapshotBytes > Self.mostSnapshotBytes { forgetSnapshots() }
        snapshots[key] = (frame, list)
        snapshotBytes += frame.count
        return frame
    }

    /// Drops snapshots: they are shared by readers that come at the same time.
    func forgetSnapshots() {
        snapshots.removeAll()
        snapshotBytes = 0
    }

    /// The message of the kind that is delivered; for a todo that is hidden now, only its id.
    static func data(of change: TodoChange, _ view: ChangeView) -> [UInt8] {
        view.isRedacted ? TodoChange(hiding: change).message : change.message(as: view.kind)
    }

    private func turn(to change: TodoChange) {
        guard change !== self.change else { return }
        self.change = change
        bodies.removeAll(keepingCapacity: true)
        wholes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }
}
