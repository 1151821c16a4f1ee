/// Slots of which a node has refused something, or taken a subscription away by itself: nothing is asked for there until they have
/// gone to a node that did not, or until the next look.
///
/// Two nodes that each name the other would be asked in turn without end otherwise.
struct PausedSlots {
    private var slots: Set<Int> = []
    private var refusers: [Int: Set<RedisEndpoint>] = [:]

    var isEmpty: Bool { slots.isEmpty }

    func contains(_ slot: Int) -> Bool { slots.contains(slot) }

    /// Pauses a slot.
    ///
    /// - Parameter node: who refused; nil where nobody did.
    mutating func pause(_ slot: Int, refusedBy node: RedisEndpoint? = nil) {
        slots.insert(slot)
        if let node { refusers[slot, default: []].insert(node) }
    }

    /// Goes on with those slots that have moved to a node which has not refused them yet.
    mutating func moved(_ moved: [Int], in topology: ClusterTopology) {
        for slot in moved {
            let hasRefused = topology.owner(of: slot).map { refusers[slot]?.contains($0) ?? false } ?? false
            if !hasRefused { slots.remove(slot) }
        }
    }

    /// Nothing is wanted of a slot any more.
    mutating func forget(_ slot: Int) {
        slots.remove(slot)
        refusers[slot] = nil
    }

    /// Ends all pauses, and forgets who refused.
    ///
    /// - Returns: the slots that were paused.
    mutating func end() -> Set<Int> {
        defer { (slots, refusers) = ([], [:]) }
        return slots
    }
}
