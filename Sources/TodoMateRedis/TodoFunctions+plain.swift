import EventLoop
import RedisClient
import TodoMate

// Commands that are no functions.
extension TodoFunctions {
    /// Sends a command that is no function.
    ///
    /// - Parameter isRepeatable: whether to send it again, once, when the connection broke before the answer came.
    func plain(_ command: RedisCommand, isRepeatable: Bool = false) async throws(TodoError) -> RedisValue {
        do throws(RedisError) {
            do throws(RedisError) {
                return try await client.send(command)
            } catch .connectionLost where isRepeatable {
                return try await client.send(command)
            }
        } catch {
            throw TodoError(error)
        }
    }

    /// The members of a hash or a sorted set, by pages.
    func members(of key: String, _ kind: MemberPages<TodoError>.Kind) -> MemberPages<TodoError> {
        MemberPages(of: key, kind) { [self] (command) async throws(TodoError) in
            try await plain(command, isRepeatable: true)
        }
    }

    /// Sends commands that are no functions, and that may be sent twice, all at once.
    func plain(_ commands: [RedisCommand]) async throws(TodoError) -> [RedisValue] {
        let answers = commands.map { command in
            Task { () async -> Result<RedisValue, TodoError> in
                do throws(TodoError) {
                    return .success(try await plain(command, isRepeatable: true))
                } catch {
                    return .failure(error)
                }
            }
        }
        var values: [RedisValue] = []
        for answer in answers { values.append(try await answer.value.get()) }
        return values
    }
}
