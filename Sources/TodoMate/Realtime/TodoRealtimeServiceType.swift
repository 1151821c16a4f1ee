public import EventLoop

/// The subject of the todos: notifies each user's observers of the changes of that user's todos.
@LoopActor
public protocol TodoRealtimeServiceType: AnyObject, Sendable {
    /// Notifies `observer` of the changes of `uid` from now on; adding it again changes nothing.
    func addObserver(_ observer: some TodoChangeObserver, for uid: String)
    /// Stops notifying `observer` of the changes of `uid`; it is not called again once this returns.
    func removeObserver(_ observer: some TodoChangeObserver, for uid: String)
    /// Returns once every further change of an observed user will be delivered; waits for Redis as long as it takes. Returns
    /// at once for a user without observers.
    func waitUntilFollowing(_ uid: String) async
    /// The todos of an observed user, such that the changes delivered to observers continue from them: ignore those that are
    /// not newer than its `id` (``SnapshotJoin`` does).
    ///
    /// Waits for Redis as long as the user is observed.
    func snapshot(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoSnapshot
    /// The same as JSON text: much cheaper where the todos themselves are not needed.
    func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText
    /// The users who have observers in this process.
    var observedUsers: [String] { get }
    /// The number of a user's observers in this process.
    func observerCount(of uid: String) -> Int
    /// Whether every change of a user that is published from now on will be delivered here.
    func isFollowing(_ uid: String) -> Bool
    /// The last change that observers of a user were told, or that was the last when following began; nil while not every change is
    /// delivered.
    func lastDelivered(of uid: String) -> ChangeID?
    /// Looks the latest change of an observed user up, soon, and goes on from there if it is another one.
    func lookUpLatest(of uid: String)
}

extension TodoRealtimeServiceType {
    /// Reads a snapshot and encodes it.
    public func list(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoListText {
        TodoListText(try await snapshot(of: uid, in: days))
    }
    /// False: nothing is known.
    public func isFollowing(_ uid: String) -> Bool { false }
    /// Nil: nothing is known.
    public func lastDelivered(of uid: String) -> ChangeID? { nil }
    /// Nothing: nothing was delivered that could be behind.
    public func lookUpLatest(of uid: String) {}

    /// Notified of sessions that end; held weakly. Only a ``TodoRealtimeService`` learns of any.
    package var sessionObserver: (any SessionObserver)? {
        get { (self as? TodoRealtimeService)?.sessionObserver }
        set { (self as? TodoRealtimeService)?.sessionObserver = newValue }
    }
}

extension TodoRealtimeServiceType {
    /// Refuses what was read of an observed user at a Redis that is behind what observers had been told when the read began, or has
    /// another change in its place: a primary that was replaced while it was asleep answers once more before it knows. What came in
    /// between would be missing, or what was lost would stay.
    ///
    /// - Parameters:
    ///   - id: the change that the read is as of.
    ///   - uid: whose data were read.
    ///   - known: ``lastDelivered(of:)`` from before the read.
    /// - Throws: ``TodoError/unavailable(_:)``: read again. Should Redis have lost changes, following begins anew meanwhile.
    package func check(_ id: ChangeID, of uid: String, isNotBefore known: ChangeID?) throws(TodoError) {
        guard let known, known.version > 0 else { return }
        // An earlier version of a later moment is of a history that began anew: what was delivered here may go on with the old one.
        let isBehind = id.version < known.version
        let isElsewhere = id.version == known.version && id.microseconds != known.microseconds
        guard isBehind || isElsewhere else { return }
        lookUpLatest(of: uid)
        throw .unavailable("a Redis that is behind answered for \(uid): it is asked again")
    }
}
