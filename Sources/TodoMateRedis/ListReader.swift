import EventLoop
import RedisClient
import TodoMate

/// Reads a user's todos of some days from Redis in parts, so that even the longest list blocks Redis only briefly.
///
/// Few are one answer of one function. Many are read in parts while others write: what changed after the first part began is
/// put right by the log, so that the whole is as of one change ("fuzzy" checkpoints of databases work the same way).
@LoopActor
final class ListReader {
    enum Answer {
        case short(TodoList)
        /// There are more than a function should answer at once.
        case long
    }

    private static let idsTried = 32
    private static let partBytes = 128 * 1024
    private static let partTodos = 256
    private static let attempts = 5

    private let functions: TodoFunctions
    private let bulk: BulkConnection
    private let log: ChangeLog
    /// So many are read at a time, in turn between owners: each part is decoded on the loop, where others wait meanwhile.
    private let turns = FairTurns(parallel: 2, parallelOfOne: 1, most: .max, mostOfOne: .max)

    init(_ functions: TodoFunctions, _ bulk: BulkConnection, _ log: ChangeLog) {
        (self.functions, self.bulk, self.log) = (functions, bulk, log)
    }

    /// One `FCALL_RO todomate_short`.
    func short(_ uid: String, _ days: ClosedRange<CalendarDate>?) async throws(TodoError) -> Answer {
        let list = try await answer(uid, days)
        guard case .short(let read) = list, read.id == .lost, try await functions.beginAnew(uid) else { return list }
        return try await answer(uid, days)
    }

    private func answer(_ uid: String, _ days: ClosedRange<CalendarDate>?) async throws(TodoError) -> Answer {
        let words = Self.words(days)
        let reply = try await functions.call("todomate_short", uid, words, readsOnly: true, isRepeatable: true)
        guard let list = reply.bytes, !list.isEmpty else { return .long }
        return .short(try TodoList(list, in: days))
    }

    /// `ZRANGE` and `HMGET`s, then `todomate_since` where anything has changed meanwhile.
    func long(_ uid: String, _ days: ClosedRange<CalendarDate>?) async throws(TodoError) -> TodoList {
        let turn = await turns.turn(for: uid)
        defer { withExtendedLifetime(turn) {} }
        for _ in 0..<Self.attempts {
            // Before the first part: from here on the log says what the parts do not.
            let first = try await latest(uid)
            if first == .lost, try await functions.beginAnew(uid) { continue }
            let connection = bulk.functions.connectionNumber(of: uid)
            let parts = try await read(try await ids(uid, days), of: uid)
            let list = await TodoList.list(first, parts, in: days)
            let last = try await latest(uid)
            // A server that lost its tail meanwhile may be at the same change again, and the parts from before that.
            guard connection != 0, connection == bulk.functions.connectionNumber(of: uid) else { continue }
            guard last != first, first != .lost else { return list }
            if let changes = try await log.changes(of: uid, since: first) { return try await list.applying(changes) }
        }
        throw .unavailable("the todos of \(uid) change faster than they can be read: try again")
    }

    private func latest(_ uid: String) async throws(TodoError) -> ChangeID {
        try await bulk.functions.readLatestChangeID(of: uid)
    }

    private func ids(_ uid: String, _ days: ClosedRange<CalendarDate>?) async throws(TodoError) -> [[UInt8]] {
        let (first, last) = (Self.words(days).first ?? "-inf", Self.words(days).last ?? "+inf")
        let key = TodoKeys.key(.days, of: uid)
        return try await DayPages.ids { (start, count) throws(TodoError) in
            let bounds = ["BYSCORE", "LIMIT", String(start), String(count), "WITHSCORES"]
            var command = RedisCommand("ZRANGE", key, first, last)
            for word in bounds { command.append(word) }
            let words = try await bulk.functions.plain(command).array ?? []
            return stride(from: 0, to: words.count - 1, by: 2).map {
                DayPages.Entry(id: words[$0].bytes ?? [], day: words[$0 + 1].bytes ?? [])
            }
        }
    }

    private func read(_ ids: [[UInt8]], of uid: String) async throws(TodoError) -> TodoParts {
        var (parts, next, count) = (TodoParts(), 0, Self.idsTried)
        while next < ids.count {
            var command = RedisCommand("HMGET", TodoKeys.key(.todos, of: uid))
            let part = ids[next..<min(next + count, ids.count)]
            for id in part { command.append(id) }
            var bytes = 0
            for todo in try await bulk.functions.plain(command).array ?? [] {
                // One that is gone by now is in the log.
                guard let todo = todo.bytes else { continue }
                bytes += todo.count
                try parts.append(todo)
                await LoopActor.shareTurn()
            }
            next += part.count
            // As many as are likely to fit, by what those before weigh.
            let fitting = Self.partBytes * part.count / max(bytes, 1)
            count = min(max(fitting, 1), count * 4, Self.partTodos)
        }
        return parts
    }

    private static func words(_ days: ClosedRange<CalendarDate>?) -> [String] {
        days.map { [String($0.lowerBound.ordinal), String($0.upperBound.ordinal)] } ?? []
    }
}
