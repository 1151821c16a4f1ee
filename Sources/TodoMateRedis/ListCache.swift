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
        var list: TodoListText
        var end: ContinuousClock.Instant
    }

    private static let mostBytes = 16 << 20
    private static let lifetime = Duration.seconds(10)

    private var entries: [Key: Entry] = [:]
    private var bytes = 0

    /// Whether there is one that may still be good.
    func has(_ key: Key) -> Bool { entries[key].map { $0.end > .now } ?? false }

    /// The list, if it is as of this change.
    func list(_ key: Key, asOf id: ChangeID) -> TodoListText? {
        entries[key].flatMap { $0.list.id == id && $0.end > .now ? $0.list : nil }
    }

    /// Keeps a list; when there are too many, none of the others. One that has no place in a log is not kept.
    mutating func keep(_ list: TodoListText, _ key: Key) {
        guard list.id != .lost else { return }
        bytes += list.json.count - (entries[key]?.list.json.count ?? 0)
        if bytes > Self.mostBytes {
            entries = [:]
            bytes = list.json.count
        }
        entries[key] = Entry(list: list, end: .now + Self.lifetime)
    }
}
