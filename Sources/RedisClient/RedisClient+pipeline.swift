import EventLoop

extension RedisClient {
    /// The replies to commands that leave together; one that was refused is an error among them.
    ///
    /// - Throws: ``RedisError`` when the connection fails.
    package func pipelined(_ commands: [RedisCommand]) async throws(RedisError) -> [RedisValue] {
        try await Pipeline.replies(to: commands) { (command) async throws(RedisError) in try await self.send(command) }
    }
}

extension RedisNode {
    /// The replies of this node to commands that leave together; one that was refused is an error among them.
    ///
    /// - Throws: ``RedisError`` when the connection fails.
    package func pipelined(_ commands: [RedisCommand]) async throws(RedisError) -> [RedisValue] {
        try await Pipeline.replies(to: commands) { (command) async throws(RedisError) in try await self.send(command) }
    }
}

/// Sends commands without waiting for the answers in between.
@LoopActor
private enum Pipeline {
    static func replies(
        to commands: [RedisCommand],
        by send: @escaping @LoopActor (RedisCommand) async throws(RedisError) -> RedisValue
    ) async throws(RedisError) -> [RedisValue] {
        let tasks = commands.map { command in
            Task { @LoopActor () -> Result<RedisValue, RedisError> in
                do throws(RedisError) {
                    return .success(try await send(command))
                } catch .server(let error) {
                    return .success(.error(error))
                } catch {
                    return .failure(error)
                }
            }
        }
        var replies: [RedisValue] = []
        for task in tasks { replies.append(try await task.value.get()) }
        return replies
    }
}
