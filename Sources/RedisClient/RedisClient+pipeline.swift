import EventLoop

extension RedisClient {
    /// The replies to commands that leave together; one that was refused is an error among them.
    ///
    /// - Throws: ``RedisError`` when the connection fails.
    package func pipelined(_ commands: [RedisCommand]) async throws(RedisError) -> [RedisValue] {
        let tasks = commands.map { command in
            Task { @LoopActor () -> Result<RedisValue, RedisError> in
                do throws(RedisError) {
                    return .success(try await self.send(command))
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
