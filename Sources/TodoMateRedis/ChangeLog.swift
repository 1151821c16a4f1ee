import EventLoop
import RedisClient
import TodoMate

/// Reads users' logs of changes, the same part once for all concurrent readers.
@LoopActor
final class ChangeLog {
    private struct Key: Hashable {
        let uid: String
        let id: ChangeID
        let bytes: Int?
    }

    /// So much of a log is read at a time: more would hold Redis for milliseconds.
    private static let partBytes = 64 * 1024

    private let bulk: BulkConnection
    private let reads = SharedReads<Key, [TodoChange]?>()
    /// Of what is long: each part holds Redis for a moment, and others get in between. What is short is not held up.
    private let turns = FairTurns(parallel: 4, parallelOfOne: 1, most: .max, mostOfOne: .max)

    init(_ bulk: BulkConnection) { self.bulk = bulk }

    /// One `FCALL_RO todomate_since` for what is short, several for what is long; nil where the log does not hold all that was
    /// missed, where that is longer than all todos, and where it is longer than a limit.
    func changes(
        of uid: String,
        since id: ChangeID,
        within bytes: Int? = nil
    ) async throws(TodoError) -> [TodoChange]? {
        try await reads.value(Key(uid: uid, id: id, bytes: bytes)) { [self] () throws(TodoError) in
            var (changes, last, sent): ([TodoChange], ChangeID, Int) = ([], id, 0)
            while true {
                let turn = sent > 0 ? await turns.turn(for: uid) : nil
                defer { withExtendedLifetime(turn) {} }
                guard let part = try await part(of: uid, since: last, sent) else { return nil }
                changes += part.changes
                sent += part.bytes
                if let bytes, sent > bytes { return nil }
                guard part.bytes >= Self.partBytes, let next = part.changes.last?.id else { return changes }
                last = next
            }
        }
    }

    /// - Returns: the changes, and the bytes of their messages as the log has them, which the function counts: they may be spelled
    ///   otherwise here.
    private func part(
        of uid: String,
        since id: ChangeID,
        _ sent: Int
    ) async throws(TodoError) -> (changes: [TodoChange], bytes: Int)? {
        do throws(TodoError) {
            let words = [id.description, String(Self.partBytes), String(sent)]
            let functions = bulk.functions
            let reply = try await functions.call("todomate_since", uid, words, readsOnly: true, isRepeatable: true)
            let messages = (reply.array ?? []).map { $0.bytes ?? [] }
            return (try Self.changes(messages, of: uid), messages.reduce(0) { $0 + $1.count })
        } catch .gone {
            return nil
        }
    }

    private static func changes(_ messages: [[UInt8]], of uid: String) throws(TodoError) -> [TodoChange] {
        var changes: [TodoChange] = []
        for message in messages {
            do throws(MessageRefusal) {
                changes.append(try TodoChange(message: message, uid: uid))
            } catch {
                throw .broken(
                    "the log of \(uid) has an entry that is no change (\(error)): inspect it with redis-cli XRANGE"
                )
            }
        }
        return changes
    }
}
