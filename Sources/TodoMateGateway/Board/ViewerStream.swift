import EventLoop
import HTTPServing
import TodoMate

/// A stream of one owner's changes to another user: its ids are ``ViewerPlace``s, and it ends when the viewer's access
/// changes.
@LoopActor
final class ViewerStream: ShareObserver {
    private let owner: String
    private let viewer: String
    private let stream: EventStream
    private let context: StreamContext
    private var share: Share?
    private var account: ViewerAccount?
    private var access: Access?

    init(
        _ owner: String,
        viewer: String,
        days: ClosedRange<CalendarDate>?,
        stream: EventStream,
        context: StreamContext
    ) {
        self.owner = owner
        self.viewer = viewer
        self.stream = stream
        self.context = context
        share = Share(owner, viewer: viewer, .todos(in: days), from: context.sharing, observer: self)
        account = ViewerAccount(
            viewer,
            context.service,
            changed: { [weak self] in if let account = $0.account { self?.share?.viewerChanged(account) } },
            lost: { [weak self] in self?.share?.recheck() }
        )
    }

    /// - Parameter place: where the reader was; what was missed is replayed only if the access was the same.
    func open(after place: ViewerPlace?) {
        account?.open()
        share?.open(after: place.map { ($0.access, $0.id) })
    }

    func close() {
        account?.close()
        share?.close()
    }

    // MARK: ShareObserver

    func share(_ share: Share, began read: ReadList?, _ access: Access) {
        guard let read else { preconditionFailure("a stream's share begins with todos") }
        guard self.access == nil || self.access == access else { return end() }
        self.access = access
        stream.send(BoardFrames.idLine(Array(ViewerPlace(read.list.id, access).description.utf8)))
        stream.send(context.frames.snapshot(read.list, access), keeping: read.turn)
    }

    func share(
        _ share: Share,
        resumed last: ChangeID,
        _ access: Access,
        with views: [(change: TodoChange, view: ChangeView)],
        in turn: FairTurn?
    ) {
        self.access = access
        let frames = views.flatMap { frame($0, $1, access) }
        if !frames.isEmpty { stream.send(frames, keeping: turn) }
    }

    func share(_ share: Share, delivers change: TodoChange, _ view: ChangeView) {
        guard let access else { return }
        guard let id = change.id else { return stream.send(frame(change, view, access)) }
        stream.send(context.frames.whole(change, view, at: Array(ViewerPlace(id, access).description.utf8)))
    }

    func share(_ share: Share, passes change: TodoChange, _ id: ChangeID) {}

    func shareEnded(_ share: Share) { end() }

    private func end() {
        // What waits for the reader may be what it may not see any more.
        if stream.isBehind { stream.closeNow() } else { stream.close() }
    }

    private func frame(_ change: TodoChange, _ view: ChangeView, _ access: Access) -> [UInt8] {
        let place = change.id.map { ViewerPlace($0, access).description }
        return EventFrame.event(view.kind.rawValue, id: place, data: BoardFrames.data(of: change, view))
    }
}
