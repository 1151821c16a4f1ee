import EventLoop

extension RedisNode {
    /// A node of a cluster for those who set one up: it need not serve any slots yet. It must be closed.
    ///
    /// - Parameters:
    ///   - endpoint: where it is.
    ///   - cluster: how the cluster was named, and is entered.
    package static func member(_ endpoint: RedisEndpoint, of cluster: RedisURL, timeout: Duration) -> RedisNode {
        RedisNode(cluster.server(endpoint), timeout: timeout)
    }
}
