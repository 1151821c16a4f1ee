public import EventLoop

/// Receives what is published on a channel.
@LoopActor
public protocol RedisChannelListener: AnyObject {
    /// Redis confirmed the subscription, for the first time or after a reconnect: whatever was
    /// published since the last message may be missing, what is published from now on will come.
    func channelOpened(_ channel: String)
    /// A message; the bytes are gone when the call returns.
    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>)
    /// The connection was lost; ``channelOpened(_:)`` follows when it is back.
    func channelLost(_ channel: String)
}

/// Subscribes to channels and patterns, over its own connections, which reconnect whenever they break.
///
/// All that is subscribed or unsubscribed in one turn of the loop goes out together. See the SUBSCRIBE, PSUBSCRIBE and SSUBSCRIBE
/// command pages of Redis.
///
/// In a cluster, a channel is a shard channel: what is published with `SPUBLISH` reaches those who subscribe at the node that
/// serves its slot, and a subscription follows its slot from node to node. Patterns are of what is published with `PUBLISH`, which
/// every node passes on to all others.
@LoopActor
public final class RedisSubscriber {
    private enum Route {
        case one(ServerSubscriber)
        case cluster(ClusterSubscriber)
    }

    private let route: Route
    /// What knows the primary, where sentinels name it and no client shares what it knows.
    private let ownWatch: PrimaryWatch?

    /// Called on the loop with what becomes of the connection.
    public var onConnectionChange: ((RedisConnectionChange) -> Void)? {
        didSet {
            switch route {
            case .one(let subscriber): subscriber.onConnectionChange = onConnectionChange
            case .cluster(let subscriber): subscriber.onConnectionChange = onConnectionChange
            }
        }
    }

    /// A subscriber that connects at once and goes on trying until closed; it must be closed, or it keeps its connection.
    public convenience init(_ url: RedisURL) { self.init(url, sharing: nil) }

    /// - Parameter client: a client of the same cluster, or behind the same sentinels, whose knowledge of it is shared, and which is
    ///   closed last; nil for none.
    package init(_ url: RedisURL, sharing client: RedisClient?) {
        ownWatch = client?.watch == nil ? PrimaryWatch(url) : nil
        route =
            url.isCluster
            ? .cluster(ClusterSubscriber(url, sharing: client))
            : .one(ServerSubscriber(url, following: client?.watch ?? ownWatch))
    }

    /// Whether there is a connection at the moment.
    public var isConnected: Bool {
        switch route {
        case .one(let subscriber): subscriber.isConnected
        case .cluster(let subscriber): subscriber.isConnected
        }
    }

    /// How well the subscriptions fit the cluster; nil for one server.
    package var clusterState: ClusterSubscriptionState? {
        if case .cluster(let subscriber) = route { subscriber.state } else { nil }
    }

    /// The channels of a cluster that have been without a subscription for half a second and more; none for one server.
    package var missing: Set<String> {
        if case .cluster(let subscriber) = route { subscriber.missing } else { [] }
    }

    /// Notifies `listener` of all that is published on `channel`, until ``unsubscribe(_:)``; one listener a channel.
    ///
    /// The listener is held weakly.
    public func subscribe(_ channel: RedisChannel, _ listener: any RedisChannelListener) {
        switch route {
        case .one(let subscriber): subscriber.subscribe(channel, listener)
        case .cluster(let subscriber): subscriber.subscribe(channel, listener)
        }
    }

    /// Ends the subscription; nothing of it is delivered once this returns.
    public func unsubscribe(_ channel: RedisChannel) {
        switch route {
        case .one(let subscriber): subscriber.unsubscribe(channel)
        case .cluster(let subscriber): subscriber.unsubscribe(channel)
        }
    }

    /// Closes the connection and forgets all subscriptions.
    public func close() {
        switch route {
        case .one(let subscriber): subscriber.close()
        case .cluster(let subscriber): subscriber.close()
        }
        ownWatch?.close()
    }
}
