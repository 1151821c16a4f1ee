import EventLoop
import TodoMate

/// Lists that were read of late, to be handed out again while the user's latest change is still the same.
///
/// Whoever takes one out asks Redis for that change first, so that a list is never older than the question. What a hand has
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
        var used: Int
    }

    /// Of the todos; with the texts for each access it may be four times as much.
    private static let mostBytes = 8 << 20
    private static let lifetime = Duration.seconds(10)

    private var entries: [Key: Entry] = [:]
    private var bytes = 0
    private var uses = 0

    /// The list that was kept last, which may be too old.
    func list(_ key: Key) -> TodoList? { entries[key].flatMap { $0.end > .now ? $0.list : nil } }

    /// The list, if it is as of this change.
    mutating func list(_ key: Key, asOf id: ChangeID) -> TodoList? {
        guard let list = list(key), list.id == id else { return nil }
        uses += 1
        entries[key]?.used = uses
        return list
    }

    /// How long the list that is kept may be handed out still.
    func lifetimeLeft(_ key: Key) -> Duration {
        entries[key].map { ContinuousClock.now.duration(to: $0.end) } ?? Self.lifetime
    }

    /// Keeps a list, and lets go of those that nobody asked for longest. One that has no place in a log is not kept, nor one
    /// that would take all the room.
    mutating func keep(_ list: TodoList, _ key: Key, for lifetime: Duration = ListCache.lifetime) {
        drop(key)
        guard list.id != .lost, list.byteCount <= Self.mostBytes else { return }
        uses += 1
        entries[key] = Entry(list: list, end: .now + lifetime, used: uses)
        bytes += list.byteCount
        while bytes > Self.mostBytes, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key {
            drop(oldest)
        }
    }

    private mutating func drop(_ key: Key) {
        bytes -= entries.removeValue(forKey: key)?.list.byteCount ?? 0
    }
}
