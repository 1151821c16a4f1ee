import EventLoop

/// Subscribes to shard channels of a cluster, over one connection to each node that serves any of their slots.
///
/// The shell around ``SubscriptionSynchronizer``: it owns the connections, the listeners and the clock.
@LoopActor
final class ClusterSubscriber: ClusterDirectoryObserver, ShardConnectionDelegate {
    /// An object, so that each message does not copy a weak reference to look at it.
    private final class Subscription {
        /// The connection whose messages count; nil while the channel is lost.
        var source: ShardConnection?
        weak var listener: (any RedisChannelListener)?

        init(_ listener: any RedisChannelListener) { self.listener = listener }
    }

    private let url: RedisURL
    private let client: RedisClient
    /// Whether the client ends with this subscriber.
    private let ownsClient: Bool
    private let directory: ClusterDirectory
    private var machine = SubscriptionSynchronizer()
    private var shards: [RedisEndpoint: ShardConnection] = [:]
    private var probes: [RedisEndpoint: EchoProbe] = [:]
    private var probeChannels: [RedisEndpoint: String] = [:]
    private var mayProbe = true
    private var subscriptions: [String: Subscription] = [:]
    private var connections = ClusterConnections()
    private var timer: LoopTimer?
    private var flushIsDue = false
    private var isClosed = false
    /// For patterns, which any node serves.
    private lazy var patterns = ServerSubscriber(url)
    private var hasPatterns = false

    private static let beat = Duration.milliseconds(500)
    /// After so many beats all is looked at that is not where it should be.
    private static let beatsOfLook = 10
    private var beats = 0

    private(set) var state = ClusterSubscriptionState()
    /// Channels that no messages came of at the last beat.
    private var lost: Set<String> = []
    /// Those that had none at the one before either: what moves from node to node is back sooner.
    private(set) var missing: Set<String> = []

    var onConnectionChange: ((RedisConnectionChange) -> Void)?

    init(_ url: RedisURL, sharing client: RedisClient?) {
        let own = client ?? RedisClient(url)
        guard let directory = own.directory else { preconditionFailure("the client is not one of a cluster") }
        (self.url, self.client, ownsClient, self.directory) = (url, own, client == nil, directory)
        directory.add(self)
        machine.topologyChanged(to: directory.topology)
        timer = LoopTimer(every: Self.beat) { [weak self] in self?.onBeat() }
    }

    /// Whether the cluster is known and no connection that was made is missing.
    var isConnected: Bool { directory.isKnown && connections.areComplete }

    func close() {
        isClosed = true
        timer?.cancel()
        for shard in shards.values { shard.close() }
        shards = [:]
        subscriptions = [:]
        if hasPatterns { patterns.close() }
        if ownsClient { client.close() }
    }

    func subscribe(_ channel: RedisChannel, _ listener: any RedisChannelListener) {
        guard !isClosed else { return }
        guard case .channel(let name) = channel else {
            hasPatterns = true
            return patterns.subscribe(channel, listener)
        }
        if let subscription = subscriptions[name] {
            subscription.listener = listener
        } else {
            subscriptions[name] = Subscription(listener)
            machine.want(name)
            flushAtEndOfTurn()
        }
    }

    func unsubscribe(_ channel: RedisChannel) {
        guard case .channel(let name) = channel else {
            if hasPatterns { patterns.unsubscribe(channel) }
            return
        }
        guard subscriptions.removeValue(forKey: name) != nil else { return }
        machine.unwant(name)
        flushAtEndOfTurn()
    }

    // MARK: What the machine wants

    private func flushAtEndOfTurn() {
        guard !flushIsDue else { return }
        flushIsDue = true
        LoopActor.atEndOfTurn { [self] in
            flushIsDue = false
            guard !isClosed else { return }
            perform()
            for (endpoint, request) in machine.takeRequests() { shards[endpoint]?.send(request) }
        }
    }

    private func perform() {
        for notice in machine.takeNotices() {
            switch notice {
            case .connect(let endpoint): shards[endpoint] = ShardConnection(url, endpoint, delegate: self)
            case .disconnect(let endpoint): leave(endpoint)
            case .opened(let name, let endpoint):
                // Those that came before may have ended it.
                guard let subscription = subscriptions[name], machine.place(of: name) == endpoint else { continue }
                subscription.source = shards[endpoint]
                subscription.listener?.channelOpened(name)
            case .lost(let name):
                guard let subscription = subscriptions[name], subscription.source != nil else { continue }
                subscription.source = nil
                subscription.listener?.channelLost(name)
            case .refresh: directory.refresh()
            }
        }
        if machine.hasRequests { flushAtEndOfTurn() }
    }

    private func leave(_ endpoint: RedisEndpoint) {
        shards.removeValue(forKey: endpoint)?.close()
        probes[endpoint] = nil
        if let name = probeChannels.removeValue(forKey: endpoint) { machine.unwant(name) }
        if let change = connections.settled(endpoint) { onConnectionChange?(change) }
    }

    // MARK: The clock

    private func onBeat() {
        state.unsettled = machine.unsettledCount
        state.resubscriptions = machine.resubscriptions
        if state.unsettled > 0 { state.secondsOutOfSync += Self.beat / .seconds(1) }
        noteMissing()
        if machine.isPaused { directory.refresh() }
        machine.retry()
        beats += 1
        if beats.isMultiple(of: Self.beatsOfLook) { machine.reconcile() }
        perform()
        for (endpoint, number) in machine.openFences { shards[endpoint]?.sendFence(number) }
        if mayProbe { for endpoint in shards.keys { probe(endpoint) } }
    }

    private func noteMissing() {
        guard state.unsettled > 0 else {
            (lost, missing) = ([], [])
            return
        }
        let now = Set(subscriptions.lazy.filter { $0.value.source == nil }.map(\.key))
        (lost, missing) = (now, now.intersection(lost))
    }

    private func probe(_ endpoint: RedisEndpoint) {
        switch probes[endpoint, default: EchoProbe()].beat() {
        case .nothing: break
        case .drop:
            state.silentConnections += 1
            shards[endpoint]?.drop("it answers, but delivers nothing")
        case .publish:
            guard let name = probeChannel(of: endpoint), machine.place(of: name) == endpoint else { return }
            let number = probes[endpoint]?.begin() ?? 0
            Task {
                do throws(RedisError) {
                    try await client.send(RedisCommand("SPUBLISH", name, ""))
                    probes[endpoint]?.published(number)
                } catch {
                    // It proves nothing about the connection: the node may be moving, or an access list forbid it.
                }
            }
        }
    }

    /// A channel in one of the slots of a node, which is subscribed to from now on.
    private func probeChannel(of endpoint: RedisEndpoint) -> String? {
        if let known = probeChannels[endpoint] {
            if directory.topology.owner(of: HashSlot.of(known)) == endpoint { return known }
            machine.unwant(known)
            probeChannels[endpoint] = nil
        }
        guard let tag = HashSlot.tag(in: { directory.topology.owner(of: $0) == endpoint }) else { return nil }
        let name = "\(url.clientName):probe:{\(tag)}:\(UInt32.random(in: 0...UInt32.max))"
        probeChannels[endpoint] = name
        machine.want(name)
        flushAtEndOfTurn()
        return name
    }

    /// The access list is without a channel for that.
    private func giveUpProbing() {
        guard mayProbe else { return }
        mayProbe = false
        // Their names are kept: other nodes refuse them as well, and are to lose no connection for it.
        for name in probeChannels.values { machine.unwant(name) }
        state.probesAreRefused = true
        client.onProbesRefused?("\(url.clientName):probe:*")
    }

    // MARK: ClusterDirectoryObserver

    func topologyChanged(from old: ClusterTopology, to new: ClusterTopology) {
        guard !isClosed else { return }
        machine.topologyChanged(to: new)
        // At once: from here on commands go to other nodes, whose answers do not fit what the old ones may still publish.
        perform()
        flushAtEndOfTurn()
    }

    func topologyKnown() {
        if let change = connections.known() { onConnectionChange?(change) }
    }

    func topologyUnknown(_ error: RedisError) { onConnectionChange?(connections.unknown(error)) }

    // MARK: ShardConnectionDelegate

    func shardConnected(_ endpoint: RedisEndpoint) {
        probes[endpoint] = EchoProbe()
        machine.connected(endpoint)
        flushAtEndOfTurn()
        if let change = connections.settled(endpoint) { onConnectionChange?(change) }
    }

    func shardLost(_ endpoint: RedisEndpoint, _ change: RedisConnectionChange) {
        // First: a node that has left the cluster is done with then.
        if let change = connections.changed(change, endpoint) { onConnectionChange?(change) }
        machine.disconnected(endpoint)
        perform()
    }

    func shardSubscribed(_ channel: String, at endpoint: RedisEndpoint) {
        machine.subscribed(channel, at: endpoint)
        perform()
    }

    func shardUnsubscribed(_ channel: String, at endpoint: RedisEndpoint) {
        machine.unsubscribed(channel, at: endpoint)
        perform()
    }

    func shardRefused(_ error: RedisServerError, at endpoint: RedisEndpoint) {
        let refused = machine.refused(at: endpoint)
        if error.code == "NOPERM" {
            if let probe = probeChannels[endpoint], refused.contains(probe) {
                giveUpProbing()
            } else {
                // No message will come until an access list lets it: nobody is to take this connection for a good one.
                shards[endpoint]?.drop("subscribing was refused: \(error.message)")
            }
        }
        if case .moved(let slot, let owner) = ClusterRefusal(error, asked: endpoint) {
            directory.note(slot, movedTo: owner)
        }
        perform()
    }

    func shardPassedFence(_ number: Int, at endpoint: RedisEndpoint) {
        machine.fencePassed(number, at: endpoint)
        perform()
    }

    func shard(_ channel: String, received message: UnsafeBufferPointer<UInt8>, from connection: ShardConnection) {
        guard let subscription = subscriptions[channel] else {
            if let endpoint = probeChannels.first(where: { $0.value == channel })?.key { probes[endpoint]?.heard() }
            return
        }
        guard subscription.source === connection else { return }
        subscription.listener?.channel(channel, received: message)
    }
}
