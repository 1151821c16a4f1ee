/// What the connections to the nodes of a cluster amount to together, for those who are told of one connection. No I/O.
struct ClusterConnections {
    private var missing: Set<RedisEndpoint> = []
    private var wasConnected = false

    /// Whether no connection that was made is missing.
    var areComplete: Bool { missing.isEmpty }

    /// What to say when a connection was established, or is not needed any more; nil for nothing.
    mutating func settled(_ endpoint: RedisEndpoint) -> RedisConnectionChange? {
        missing.remove(endpoint)
        guard missing.isEmpty, !wasConnected else { return nil }
        wasConnected = true
        return .connected
    }

    /// What to say when a connection was lost, or not established; nil for nothing.
    mutating func changed(_ change: RedisConnectionChange, _ endpoint: RedisEndpoint) -> RedisConnectionChange? {
        switch change {
        case .connected: return settled(endpoint)
        case .lost(let reason):
            missing.insert(endpoint)
            wasConnected = false
            return .lost("\(endpoint): \(reason)")
        case .failed:
            missing.insert(endpoint)
            wasConnected = false
            return change
        }
    }
}
