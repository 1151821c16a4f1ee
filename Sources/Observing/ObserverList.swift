/// The observers of one topic, in the order in which they were added.
///
/// Removing leaves a gap, found through an index by identity, and gaps are closed when they are as many as the observers:
/// adding and removing cost the same however many there are. While events are being delivered nothing moves, so that places stay
/// valid whatever the observers do.
///
/// Delivery is inlined into the code that knows the event's type: as generic code it is ten times as slow. The places lie in
/// the list's own memory, where reading one is a single load.
@usableFromInline
final class ObserverList<Event> {
    @usableFromInline
    struct Waiting {
        @usableFromInline var event: Event
        /// Observers added after the event was notified do not receive it.
        @usableFromInline var end: Int

        @inlinable
        init(event: Event, end: Int) {
            self.event = event
            self.end = end
        }
    }

    @usableFromInline var places: UnsafeMutablePointer<ObserverPlace<Event>>
    private var capacity = 4
    /// How many places are in use, gaps included.
    // Here and below without the runtime's check for overlapping accesses: numbers and flags, read and written in one step.
    @exclusivity(unchecked) @usableFromInline var used = 0
    /// Whether there are newcomers or gaps to handle once an event is delivered: one check instead of two.
    @exclusivity(unchecked) @usableFromInline var isUnsettled = false
    /// Observers added while events are being delivered: they get their places afterwards.
    @usableFromInline var newcomers: [ObserverPlace<Event>] = []
    /// Gaps made while events are being delivered: they are emptied afterwards, as the delivery may stand at one of them.
    private var gaps: [Int] = []
    private var index: [ObjectIdentifier: Int] = [:]
    @usableFromInline var waiting: [Waiting] = []
    /// How many observers there are, not counting gaps.
    @exclusivity(unchecked) @usableFromInline private(set) var count = 0
    /// Whether an event is being delivered.
    @exclusivity(unchecked) @usableFromInline var isDelivering = false

    @usableFromInline
    init() { places = .allocate(capacity: capacity) }

    deinit {
        for place in 0..<used { places[place].empty() }
        places.deinitialize(count: used)
        places.deallocate()
    }

    /// False when it was there already.
    @discardableResult
    @usableFromInline
    func add(_ identity: ObjectIdentifier, _ place: ObserverPlace<Event>) -> Bool {
        if let old = index[identity] {
            guard !isAlive(at: old) else {
                var place = place
                place.empty()
                return false
            }
            leaveGap(at: old)
        }
        index[identity] = used + newcomers.count
        count += 1
        if isDelivering {
            newcomers.append(place)
            isUnsettled = true
        } else {
            append(place)
        }
        return true
    }

    /// False when it was not there.
    @usableFromInline
    func remove(_ observer: AnyObject) -> Bool {
        guard let place = index.removeValue(forKey: ObjectIdentifier(observer)) else { return false }
        let wasThere = isAlive(at: place)
        leaveGap(at: place)
        closeGapsIfMany()
        return wasThere
    }

    /// Delivers to all observers, or queues the event if another one is being delivered.
    @inlinable
    func notify(_ event: Event) {
        guard !isDelivering else {
            waiting.append(Waiting(event: event, end: used + newcomers.count))
            return
        }
        isDelivering = true
        deliver(event, upTo: used)
        while !waiting.isEmpty {
            let due = waiting
            waiting = []
            for next in due {
                if isUnsettled { settle() }
                deliver(next.event, upTo: next.end)
            }
        }
        isDelivering = false
        if isUnsettled { settle() }
    }

    @inlinable
    func deliver(_ event: Event, upTo end: Int) {
        // Nothing moves meanwhile, and a pointer needs no checks for exclusive access.
        let places = places
        var hasDead = false
        for place in 0..<end {
            // Checked one by one: the observer before may have removed this one.
            guard !places[place].isGap else { continue }
            guard let observer = places[place].observer.unsafelyUnwrapped.retained() else {
                hasDead = true
                continue
            }
            places[place].receiver._withUnsafeGuaranteedRef { $0.receive(observer, event) }
            ObserverReference.release(observer)
        }
        if hasDead { dropDead() }
    }

    /// Turns deallocated observers into gaps.
    @usableFromInline
    func dropDead() {
        for place in 0..<used where !places[place].isGap && !places[place].isAlive { leaveGap(at: place) }
        closeGapsIfMany()
    }

    /// Empties gaps and gives newcomers their places, between two events or after the last one.
    @usableFromInline
    func settle() {
        isUnsettled = false
        let due = gaps
        gaps = []
        for place in due { places[place].empty() }
        let added = newcomers
        newcomers = []
        for place in added { append(place) }
        closeGapsIfMany()
    }

    private func append(_ place: ObserverPlace<Event>) {
        if used == capacity {
            capacity *= 2
            let larger = UnsafeMutablePointer<ObserverPlace<Event>>.allocate(capacity: capacity)
            larger.moveInitialize(from: places, count: used)
            places.deallocate()
            places = larger
        }
        (places + used).initialize(to: place)
        used += 1
    }

    private func isAlive(at place: Int) -> Bool {
        place < used ? places[place].isAlive : newcomers[place - used].isAlive
    }

    private func leaveGap(at place: Int) {
        if place >= used {
            guard !newcomers[place - used].isGap else { return }
            newcomers[place - used].empty()
        } else {
            guard !places[place].isGap else { return }
            places[place].isGap = true
            if isDelivering {
                gaps.append(place)
                isUnsettled = true
            } else {
                places[place].empty()
            }
        }
        count -= 1
    }

    private func closeGapsIfMany() {
        // A list without observers is dropped as it is.
        guard !isDelivering, count > 0, used > 2 * count else { return }
        var newPlaces: [Int: Int] = [:]
        for place in 0..<used where !places[place].isGap {
            let end = newPlaces.count
            newPlaces[place] = end
            if place > end { (places + end).update(from: places + place, count: 1) }
        }
        (places + newPlaces.count).deinitialize(count: used - newPlaces.count)
        used = newPlaces.count
        index = index.compactMapValues { newPlaces[$0] }
    }
}
