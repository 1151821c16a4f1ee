/// The observers of one topic, in the order in which they were added.
///
/// Removing leaves a gap, found through an index by identity, and gaps are closed when they are as many as the observers:
/// adding and removing cost the same however many there are. While events are being told nothing moves, so that places stay
/// valid whatever the observers do.
final class ObserverList<Event> {
    private struct Waiting {
        var event: Event
        /// Observers added after the event was notified are not told of it.
        var end: Int
    }

    /// Nil marks a gap.
    private var slots: ContiguousArray<ObserverSlot<Event>?> = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var waiting: [Waiting] = []
    /// How many observers there are, not counting gaps.
    private(set) var count = 0
    /// Whether an event is being told.
    private(set) var isTelling = false

    /// False when it was there already.
    @discardableResult
    func add<Target: AnyObject>(_ observer: Target, _ receive: @escaping (Target, Event) -> Void) -> Bool {
        let identity = ObjectIdentifier(observer)
        if let place = places[identity] {
            // A new object can have the address, and so the identity, of one that died.
            guard slots[place]?.isAlive != true else { return false }
            leaveGap(at: place)
        }
        places[identity] = slots.count
        slots.append(TypedObserverSlot(observer, receive))
        count += 1
        return true
    }

    /// False when it was not there.
    func remove(_ observer: AnyObject) -> Bool {
        guard let place = places.removeValue(forKey: ObjectIdentifier(observer)) else { return false }
        let wasThere = slots[place]?.isAlive == true
        leaveGap(at: place)
        closeGapsIfMany()
        return wasThere
    }

    /// Tells all observers, or has the telling that is under way do so afterwards.
    func notify(_ event: Event) {
        guard !isTelling else {
            waiting.append(Waiting(event: event, end: slots.count))
            return
        }
        isTelling = true
        tell(event, upTo: slots.count)
        while !waiting.isEmpty {
            let due = waiting
            waiting = []
            for next in due { tell(next.event, upTo: next.end) }
        }
        isTelling = false
        closeGapsIfMany()
    }

    private func tell(_ event: Event, upTo end: Int) {
        var hasDead = false
        for place in 0..<end {
            // Looked up one by one: the observer before may have removed this one.
            if let slot = slots[place], !slot.tell(event) { hasDead = true }
        }
        if hasDead { dropDead() }
    }

    /// Turns dead observers into gaps.
    func dropDead() {
        for place in slots.indices where slots[place]?.isAlive == false { leaveGap(at: place) }
        closeGapsIfMany()
    }

    private func leaveGap(at place: Int) {
        guard slots[place] != nil else { return }
        slots[place] = nil
        count -= 1
    }

    private func closeGapsIfMany() {
        guard !isTelling, slots.count > 2 * count else { return }
        var newPlaces: [Int: Int] = [:]
        for place in slots.indices where slots[place] != nil { newPlaces[place] = newPlaces.count }
        slots.removeAll { $0 == nil }
        places = places.compactMapValues { newPlaces[$0] }
    }
}
