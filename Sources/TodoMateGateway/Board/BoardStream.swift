import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// One reader's stream of a board: several owners' todos, each as far as the viewer may see it, and the viewer's own account.
@LoopActor
final class BoardStream: ShareObserver {
    private let viewer: String
    private let users: [String]
    private let days: ClosedRange<CalendarDate>?
    private let stream: EventStream
    private let context: StreamContext
    private var cursor: BoardCursor
    /// The cursor has moved past changes that were not delivered to the reader.
    private var isCursorUnsent = false
    private var shares: [Share] = []
    /// The access by which something of a share was sent last, by the share's place.
    private var sentAccess: [Int: Access] = [:]
    private var account: ViewerAccount?
    private var badges: BadgeWatch?

    init(
        _ users: [String],
        viewer: String,
        days: ClosedRange<CalendarDate>?,
        zone: TimeZone?,
        stream: EventStream,
        context: StreamContext
    ) {
        self.viewer = viewer
        self.users = users
        self.days = days
        self.stream = stream
        self.context = context
        cursor = BoardCursor(users: users)
        account = ViewerAccount(
            viewer,
            context.service,
            changed: { [weak self] in self?.accountChanged($0) },
            lost: { [weak self] in self?.recheckOthers() }
        )
        if let zone {
            badges = BadgeWatch(viewer, zone: zone, from: context.sharing) { [weak self] badges in
                self?.stream.send(EventFrame.event("badges", data: Array(badges.json.utf8)))
            }
        }
    }

    /// Follows all of them, each from where the reader's cursor says; the viewer's own todos also from the id of a list of them.
    func open(after last: String?) {
        var places = last.map(BoardCursor.places) ?? [:]
        if places.isEmpty, let id = last.flatMap({ ChangeID($0) }) { places[BoardCursor.hash(viewer)] = (.own, id) }
        account?.open()
        shares = users.enumerated().map { index, user in
            Share(user, at: index, viewer: viewer, .todos(in: days), from: context.sharing, observer: self)
        }
        for share in shares { share.open(after: places[BoardCursor.hash(share.owner)]) }
        badges?.open()
    }

    func close() {
        account?.close()
        badges?.close()
        for share in shares { share.close() }
    }

    /// Shows that the connection lives, and where the reader has got to.
    func beat(_ frame: [UInt8]) {
        guard isCursorUnsent else { return stream.send(frame) }
        isCursorUnsent = false
        stream.send(BoardFrames.idLine(cursor.text) + frame)
    }

    /// Looks whether another day has begun where the viewer is.
    func turnDay() { badges?.turnDay() }

    /// Learns whose changes do not come from now on.
    func hear(_ silence: Silence?) { badges?.hear(silence) }

    private func accountChanged(_ change: TodoChange) {
        // The share of the viewer's own todos delivers it in its order among the other changes.
        if !users.contains(viewer) {
            stream.send(context.frames.body(of: change, ChangeView(kind: change.kind)))
        }
        guard let account = change.account, case .relation(let relation) = account else { return }
        shares.first { $0.owner == relation.with }?.viewerChanged(account)
    }

    private func recheckOthers() {
        for share in shares where share.owner != viewer { share.recheck() }
    }

    // MARK: ShareObserver

    func share(_ share: Share, began read: ReadList?, _ access: Access) {
        guard let read else { preconditionFailure("a stream's share begins with todos") }
        guard !mustBreakOff(share, access) else { return stream.closeNow() }
        cursor.set(share.index, access, read.list.id)
        isCursorUnsent = false
        stream.send(BoardFrames.idLine(cursor.text))
        stream.send(context.frames.snapshot(read.list, access, of: share.owner), keeping: read.turn)
    }

    func share(
        _ share: Share,
        resumed last: ChangeID,
        _ access: Access,
        with views: [(change: TodoChange, view: ChangeView)],
        in turn: FairTurn?
    ) {
        sentAccess[share.index] = access
        cursor.set(share.index, access, last)
        // In one piece: a reader is not slow because it missed much.
        var frames: [UInt8] = []
        for (change, view) in views {
            if let id = change.id { cursor.set(share.index, access, id) }
            frames += BoardFrames.idLine(cursor.text)
            frames += EventFrame.event(view.kind.rawValue, data: BoardFrames.data(of: change, view))
        }
        isCursorUnsent = true
        if !frames.isEmpty { stream.send(frames, keeping: turn) }
    }

    /// Whether what waits for the reader may contain what it may not see any more: it reconnects without that, from its cursor.
    private func mustBreakOff(_ share: Share, _ access: Access) -> Bool {
        let before = sentAccess.updateValue(access, forKey: share.index) ?? .none
        return stream.isBehind && before.limited(to: access) != before
    }

    func share(_ share: Share, delivers change: TodoChange, _ view: ChangeView) {
        if let id = change.id, let access = share.access {
            cursor.set(share.index, to: context.frames.entry(of: change, id, access))
        }
        isCursorUnsent = false
        if users.count == 1 {
            // All who follow this one user are at the same place: one frame serves them all.
            return stream.send(context.frames.whole(change, view, at: cursor.text))
        }
        stream.send(BoardFrames.idLine(cursor.text))
        stream.send(context.frames.body(of: change, view))
    }

    func share(_ share: Share, passes change: TodoChange, _ id: ChangeID) {
        guard let access = share.access else { return }
        cursor.set(share.index, to: context.frames.entry(of: change, id, access))
        isCursorUnsent = true
    }

    func shareEnded(_ share: Share) {
        guard !mustBreakOff(share, .none) else { return stream.closeNow() }
        cursor.set(share.index, .none, .zero)
        isCursorUnsent = false
        // With its cursor: a reader that resumes from before it would continue with todos that are hidden now.
        let closed = EventFrame.event("closed", data: Array(JSONObject(["uid": share.owner]).text.utf8))
        stream.send(BoardFrames.idLine(cursor.text) + closed)
    }
}
