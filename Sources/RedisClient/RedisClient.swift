public import EventLoop

/// Sends commands to Redis, pipelined over one connection a node that reconnects whenever it breaks: to one server, to the
/// primary that sentinels name, or to the nodes of a cluster, as its URL says.
///
///     let client = RedisClient(url)
///     let visits = try await client.send(RedisCommand("INCR", "visits")).integer ?? 0
///
/// Commands queued in one turn of the loop leave in one write, and replies are matched in order. A command that is sent
/// while there is no connection waits for one; a command in flight when the connection breaks fails with
/// ``RedisError/connectionLost(reason:)``, because it may or may not have been executed.
///
/// In a cluster, a command goes to the node that serves the slot of its first key, and is sent again where that node did
/// nothing: when the slot has moved or is moving, and while a primary is missing or loading.
///
/// Behind sentinels, the connection leaves a server as soon as it is not the primary any more, and a write that it refused for that
/// reason is sent to the new one.
@LoopActor
public final class RedisClient {
    private enum Route {
        case one(RedisNode)
        case cluster(ClusterRouter)
    }

    private let route: Route
    /// How long a command may take, including the wait for a connection.
    package let timeout: Duration
    /// What knows the primary, where sentinels name it.
    package let watch: PrimaryWatch?
    private let ownsWatch: Bool

    /// Called on the loop when a connection is established, lost or refused.
    public var onConnectionChange: ((RedisConnectionChange) -> Void)? {
        didSet {
            switch route {
            case .one(let node): node.onConnectionChange = onConnectionChange
            case .cluster(let router): router.onConnectionChange = onConnectionChange
            }
        }
    }

    /// Called with the time from each command's ``send(_:)`` to its reply, including the wait for a connection.
    package var onReply: ((Duration) -> Void)? {
        didSet {
            switch route {
            case .one(let node): node.onReply = onReply
            case .cluster(let router): router.onReply = onReply
            }
        }
    }

    /// Called on the loop, once, with a pattern of channels by which the subscriber that shares this client finds nodes that answer and
    /// deliver nothing, when an access list forbids them.
    package var onProbesRefused: ((String) -> Void)?

    /// A client that connects at once, and again whenever the connection breaks, until ``close()``, which must be called.
    ///
    /// - Parameters:
    ///   - url: where Redis is.
    ///   - timeout: how long a command may take, including the wait for a connection.
    public convenience init(_ url: RedisURL, timeout: Duration = .seconds(5)) {
        self.init(url, timeout: timeout, sharing: nil)
    }

    /// - Parameter other: a client of the same cluster, or behind the same sentinels, whose knowledge of it is shared, and which is
    ///   closed last; nil for none.
    package init(_ url: RedisURL, timeout: Duration, sharing other: RedisClient?) {
        self.timeout = timeout
        watch = other?.watch ?? PrimaryWatch(url)
        ownsWatch = other?.watch == nil
        route =
            url.isCluster
            ? .cluster(ClusterRouter(url, timeout: timeout, sharing: other?.directory))
            : .one(RedisNode(url, timeout: timeout, following: watch))
    }

    /// What is known of the cluster; nil for one server.
    package var directory: ClusterDirectory? {
        if case .cluster(let router) = route { router.directory } else { nil }
    }

    /// Whether commands go to the nodes of a cluster.
    package var isCluster: Bool { directory != nil }

    /// Whether there is a connection at the moment; in a cluster, whether its nodes are known and no connection that was made is
    /// missing.
    public var isConnected: Bool {
        switch route {
        case .one(let node): node.isConnected
        case .cluster(let router): router.isConnected
        }
    }

    /// Sends a command and returns its reply.
    ///
    /// - Parameters:
    ///   - command: what to carry out.
    ///   - deadline: when to give up; nil for after the client's timeout.
    /// - Throws: ``RedisError``; an error reply is ``RedisError/server(_:)``.
    @discardableResult
    public func send(
        _ command: RedisCommand,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(RedisError) -> RedisValue {
        switch route {
        case .one(let node):
            let result: Result<RedisValue, RedisError> = await LoopActor.suspend {
                node.submit(command, by: deadline, $0)
            }
            return try result.get()
        case .cluster(let router): return try await router.send(command, by: deadline)
        }
    }

    /// The nodes that hold keys: all primaries of a cluster.
    package func primaries() async throws(RedisError) -> [RedisNode] {
        switch route {
        case .one(let node): [node]
        case .cluster(let router): try await router.primaries()
        }
    }

    /// The node that has a key.
    ///
    /// - Parameter deadline: when to give up; nil for after the timeout.
    package func node(
        of key: String,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(RedisError) -> RedisNode {
        switch route {
        case .one(let node): node
        case .cluster(let router): try await router.node(of: HashSlot.of(key), by: deadline ?? .now + timeout)
        }
    }

    /// The node that has a key, as far as is known; nil where none is known to.
    package func knownNode(of key: String) -> RedisNode? {
        switch route {
        case .one(let node): node
        case .cluster(let router): router.knownNode(of: HashSlot.of(key))
        }
    }

    /// Which connection serves a key at the moment, among all that this process has made; 0 while none does. Two reads belong to one
    /// history of the server if it is the same after both.
    package func connectionNumber(of key: String) -> Int {
        switch route {
        case .one(let node): node.connectionNumber
        case .cluster(let router): router.connectionNumber(of: HashSlot.of(key))
        }
    }

    /// Returns when there is a connection, however long that takes, or at once when the client is closed.
    package func waitUntilConnected() async {
        switch route {
        case .one(let node): await node.waitUntilConnected()
        case .cluster(let router): await router.directory.waitUntilKnown()
        }
    }

    /// Fails what is under way and closes the connections.
    public func close() {
        switch route {
        case .one(let node): node.close()
        case .cluster(let router): router.close()
        }
        if ownsWatch { watch?.close() }
    }
}

extension RedisClient {
    /// All keys that match a pattern, as of [KEYS](https://redis.io/docs/latest/commands/keys/), a page at a time.
    ///
    /// - Parameter skipsSilentNodes: whether it goes on without the keys of nodes that do not answer.
    package func scan(_ pattern: String, skipsSilentNodes: Bool = false) -> KeyScan {
        KeyScan(self, pattern, skipsSilentNodes: skipsSilentNodes)
    }
}
