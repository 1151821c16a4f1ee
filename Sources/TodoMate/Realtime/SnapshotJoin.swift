/// Joins a snapshot with the changes that arrive around it, without a seam.
///
/// Register for changes first, then read the snapshot: what arrives in between is held, and of it what the snapshot
/// already contains is dropped.
public struct SnapshotJoin<Change> {
    private enum State {
        case waiting([Change])
        case joined(at: ChangeID)
    }

    private let id: (Change) -> ChangeID?
    private var state = State.waiting([])

    /// Waits for a snapshot.
    ///
    /// - Parameter id: the id of a change, nil for one that was only published.
    public init(id: @escaping (Change) -> ChangeID?) { self.id = id }

    /// Whether a snapshot is there.
    public var isJoined: Bool { if case .joined = state { true } else { false } }

    /// Takes a change; true when it is to be applied now.
    public mutating func receive(_ change: Change) -> Bool {
        switch state {
        case .joined(let snapshot): return isNewer(change, than: snapshot)
        case .waiting(var held):
            // The state lets go of the array first, so that it grows in place.
            state = .waiting([])
            // What was only published is overruled by the snapshot that is to come.
            if id(change) != nil { held.append(change) }
            state = .waiting(held)
            return false
        }
    }

    /// Takes the snapshot's id and returns the held changes that are to be applied on top of it.
    public mutating func join(at snapshot: ChangeID) -> [Change] {
        guard case .waiting(let held) = state else { return [] }
        state = .joined(at: snapshot)
        return held.filter { isNewer($0, than: snapshot) }
    }

    /// Waits for another snapshot.
    public mutating func restart() { state = .waiting([]) }

    private func isNewer(_ change: Change, than snapshot: ChangeID) -> Bool {
        guard let id = id(change) else { return true }
        return id.version > snapshot.version
    }
}
