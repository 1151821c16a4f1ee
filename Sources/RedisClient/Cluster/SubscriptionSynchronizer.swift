/// Which shard channels are wanted, and which node of a cluster holds which subscription: brings the two together. No I/O.
///
/// A channel belongs at the node that serves its slot, and is open nowhere else: commands go there, and what is published at one
/// node fits only what was read from the same. A primary that was replaced and does not know it yet goes on publishing what never
/// will have been. What a node holds is what it said last: it confirms, and it also takes subscriptions away by itself when a slot
/// leaves it. One request about a channel is under way at a node at most; a fence
/// behind each request tells when it and those before are over, however they ended, so that nothing has to be guessed from the
/// order of answers. A fence that was refused itself is sent again.
/// When a slot moves, the subscription at the new node comes before that at the old one is given up.
///
/// See [sharded Pub/Sub](https://redis.io/docs/latest/develop/interact/pubsub/#sharded-pubsub); the idea of a desired and an actual
/// set is that of Valkey GLIDE's synchronizer.
struct SubscriptionSynchronizer {
    /// What the shell is to do at once, in order.
    enum Notice: Equatable {
        case connect(RedisEndpoint)
        case disconnect(RedisEndpoint)
        /// Messages of this channel from now on are all the messages there are, as long as they come from this node.
        case opened(String, at: RedisEndpoint)
        /// Messages of this channel may be missing until it is opened again.
        case lost(String)
        /// Who serves what may have changed.
        case refresh
    }

    private struct Channel {
        let slot: Int
        var isWanted = false
        /// The node at which the last notice says that it is open; nil if it is lost.
        var openAt: RedisEndpoint?
        /// Whether it ever was.
        var wasOpen = false
        /// The nodes that hold the subscription.
        var holders: [RedisEndpoint] = []
        /// The nodes that a request is under way to, or about to be.
        var asked: [RedisEndpoint] = []
    }

    private struct Node {
        var isConnected = false
        var held: Set<String> = []
        var requests = ShardRequests()
    }

    private var topology = ClusterTopology()
    private var channels: [String: Channel] = [:]
    private var channelsBySlot: [Int: Set<String>] = [:]
    private var nodes: [RedisEndpoint: Node] = [:]
    private var paused = PausedSlots()
    private var unsettled: Set<String> = []
    private var lastNumber = 0
    private var notices: [Notice] = []

    /// So many wanted channels were subscribed again, after having been open before.
    private(set) var resubscriptions = 0

    init() {}

    /// How many channels are not where they should be.
    var unsettledCount: Int { unsettled.count }

    /// Whether something waits for ``retry()``.
    var isPaused: Bool { !paused.isEmpty }

    /// The node whose messages of this channel count, if any does.
    func place(of name: String) -> RedisEndpoint? { channels[name]?.openAt }

    mutating func takeNotices() -> [Notice] {
        dismissLeavers()
        defer { notices = [] }
        return notices
    }

    /// Whether there is anything to send.
    var hasRequests: Bool { nodes.values.contains { $0.requests.isWaiting } }

    /// What to send to each node now.
    mutating func takeRequests() -> [(node: RedisEndpoint, request: ShardRequest)] {
        var taken: [(RedisEndpoint, ShardRequest)] = []
        for endpoint in Array(nodes.keys) {
            taken += (nodes[endpoint]?.requests.take(after: &lastNumber) ?? []).map { (endpoint, $0) }
        }
        return taken
    }

    /// The fences to send once more: those of the last requests that are still under way.
    var openFences: [(node: RedisEndpoint, number: Int)] {
        nodes.compactMap { endpoint, node in node.requests.newest.map { (endpoint, $0.number) } }
    }

    // MARK: What is wanted

    /// Somebody wants a channel.
    mutating func want(_ name: String) {
        var channel = channels[name] ?? Channel(slot: HashSlot.of(name))
        guard !channel.isWanted else { return }
        channel.isWanted = true
        channelsBySlot[channel.slot, default: []].insert(name)
        // Still held, as it was given up a moment ago and the request was not sent.
        withdraw(.unsubscribe, name, &channel)
        channels[name] = channel
        settle(name)
    }

    /// Nobody wants a channel any more.
    mutating func unwant(_ name: String) {
        guard var channel = channels[name], channel.isWanted else { return }
        channel.isWanted = false
        channel.openAt = nil
        withdraw(.subscribe, name, &channel)
        channels[name] = channel
        settle(name)
    }

    /// Takes back requests that have not been sent.
    private mutating func withdraw(_ verb: ShardRequest.Verb, _ name: String, _ channel: inout Channel) {
        for endpoint in channel.asked where nodes[endpoint]?.requests.withdraw(verb, name, slot: channel.slot) == true {
            channel.asked.removeAll { $0 == endpoint }
        }
    }

    // MARK: What the cluster does

    /// Slots have other nodes than before.
    mutating func topologyChanged(to new: ClusterTopology) {
        let moved = channelsBySlot.keys.filter { new.owner(of: $0) != topology.owner(of: $0) }
        let membersChanged = Set(new.primaries) != Set(topology.primaries)
        topology = new
        paused.moved(moved, in: new)
        for slot in moved {
            for name in channelsBySlot[slot] ?? [] { noteLoss(of: name) }
            settleAll(of: slot)
        }
        guard membersChanged else { return }
        for endpoint in Array(nodes.keys) where !isMember(endpoint) {
            // What the new nodes hold already is not worth a request to one that leaves.
            for name in nodes[endpoint]?.held ?? [] { settle(name) }
        }
    }

    private func isMember(_ endpoint: RedisEndpoint) -> Bool { topology.primaries.contains(endpoint) }

    /// A connection is ready: the node holds nothing of it yet.
    mutating func connected(_ endpoint: RedisEndpoint) {
        guard nodes[endpoint] != nil else { return }
        nodes[endpoint]?.isConnected = true
        for slot in Array(channelsBySlot.keys) where topology.owner(of: slot) == endpoint { settleAll(of: slot) }
    }

    /// A connection is gone, and all that the node held for it.
    mutating func disconnected(_ endpoint: RedisEndpoint) {
        guard let node = nodes[endpoint] else { return }
        nodes[endpoint] = Node()
        forget(node, endpoint)
        notices.append(.refresh)
    }

    private mutating func forget(_ node: Node, _ endpoint: RedisEndpoint) {
        let names = node.held.union(node.requests.channels)
        for name in names {
            channels[name]?.asked.removeAll { $0 == endpoint }
            channels[name]?.holders.removeAll { $0 == endpoint }
            noteLoss(of: name)
            settle(name)
        }
    }

    /// Where nobody serves the slot, who did may still publish, and nothing else can be read.
    private mutating func noteLoss(of name: String) {
        guard let channel = channels[name], let place = channel.openAt,
            !channel.holders.contains(place) || topology.owner(of: channel.slot) ?? place != place
        else { return }
        channels[name]?.openAt = nil
        notices.append(.lost(name))
    }

    /// A node says that it holds a subscription.
    mutating func subscribed(_ name: String, at endpoint: RedisEndpoint) {
        guard var channel = channels[name], nodes[endpoint] != nil else { return }
        if !channel.holders.contains(endpoint) { channel.holders.append(endpoint) }
        nodes[endpoint]?.held.insert(name)
        if channel.isWanted, topology.owner(of: channel.slot) == endpoint {
            if channel.openAt != nil {
                // It was given up meanwhile, or the node would not say so again.
                notices.append(.lost(name))
            }
            if channel.wasOpen { resubscriptions += 1 }
            open(name, &channel, at: endpoint)
        }
        channels[name] = channel
        settle(name)
    }

    private mutating func open(_ name: String, _ channel: inout Channel, at endpoint: RedisEndpoint) {
        (channel.openAt, channel.wasOpen) = (endpoint, true)
        notices.append(.opened(name, at: endpoint))
    }

    /// A node says that it does not hold a subscription any more, asked or by itself.
    mutating func unsubscribed(_ name: String, at endpoint: RedisEndpoint) {
        guard let channel = channels[name], nodes[endpoint] != nil else { return }
        channels[name]?.holders.removeAll { $0 == endpoint }
        nodes[endpoint]?.held.remove(name)
        if channel.isWanted, topology.owner(of: channel.slot) == endpoint, !channel.asked.contains(endpoint) {
            // Its slot is leaving: where to is not known yet.
            paused.pause(channel.slot)
            notices.append(.refresh)
        }
        noteLoss(of: name)
        settle(name)
    }

    /// A node refused the oldest request that is under way to it, or its fence.
    ///
    /// - Returns: the channels of that request.
    @discardableResult
    mutating func refused(at endpoint: RedisEndpoint) -> [String] {
        guard let request = nodes[endpoint]?.requests.oldest, let channel = channels[request.channels[0]] else {
            return []
        }
        paused.pause(channel.slot, refusedBy: endpoint)
        notices.append(.refresh)
        return request.channels
    }

    /// The fence of a request has come back: that and all before are over.
    mutating func fencePassed(_ number: Int, at endpoint: RedisEndpoint) {
        for name in nodes[endpoint]?.requests.finish(upTo: number) ?? [] {
            channels[name]?.asked.removeAll { $0 == endpoint }
            settle(name)
        }
    }

    /// Asks again for what was refused.
    mutating func retry() {
        for slot in paused.end() { settleAll(of: slot) }
    }

    /// Looks again at all that is not where it should be, should anything have been missed.
    mutating func reconcile() {
        for name in unsettled { settle(name) }
    }

    // MARK: Bringing the two together

    private mutating func settleAll(of slot: Int) {
        for name in channelsBySlot[slot] ?? [] { settle(name) }
    }

    /// Asks for what is missing of one channel, and gives up what is too much.
    private mutating func settle(_ name: String) {
        guard var channel = channels[name] else { return }
        let owner = topology.owner(of: channel.slot)
        let isAtOwner = owner.map { channel.holders.contains($0) } ?? false
        if channel.isWanted, let owner {
            if !isAtOwner {
                subscribe(name, &channel, at: owner)
            } else if channel.openAt == nil, !channel.asked.contains(owner) {
                // It was not wanted for a while, or the node was not known to be the right one.
                open(name, &channel, at: owner)
            }
        }
        if !channel.isWanted || isAtOwner {
            for holder in channel.holders where !(channel.isWanted && holder == owner) {
                unsubscribe(name, &channel, at: holder)
            }
        }
        if channel.isWanted ? isAtOwner && channel.holders.count == 1 : channel.holders.isEmpty {
            unsettled.remove(name)
        } else {
            unsettled.insert(name)
        }
        channels[name] = channel
        if !channel.isWanted, channel.holders.isEmpty, channel.asked.isEmpty { remove(name, channel.slot) }
    }

    private mutating func remove(_ name: String, _ slot: Int) {
        channels[name] = nil
        unsettled.remove(name)
        channelsBySlot[slot]?.remove(name)
        if channelsBySlot[slot]?.isEmpty == true {
            channelsBySlot[slot] = nil
            paused.forget(slot)
        }
    }

    private mutating func subscribe(_ name: String, _ channel: inout Channel, at owner: RedisEndpoint) {
        if nodes[owner] == nil {
            nodes[owner] = Node()
            notices.append(.connect(owner))
        }
        guard nodes[owner]?.isConnected == true, !channel.asked.contains(owner), !paused.contains(channel.slot) else {
            return
        }
        channel.asked.append(owner)
        nodes[owner]?.requests.append(.subscribe, name, slot: channel.slot)
    }

    private mutating func unsubscribe(_ name: String, _ channel: inout Channel, at holder: RedisEndpoint) {
        guard isMember(holder) else {
            // The whole connection is given up.
            channel.holders.removeAll { $0 == holder }
            nodes[holder]?.held.remove(name)
            return
        }
        guard !channel.asked.contains(holder), !paused.contains(channel.slot) else { return }
        channel.asked.append(holder)
        nodes[holder]?.requests.append(.unsubscribe, name, slot: channel.slot)
    }

    /// Closes the connections to nodes that have left the cluster, once nothing depends on them.
    private mutating func dismissLeavers() {
        // One by one: what is forgotten of one may be the last of another.
        while let (endpoint, node) = nodes.first(where: { !isMember($0.key) && $0.value.held.isEmpty }) {
            nodes[endpoint] = nil
            forget(node, endpoint)
            notices.append(.disconnect(endpoint))
        }
    }
}
