/// What becomes of a connection to Redis.
public enum RedisConnectionChange: Sendable, Equatable {
    /// Commands go through.
    case connected
    /// It broke; it is being made again.
    case lost(String)
    /// An attempt to make it failed; the next one follows.
    case failed(RedisError)
}
