extension RedisClient {
    /// A page of the keys that match a pattern, by [SCAN](https://redis.io/docs/latest/commands/scan/), and where the next one
    /// begins; nil at the end. A key that is there all the time is on some page, and may be on several.
    ///
    /// - Parameters:
    ///   - pattern: as of [KEYS](https://redis.io/docs/latest/commands/keys/).
    ///   - cursor: `0` for the first page.
    package func keys(
        matching pattern: String,
        at cursor: String
    ) async throws(RedisError) -> (keys: [String], next: String?) {
        let reply = try await send(RedisCommand("SCAN", cursor, "MATCH", pattern, "COUNT", "1000")).array ?? []
        let next = reply.first?.string ?? "0"
        return ((reply.last?.array ?? []).compactMap(\.string), next == "0" ? nil : next)
    }
}
