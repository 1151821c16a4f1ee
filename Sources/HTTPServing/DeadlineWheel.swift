/// Tells which of many items are due, with one timer for all: a hashed wheel of slots, one a tick.
///
/// An item whose deadline was moved meanwhile is put back when it is due, so that moving a
/// deadline costs nothing.
struct DeadlineWheel<Item: Hashable> {
    /// Where an item waits.
    struct Slot: Equatable { fileprivate let index: Int }

    private var slots: [Set<Item>]
    private var now = 0

    /// - Parameter slots: how many ticks it looks ahead; what is due later comes round early.
    init(slots: Int) { self.slots = Array(repeating: [], count: slots) }

    /// Puts an item where it comes up after so many ticks.
    mutating func add(_ item: Item, after ticks: Int) -> Slot {
        let index = (now + min(max(ticks, 1), slots.count - 1)) % slots.count
        slots[index].insert(item)
        return Slot(index: index)
    }

    mutating func remove(_ item: Item, from slot: Slot) { slots[slot.index].remove(item) }

    /// Goes on by one tick and takes out what comes up.
    mutating func advance() -> Set<Item> {
        now = (now + 1) % slots.count
        defer { slots[now] = [] }
        return slots[now]
    }
}
