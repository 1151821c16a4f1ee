import EventLoop
import TodoMate

/// Cached lists, used while the user's latest change is still the same.
///
/// A reader asks Redis for that change first, so that a list is never older than its request. What a hand has
/// changed in Redis makes no change: therefore lists are kept for ten seconds only.
@LoopActor
struct ListCache {
    struct Key: Hashable {
        var uid: String
        var days: ClosedRange<CalendarDate>?
    }

    private struct Entry {
        var list: TodoList
        var end: ContinuousClock.Instant
    }

    /// What a list may take in memory, with a text of it for each access and the ids.
    private static let mostBytes = 32 << 20
    private static let lifetime = Duration.seconds(10)

    private var entries: [Key: Entry] = [:]
    private var bytes = 0
    /// When expired lists were last dropped.
    private var swept = ContinuousClock.now

    /// How many are kept.
    var count: Int { entries.count }

    /// The list that was kept last, which may be too old.
    func list(_ key: Key) -> TodoList? { entries[key].flatMap { $0.end > .now ? $0.list : nil } }

    /// The list, if it is as of this change.
    func list(_ key: Key, asOf id: ChangeID) -> TodoList? { list(key).flatMap { $0.id == id ? $0 : nil } }

    /// Until when the cached list may be used.
    func lifetimeLeft(_ key: Key) -> Duration {
        entries[key].map { ContinuousClock.now.duration(to: $0.end) } ?? Self.lifetime
    }

    /// Keeps a list; when there are too many, none of the others. One that has no place in a log is not kept, nor one that would
    /// take all the room.
    mutating func keep(_ list: TodoList, _ key: Key, for lifetime: Duration = ListCache.lifetime) {
        guard list.id != .lost, list.mostBytes <= Self.mostBytes else {
            bytes -= entries.removeValue(forKey: key)?.list.mostBytes ?? 0
            return
        }
        let now = ContinuousClock.now
        sweep(at: now)
        let entry = Entry(list: list, end: now + lifetime)
        bytes += list.mostBytes - (entries.updateValue(entry, forKey: key)?.list.mostBytes ?? 0)
        // One by one would take long for a request of many days.
        if bytes > Self.mostBytes { (entries, bytes) = ([key: entry], list.mostBytes) }
    }

    /// Lets go of those whose time is over, now and then.
    mutating func sweep(at now: ContinuousClock.Instant = .now) {
        guard swept.duration(to: now) > Self.lifetime else { return }
        swept = now
        entries = entries.filter { $0.value.end > now }
        bytes = entries.values.reduce(0) { $0 + $1.list.mostBytes }
    }
}
