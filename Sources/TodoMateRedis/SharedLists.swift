import EventLoop
import TodoMate

/// Reads users' lists once for all who want the same, and keeps them up by the changes since.
@LoopActor
final class SharedLists {
    /// More than that `todomate_short` does not answer.
    private static let longBytes = 64 * 1024

    private let functions: TodoFunctions
    private let reader: ListReader
    private let log: ChangeLog
    private let shortReads = SharedReads<ListCache.Key, ListReader.Answer>()
    private let longReads = SharedReads<ListCache.Key, TodoList>()
    private var cache = ListCache()
    /// Of long lists: one person's second waits until the first has left, another one's does not.
    private let turns = FairTurns(parallel: 64, parallelOfOne: 2, most: .max, mostOfOne: 64)

    init(_ functions: TodoFunctions, _ bulk: BulkConnection, _ log: ChangeLog) {
        self.functions = functions
        self.log = log
        reader = ListReader(functions, bulk, log)
    }

    /// A user's todos of some days, as they were when this was called or later.
    ///
    /// - Parameters:
    ///   - uid: whose todos.
    ///   - days: nil for all.
    ///   - person: who wants them.
    ///   - known: the user's latest change at some time after the call began, where the caller has read it; nil otherwise.
    func list(
        of uid: String,
        in days: ClosedRange<CalendarDate>?,
        for person: String,
        asOf known: ChangeID? = nil
    ) async throws(TodoError) -> ReadList {
        if let list = try await short(of: uid, in: days, asOf: known) { return ReadList(list: list, turn: nil) }
        let key = ListCache.Key(uid: uid, days: days)
        guard let turn = await turns.turn(for: person) else {
            throw .unavailable("\(person) waits for too many long lists at the moment: try again soon")
        }
        // Whoever has waited for a turn knows what was: access may have changed since.
        let latest = try await functions.latestChangeID(of: uid)
        if let list = cache.list(key, asOf: latest) { return ReadList(list: list, turn: turn) }
        let list = try await longReads.value(key) { [self] () throws(TodoError) in try await long(key) }
        return ReadList(list: list, turn: turn)
    }

    /// The same where it is short; nil where it is long.
    func short(
        of uid: String,
        in days: ClosedRange<CalendarDate>?,
        asOf known: ChangeID? = nil
    ) async throws(TodoError) -> TodoList? {
        let key = ListCache.Key(uid: uid, days: days)
        if let entry = cache.list(key) {
            guard entry.byteCount <= Self.longBytes else { return nil }
            let latest = if let known { known } else { try await functions.latestChangeID(of: uid) }
            if let list = cache.list(key, asOf: latest) { return list }
        }
        let answer = try await shortReads.value(key) { [self] () throws(TodoError) in try await reader.short(uid, days)
        }
        guard case .short(let list) = answer else { return nil }
        cache.keep(list, key)
        return list
    }

    /// The list as it is now: the cached one with the changes since, or read again.
    private func long(_ key: ListCache.Key) async throws(TodoError) -> TodoList {
        if let old = cache.list(key), let changes = try await log.changes(of: key.uid, since: old.id) {
            let list = try await old.applying(changes)
            cache.keep(list, key, for: cache.lifetimeLeft(key))
            return list
        }
        let list = try await reader.long(key.uid, key.days)
        cache.keep(list, key)
        return list
    }
}
