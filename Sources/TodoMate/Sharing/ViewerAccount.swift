package import EventLoop

/// Hears what becomes of a viewer's own account.
@LoopActor
package final class ViewerAccount: TodoChangeObserver {
    private let uid: String
    private let service: any TodoRealtimeServiceType
    private let changed: (TodoChange) -> Void
    private let lost: () -> Void

    /// - Parameters:
    ///   - uid: whose account.
    ///   - service: delivers its changes.
    ///   - changed: called with each change of the account.
    ///   - lost: called when some of them may have been missed.
    package init(
        _ uid: String,
        _ service: any TodoRealtimeServiceType,
        changed: @escaping (TodoChange) -> Void,
        lost: @escaping () -> Void
    ) {
        self.uid = uid
        self.service = service
        self.changed = changed
        self.lost = lost
    }

    /// Begins to observe.
    package func open() { service.addObserver(self, for: uid) }

    /// Hears nothing more.
    package func close() { service.removeObserver(self, for: uid) }

    /// Passes the change on.
    package func accountChanged(_ change: TodoChange) { changed(change) }

    /// Says that changes may have been missed.
    package func todosReset(for uid: String) { lost() }

    /// Does nothing: todos are no part of the account.
    package func receive(_ change: TodoChange) {}
}
