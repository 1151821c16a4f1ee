import EventLoop
import RedisClient
import TodoMate

/// Reads users' logs of changes, the same part once for all who ask at the same time.
@LoopActor
final class ChangeLog {
    private struct Key: Hashable {
        let uid: String
        let id: ChangeID
        let bytes: Int?
    }

    private let bulk: BulkConnection
    private let reads = SharedReads<Key, [TodoChange]?>()

    init(_ bulk: BulkConnection) { self.bulk = bulk }

    /// One `FCALL_RO todomate_since`.
    func changes(
        of uid: String,
        since id: ChangeID,
        within bytes: Int? = nil
    ) async throws(TodoError) -> [TodoChange]? {
        try await reads.value(Key(uid: uid, id: id, bytes: bytes)) { [bulk] () throws(TodoError) in
            do throws(TodoError) {
                let words = [id.description] + (bytes.map { [String($0)] } ?? [])
                let reply = try await bulk.functions.call(
                    "todomate_since",
                    uid,
                    words,
                    readsOnly: true,
                    isRepeatable: true
                )
                return try Self.changes(reply.array ?? [], of: uid)
            } catch .gone {
                return nil
            }
        }
    }

    private static func changes(_ messages: [RedisValue], of uid: String) throws(TodoError) -> [TodoChange] {
        var changes: [TodoChange] = []
        for message in messages {
            do throws(MessageRefusal) {
                changes.append(try TodoChange(message: message.bytes ?? [], uid: uid))
            } catch {
                throw .broken(
                    "the log of \(uid) has an entry that is no change (\(error)): look at it with redis-cli XRANGE"
                )
            }
        }
        return changes
    }
}
