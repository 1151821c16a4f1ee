/// Joins a snapshot with the changes that arrive around it, without a gap or a repeat.
///
/// Add the observer first, then read the snapshot: changes that arrive in between are held, and those that the snapshot already
/// contains are dropped. When Redis was emptied, a last change of the old history may arrive after a snapshot of the new one;
/// it is not applied, and ``needsSnapshot`` asks for another snapshot instead; likewise when a failover has lost what the snapshot has.
public struct SnapshotJoin<Change> {
    @usableFromInline
    enum State {
        case waiting([Change])
        case joined(at: ChangeID)
        case doubtful
    }

    @usableFromInline let id: (Change) -> ChangeID?
    @usableFromInline var state = State.waiting([])

    /// Waits for a snapshot.
    ///
    /// - Parameter id: the id of a change, nil for one that was only published.
    @inlinable
    public init(id: @escaping (Change) -> ChangeID?) { self.id = id }

    /// Whether a snapshot was joined.
    public var isJoined: Bool { if case .joined = state { true } else { false } }

    /// Whether the snapshot and what has arrived since may be of different histories: call ``restart()`` and read another one.
    @inlinable
    public var needsSnapshot: Bool { if case .doubtful = state { true } else { false } }

    /// Receives a change; true when it is to be applied now. When it is not, look at ``needsSnapshot``.
    @inlinable
    public mutating func receive(_ change: Change) -> Bool {
        switch state {
        case .joined(let snapshot):
            guard let id = id(change) else { return true }
            guard id.mayBeOfAnotherHistory(than: snapshot) else { return id.version > snapshot.version }
            state = .doubtful
            return false
        // The snapshot that is to be read contains it.
        case .doubtful: return false
        case .waiting(var held):
            // The state releases the array first, so that it grows in place.
            state = .waiting([])
            // What was only published is overruled by the snapshot that is to come.
            if id(change) != nil { held.append(change) }
            state = .waiting(held)
            return false
        }
    }

    /// Takes the snapshot's id and returns the held changes that are to be applied on top of it. Look at ``needsSnapshot``
    /// afterwards.
    @inlinable
    public mutating func join(at snapshot: ChangeID) -> [Change] {
        guard case .waiting(let held) = state else { return [] }
        state = .joined(at: snapshot)
        return held.filter { receive($0) }
    }

    /// Waits for another snapshot.
    @inlinable
    public mutating func restart() { state = .waiting([]) }
}
