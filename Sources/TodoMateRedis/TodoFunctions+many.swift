import EventLoop
import RedisClient
import TodoMate

// Calls for many users at once.
extension TodoFunctions {
    /// Calls a function that only reads, for many users: by one command, or by one a user in a cluster, where what keeps one user's
    /// answer away does not concern the others.
    ///
    /// - Parameter each: is given each answer as it comes, with the number of its user.
    func read(
        _ name: String,
        of uids: [String],
        _ each: @escaping @LoopActor (Int, Result<RedisValue, TodoError>) -> Void
    ) async {
        guard isInCluster else { return await readAtOnce(name, of: uids, each) }
        let tasks = uids.enumerated().map { index, uid in
            Task {
                do throws(TodoError) {
                    let reply = try await call(name, uid, [], readsOnly: true, isRepeatable: true)
                    each(index, .success(reply.array?.first ?? .null))
                } catch {
                    each(index, .failure(error))
                }
            }
        }
        for task in tasks { await task.value }
    }

    private func readAtOnce(
        _ name: String,
        of uids: [String],
        _ each: @LoopActor (Int, Result<RedisValue, TodoError>) -> Void
    ) async {
        guard let first = uids.first else { return }
        var command = RedisCommand("FCALL_RO", name, String(uids.count))
        for uid in uids { command.append(TodoKeys.user(uid)) }
        do throws(TodoError) {
            let values = try await call(command, of: first, isRepeatable: true, whenFull: nil).array ?? []
            for index in uids.indices { each(index, .success(index < values.count ? values[index] : .null)) }
        } catch {
            for index in uids.indices { each(index, .failure(error)) }
        }
    }
}
