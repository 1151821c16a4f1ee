import RedisClient

/// What `todomate up` keeps todos in: one Redis, or the nodes of a cluster.
struct PrivateStore: Sendable {
    /// The one server, or all nodes.
    let servers: [PrivateRedis]
    let isCluster: Bool
    /// What all of them want; nil for nothing.
    let password: RedisPassword?

    /// One Redis.
    init(_ server: PrivateRedis) { (servers, isCluster, password) = ([server], false, server.password) }

    /// A cluster.
    init(nodes: [PrivateRedis], password: RedisPassword) {
        (servers, isCluster, self.password) = (nodes, true, password)
    }

    /// Where the nodes of a cluster listen.
    var endpoints: [RedisEndpoint] {
        servers.compactMap { $0.port.map { RedisEndpoint(host: "127.0.0.1", port: $0) } }
    }

    /// Where workers and commands reach it, fit for every shell as it is.
    var url: String {
        isCluster ? "redis+cluster://" + endpoints.map(\.description).joined(separator: ",") : servers[0].url
    }

    /// The same, with the password.
    var redisURL: RedisURL {
        guard isCluster else { return servers[0].redisURL }
        var url = RedisURL(.cluster(endpoints))
        url.password = password?.text
        return url
    }
}
