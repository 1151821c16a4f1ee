/// What the connections to the nodes of a cluster amount to together, for those who are told of one connection. No I/O.
struct ClusterConnections {
    private var missing: Set<RedisEndpoint> = []
    private var isUnknown = false
    private var wasConnected = false

    /// Whether no connection that was made is missing.
    var areComplete: Bool { missing.isEmpty }

    /// What to say when a connection was established, or is not needed any more; nil for nothing.
    mutating func settled(_ endpoint: RedisEndpoint) -> RedisConnectionChange? {
        missing.remove(endpoint)
        return connected()
    }

    /// What to say when a connection was lost, or not established; nil for nothing.
    mutating func changed(_ change: RedisConnectionChange, _ endpoint: RedisEndpoint) -> RedisConnectionChange? {
        if change == .connected { return settled(endpoint) }
        missing.insert(endpoint)
        wasConnected = false
        guard case .lost(let reason) = change else { return change }
        return .lost("\(endpoint): \(reason)")
    }

    /// What to say when no node has answered who serves what.
    mutating func unknown(_ error: RedisError) -> RedisConnectionChange {
        isUnknown = true
        wasConnected = false
        return .failed(error)
    }

    /// What to say when one has; nil for nothing.
    mutating func known() -> RedisConnectionChange? {
        guard isUnknown else { return nil }
        isUnknown = false
        return connected()
    }

    private mutating func connected() -> RedisConnectionChange? {
        guard missing.isEmpty, !isUnknown, !wasConnected else { return nil }
        wasConnected = true
        return .connected
    }
}
