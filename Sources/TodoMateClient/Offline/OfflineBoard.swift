import EventLoop
import TodoMate

/// Notifies observers of the viewer's own todos as they are shown here, and of others' as the server shows them.
@LoopActor
final class OfflineBoard: TodoRealtimeServiceType, OfflineBase, TodoChangeObserver {
    private let uid: String
    private let board: LiveBoard
    private weak var own: OfflineTodos?
    /// Called when the viewer's own settings have changed.
    var onSettings: () -> Void = {}

    init(_ uid: String, _ board: LiveBoard) {
        (self.uid, self.board) = (uid, board)
    }

    /// Follows the viewer's own changes from now on, whoever looks: what was done here is sent on top of them.
    func open(_ own: OfflineTodos) {
        self.own = own
        board.addObserver(self, for: uid)
        let isFirst = reached == nil
        Task {
            await board.waitUntilFollowing(uid)
            // What comes first is no reset.
            if isFirst { own.baseReplaced() }
        }
    }

    // MARK: OfflineBase

    var todos: [String: Todo] { board.share(of: uid)?.todos ?? [:] }
    var reached: ChangeID? { board.share(of: uid)?.id }

    // MARK: TodoChangeObserver, of the viewer's own todos

    func receive(_ change: TodoChange) {
        own?.baseChanged(change.todo.id)
        // That its day was made, nothing tells any more but the settings.
        if change.kind == .removed, Routine.parts(ofID: change.todo.id) != nil { onSettings() }
    }

    func accountChanged(_ change: TodoChange) {
        own?.accountChanged(change)
        if change.kind == .settings { onSettings() }
    }

    func todosReset(for uid: String) { own?.baseReplaced() }

    // MARK: TodoRealtimeServiceType

    func addObserver(_ observer: some TodoChangeObserver, for uid: String) {
        if uid == self.uid { own?.add(observer) } else { board.addObserver(observer, for: uid) }
    }

    func removeObserver(_ observer: some TodoChangeObserver, for uid: String) {
        if uid == self.uid { own?.remove(observer) } else { board.removeObserver(observer, for: uid) }
    }

    /// Returns as soon as there is something to show, with or without a network.
    func waitUntilFollowing(_ uid: String) async {
        if uid == self.uid { await own?.waitUntilKnown() } else { await board.waitUntilFollowing(uid) }
    }

    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot {
        guard uid == self.uid else { return try await board.snapshot(of: uid, in: days) }
        await own?.waitUntilKnown()
        guard let own, own.isKnown else { throw .unavailable("the todos of \(uid) were closed") }
        return own.snapshot(in: days)
    }

    var observedUsers: [String] { board.observedUsers.filter { $0 != uid || observerCount(of: uid) > 0 } }

    func observerCount(of uid: String) -> Int {
        uid == self.uid ? own?.observerCount ?? 0 : board.observerCount(of: uid)
    }

    func isFollowing(_ uid: String) -> Bool { uid == self.uid ? own?.isKnown ?? false : board.isFollowing(uid) }

    func lastDelivered(of uid: String) -> ChangeID? { uid == self.uid ? own?.id : board.lastDelivered(of: uid) }
}
