import EventLoop

/// Subscribes to channels and patterns of one server, over a RESP2 connection that reconnects whenever it breaks.
///
/// All that is subscribed or unsubscribed in one turn of the loop goes out together. See the SUBSCRIBE and PSUBSCRIBE
/// command pages of Redis.
@LoopActor
final class ServerSubscriber: RedisConnectionDelegate {
    /// An object, so that each message does not copy a weak reference to look at it.
    private final class Subscription {
        var machine = SubscriptionStateMachine()
        weak var listener: (any RedisChannelListener)?

        init(_ listener: any RedisChannelListener) { self.listener = listener }
    }

    private var connection: RedisConnection?
    private var subscriptions: [RedisChannel: Subscription] = [:]
    private var requests = SubscriptionRequests()
    private var requestsAreDue = false

    /// Called on the loop with what becomes of the connection.
    var onConnectionChange: ((RedisConnectionChange) -> Void)?

    /// A subscriber that connects at once and goes on trying until closed.
    ///
    /// - Parameter watch: what knows the primary, where sentinels name it: a connection in this mode cannot ask for its role.
    init(_ url: RedisURL, following watch: PrimaryWatch? = nil) {
        let connection = RedisConnection(url, following: watch, delegate: self)
        self.connection = connection
        connection.start()
    }

    /// Whether there is a connection at the moment.
    var isConnected: Bool { connection?.isReady ?? false }

    /// Notifies `listener` of all that is published on `channel`, until ``unsubscribe(_:)``; one listener a channel.
    ///
    /// The listener is held weakly.
    func subscribe(_ channel: RedisChannel, _ listener: any RedisChannelListener) {
        if let subscription = subscriptions[channel] {
            subscription.listener = listener
            perform(subscription.machine.open(isConnected: isConnected), subscription, on: channel)
        } else {
            subscriptions[channel] = Subscription(listener)
            if isConnected { request(channel, .subscribe) }
        }
    }

    /// Ends the subscription; nothing of it is delivered once this returns.
    func unsubscribe(_ channel: RedisChannel) {
        guard let subscription = subscriptions[channel] else { return }
        subscription.listener = nil
        perform(subscription.machine.close(isConnected: isConnected), subscription, on: channel)
    }

    /// Closes the connection and forgets all subscriptions.
    func close() {
        connection?.close()
        connection = nil
        subscriptions = [:]
    }

    private func perform(
        _ action: SubscriptionStateMachine.Action,
        _ subscription: Subscription,
        on channel: RedisChannel
    ) {
        switch action {
        case .sendSubscribe: request(channel, .subscribe)
        case .sendUnsubscribe: request(channel, .unsubscribe)
        case .announceOpen: subscription.listener?.channelOpened(channel.name)
        case .forget: subscriptions[channel] = nil
        case .nothing: break
        }
    }

    private func request(_ channel: RedisChannel, _ verb: SubscriptionRequests.Verb) {
        requests.append(channel, verb)
        guard !requestsAreDue else { return }
        requestsAreDue = true
        LoopActor.atEndOfTurn { [self] in
            requestsAreDue = false
            for command in requests.takeCommands() { connection?.send(command) }
        }
    }

    // MARK: RedisConnectionDelegate

    func connectionReady() {
        onConnectionChange?(.connected)
        requests = SubscriptionRequests()
        for (channel, subscription) in subscriptions {
            perform(subscription.machine.reconnected(), subscription, on: channel)
        }
    }

    func connectionReceived(_ reply: borrowing RedisReply) {
        // Which channel it was about is not said: all are subscribed anew, until an access list lets them.
        if let error = reply.error {
            connection?.drop("subscribing was refused: \(error.message)")
            return
        }
        // Nearly all there is; found without making a text of it.
        if reply.isText("message", at: 0) { return deliver(reply, from: .channel(reply.string(at: 1)), messageAt: 2) }
        switch reply.string(at: 0) {
        case "pmessage": deliver(reply, from: .pattern(reply.string(at: 1)), messageAt: 3)
        case "subscribe", "unsubscribe": confirm(.channel(reply.string(at: 1)))
        case "psubscribe", "punsubscribe": confirm(.pattern(reply.string(at: 1)))
        default: break  // "pong"
        }
    }

    private func deliver(_ reply: borrowing RedisReply, from key: RedisChannel, messageAt index: Int) {
        guard let subscription = subscriptions[key], subscription.machine.isActive else { return }
        let channel = if case .pattern = key { reply.string(at: 2) } else { key.name }
        reply.withBytes(at: index) { subscription.listener?.channel(channel, received: $0) }
    }

    private func confirm(_ channel: RedisChannel) {
        guard let subscription = subscriptions[channel] else { return }
        perform(subscription.machine.confirmed(), subscription, on: channel)
    }

    func connectionMustPing() { connection?.send(RedisCommand("PING")) }

    func connectionLost(_ reason: String) {
        requests = SubscriptionRequests()
        for (channel, subscription) in subscriptions {
            perform(subscription.machine.disconnected(), subscription, on: channel)
            subscription.listener?.channelLost(channel.name)
        }
        onConnectionChange?(.lost(reason))
    }

    func connectionFailed(_ error: RedisError) { onConnectionChange?(.failed(error)) }
}
