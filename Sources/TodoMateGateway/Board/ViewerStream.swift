import EventLoop
import HTTPServing
import TodoMate

/// A stream of one owner's changes to somebody else: with change ids, and over when the viewer's access changes.
@LoopActor
final class ViewerStream: BoardShareSink {
    private let owner: String
    private let viewer: String
    private let stream: EventStream
    private let door: BoardDoor
    private var share: BoardShare?
    private var account: ViewerAccount?
    private var access: Access?

    init(
        _ owner: String,
        viewer: String,
        days: ClosedRange<CalendarDate>?,
        stream: EventStream,
        door: BoardDoor
    ) {
        self.owner = owner
        self.viewer = viewer
        self.stream = stream
        self.door = door
        share = BoardShare(owner, viewer: viewer, days: days, door: door, sink: self)
        // Whoever left has no stream any more: there is nothing to come back to.
        account = ViewerAccount(viewer, door.service, changed: { [weak self] in self?.accountChanged($0) }, lost: {})
    }

    /// - Parameter access: what the viewer may see at this moment; what was missed is told to nobody else.
    func open(after last: ChangeID?, _ access: Access) {
        account?.open()
        share?.open(after: last.map { (access, $0) })
    }

    func close() {
        account?.close()
        share?.close()
    }

    private func accountChanged(_ change: TodoChange) {
        guard case .relation(let relation)? = change.account, relation.with == owner else { return }
        // What is being read, too, may be what followers see.
        let mayFollow = access == nil || access == .followers
        if relation.blocked || relation.following == .none && mayFollow { share?.leave() }
    }

    // MARK: BoardShareSink

    func share(_ share: BoardShare, began snapshot: TodoSnapshot, _ access: Access) {
        guard self.access == nil || self.access == access else { return stream.close() }
        self.access = access
        let list = TodoListText(snapshot)
        stream.send(EventFrame.event("snapshot", id: snapshot.id.description, data: list.json))
    }

    func share(
        _ share: BoardShare,
        resumed last: ChangeID,
        _ access: Access,
        with sights: [(TodoChange, ChangeView)]
    ) {
        self.access = access
        let frames = sights.flatMap { Self.frame($0, $1) }
        if !frames.isEmpty { stream.send(frames) }
    }

    func share(_ share: BoardShare, tells change: TodoChange, _ view: ChangeView) {
        guard let id = change.id else { return stream.send(Self.frame(change, view)) }
        stream.send(door.frames.whole(change, view, at: Array(id.description.utf8)))
    }

    func share(_ share: BoardShare, passes change: TodoChange, _ id: ChangeID) {}

    func shareEnded(_ share: BoardShare) { stream.close() }

    private static func frame(_ change: TodoChange, _ view: ChangeView) -> [UInt8] {
        EventFrame.event(view.kind.rawValue, id: change.id?.description, data: BoardFrames.data(of: change, view))
    }
}
