import EventLoop
import RedisClient
import TodoMate

extension TodoFunctions {
    /// One `FCALL_RO todomate_latest`.
    ///
    /// If the log is gone while todos exist, a new history begins first: without one, the state has no id.
    func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        let id = try await readLatestChangeID(of: uid)
        guard id == .lost, try await beginAnew(uid) else { return id }
        return try await readLatestChangeID(of: uid)
    }

    /// The same, but for a log that is gone: that is `ChangeID.lost`.
    func readLatestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
        let reply = try await call("todomate_latest", uid, [], readsOnly: true, isRepeatable: true)
        guard let id = reply.string.flatMap({ ChangeID($0) }) else {
            throw .broken("the log of \(uid) has an entry that is no change: inspect it with redis-cli XRANGE")
        }
        return id
    }
}
