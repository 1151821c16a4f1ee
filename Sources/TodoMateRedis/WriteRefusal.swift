import RedisClient

/// Why Redis refuses writes.
package struct WriteRefusal: Equatable, Sendable {
    /// With what to do about it.
    package var reason: String
    /// Whether it is not the primary: then what is read there may be old, and nothing at all is written.
    package var isOfReplica: Bool

    /// That of a Redis which was the primary once, or is named as one.
    static func replica(_ node: RedisURL, isInCluster: Bool) -> WriteRefusal {
        let reason =
            isInCluster
            ? "\(node) is a read-only replica, and named as a primary: 'redis-cli --cluster check' shows who is the primary now, and "
                + "CLUSTER NODES whether each node announces its own address"
            : "the Redis at \(node) is a read-only replica: name the primary with --redis, or make this one the primary with "
                + "REPLICAOF NO ONE"
        return WriteRefusal(reason: reason, isOfReplica: true)
    }
}
