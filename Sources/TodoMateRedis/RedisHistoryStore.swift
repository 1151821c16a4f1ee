package import EventLoop
import RedisClient
package import TodoMate

/// What users' logs in Redis say became of todos, read in parts that each hold Redis for a moment only.
@LoopActor
package final class RedisHistoryStore: HistoryStoreType {
    /// How often a log that is trimmed or replaced meanwhile is read from its end again.
    private static let attempts = 3

    private let bulk: BulkConnection

    init(_ bulk: BulkConnection) { self.bulk = bulk }

    package func history(
        of id: String,
        of uid: String,
        before change: ChangeID?
    ) async throws(TodoError) -> TodoHistory {
        try TodoBounds.id(id)
        let found = try await read(id, uid, change)
        guard change != nil || found.todo != nil || !found.entries.isEmpty else { throw .unknown(id, of: uid) }
        return found
    }

    package func removed(of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory {
        try await read("", uid, change)
    }

    private func read(_ id: String, _ uid: String, _ change: ChangeID?) async throws(TodoError) -> TodoHistory {
        for _ in 0..<Self.attempts {
            if let history = try await attempt(id, uid, change) { return history }
        }
        throw .unavailable("the log of \(uid) changes faster than it can be read: try again")
    }

    /// Nil where the log was replaced or trimmed between two parts.
    private func attempt(_ id: String, _ uid: String, _ change: ChangeID?) async throws(TodoError) -> TodoHistory? {
        var (history, place, isFirst): (TodoHistory?, ChangeID?, Bool) = (nil, change, true)
        var (bytes, seen): (Int, Set<String>) = (0, [])
        repeat {
            let part: HistoryPart
            do throws(TodoError) {
                part = try await self.part(id, uid, before: place, isFirst)
            } catch .gone {
                guard isFirst, let change else { return nil }
                throw .gone(change, of: uid)
            }
            var found = history ?? TodoHistory(todo: part.todo, since: nil, reach: part.reach)
            // What was trimmed meanwhile is told all the same.
            (found.since, found.reach) = (part.since, part.reach)
            for (message, device) in part.changes {
                let entry = try Self.entry(message, device, of: uid)
                // Parts do not know of one another: of several removals the last one counts.
                guard !id.isEmpty || seen.insert(entry.todo.id).inserted else { continue }
                guard found.entries.count < TodoHistory.most, bytes < TodoHistory.bytesMost else {
                    found.hasMore = true
                    return found
                }
                found.entries.append(entry)
                bytes += message.count
            }
            (history, place, isFirst) = (found, part.next, false)
            await LoopActor.shareTurn()
        } while place != nil
        return history
    }

    private func part(
        _ id: String,
        _ uid: String,
        before change: ChangeID?,
        _ isFirst: Bool
    ) async throws(TodoError) -> HistoryPart {
        let words = [id, change?.description ?? "", "devices"]
        let functions = bulk.functions
        let reply = try await functions.call("todomate_history", uid, words, readsOnly: true, isRepeatable: true)
        return try HistoryPart(reply, id, isFirst)
    }

    private static func entry(
        _ message: [UInt8],
        _ device: WritingDevice?,
        of uid: String
    ) throws(TodoError) -> TodoHistory.Entry {
        do throws(MessageRefusal) {
            guard let entry = TodoHistory.Entry(try TodoChange(message: message, uid: uid), by: device) else {
                throw .badField("type")
            }
            return entry
        } catch {
            throw .broken(
                "the log of \(uid) has an entry that is no change (\(error)): inspect it with redis-cli XRANGE"
            )
        }
    }
}

/// What one call of `todomate_history` answered.
private struct HistoryPart {
    /// Of the first part alone: to read it again from each costs as much as it is long.
    let todo: Todo?
    let since: Int?
    let reach: TodoHistory.Reach
    /// Nil at the end.
    let next: ChangeID?
    let changes: [(message: [UInt8], device: WritingDevice?)]

    init(_ reply: RedisValue, _ id: String, _ isFirst: Bool) throws(TodoError) {
        let words = reply.array ?? []
        guard words.count >= 4, words.count.isMultiple(of: 2),
            let reach = words[2].string.flatMap(TodoHistory.Reach.init)
        else {
            throw .broken("todomate_history answered something that is no history")
        }
        self.reach = reach
        todo = !isFirst || (words[0].bytes ?? []).isEmpty ? nil : try TodoJSON.stored(words[0], id).todo
        since = ChangeID(words[1].string ?? "")?.microseconds
        next = ChangeID(words[3].string ?? "")
        changes = stride(from: 4, to: words.count, by: 2).map { index in
            (words[index].bytes ?? [], words[index + 1].string.flatMap(WritingDevice.init))
        }
    }
}
