public import EventLoop

/// Hears what becomes of a viewer's own account.
@LoopActor
public final class ViewerAccount: TodoChangeObserver {
    private let uid: String
    private let service: any TodoRealtimeServiceType
    private let changed: (TodoChange) -> Void
    private let lost: () -> Void

    /// - Parameters:
    ///   - uid: whose account.
    ///   - service: delivers its changes.
    ///   - changed: called with each change of the account.
    ///   - lost: called when some of them may have been missed.
    public init(
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

    /// Begins to hear.
    public func open() { service.addObserver(self, for: uid) }

    /// Hears nothing more.
    public func close() { service.removeObserver(self, for: uid) }

    /// Passes the change on.
    public func accountChanged(_ change: TodoChange) { changed(change) }

    /// Says that changes may have been missed.
    public func todosReset(for uid: String) { lost() }

    /// Does nothing: todos are no part of the account.
    public func receive(_ change: TodoChange) {}
}
