import TestServers

@testable import RedisClient

/// A cluster and the network to it, as far as subscriptions go, for walks of the synchronizer: each connection delivers in order,
/// each at its own pace. See `pubsub.c` and `cluster.c` of Redis for what nodes do.
struct ModelCluster {
    /// What travels to the client.
    enum Word: Equatable {
        case subscribed(String)
        case unsubscribed(String)
        case refused
        case fence(Int)
        case message(String, Int)
        /// Published by a node that was replaced and does not know it yet: it will never have been.
        case falseMessage(String)
    }

    struct Connection {
        var isUp = false
        /// Fences that were sent once more.
        var fences: [Int] = []
        var requests: [ShardRequest] = []
        var words: [Word] = []
        var held: Set<String> = []
    }

    static let channels = ["a{0}", "b{0}", "a{1}", "b{1}", "c{1}", "a{2}"]
    static let nodes = (1...4).map { RedisEndpoint(host: "node", port: $0) }
    static let slots = ["0", "1", "2"].map { HashSlot.of($0) }

    private var random: SeededRandom
    private(set) var machine = SubscriptionSynchronizer()
    /// Who really serves which slot.
    private(set) var owners: [Int: RedisEndpoint] = [:]
    /// Slots that their owners refuse to serve at the moment.
    private(set) var down: Set<Int> = []
    /// Nodes that answer everything with an error, as while a script runs or data are loaded.
    private(set) var busy: Set<RedisEndpoint> = []
    /// Nodes that were replaced in a slot and do not know it yet.
    private(set) var unaware: [Int: Set<RedisEndpoint>] = [:]
    private(set) var connections: [RedisEndpoint: Connection] = [:]
    /// Who serves which slot, as far as the client knows: its commands go there.
    private(set) var known: [Int: RedisEndpoint] = [:]
    private(set) var wanted: Set<String> = []
    private var published: [String: Int] = [:]
    /// What the client knows of: delivered, or read from the log when a channel was opened.
    private var seen: [String: Set<Int>] = [:]
    /// What went wrong.
    private(set) var faults: [String] = []

    /// Who serves what, as it was last put together.
    private var topology: (owners: [Int: RedisEndpoint], topology: ClusterTopology) = ([:], ClusterTopology())

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for slot in Self.slots { owners[slot] = Self.nodes.randomElement(using: &random) }
    }

    /// A cluster in which the first node serves everything.
    init() {
        random = SeededRandom(seed: 0)
        for slot in Self.slots { owners[slot] = Self.nodes[0] }
    }

    // MARK: Steps

    mutating func step() {
        let channel = Self.channels.randomElement(using: &random) ?? ""
        let node = Self.nodes.randomElement(using: &random) ?? Self.nodes[0]
        let slot = Self.slots.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<23, using: &random) {
        case 0: apply(.want(channel))
        case 1: apply(.unwant(channel))
        case 2: apply(.move(slot, to: node))
        case 3 where Bool.random(using: &random): apply(.turnBusy(node))
        case 3: apply(.turnDown(slot))
        case 4: apply(.disconnect(node))
        case 5, 6: apply(.connect(node))
        case 7, 8: apply(.learn)
        case 9 where Int.random(in: 0..<3, using: &random) == 0: apply(.sendOn(slot, to: node))
        case 9: apply(.beat)
        case 10, 11: apply(.publish(channel))
        case 12, 13, 14: apply(.serve(node))
        case 15 where Bool.random(using: &random): apply(.replace(slot, by: node))
        case 15: apply(.becomeAware(slot))
        case 16: apply(.publishFalsely(channel))
        default: apply(.hear(node))
        }
    }

    /// What can happen.
    enum Event {
        case want(String), unwant(String), publish(String), publishFalsely(String)
        case move(Int, to: RedisEndpoint), replace(Int, by: RedisEndpoint), becomeAware(Int), turnDown(Int)
        case connect(RedisEndpoint), disconnect(RedisEndpoint), serve(RedisEndpoint), hear(RedisEndpoint)
        case turnBusy(RedisEndpoint)
        case learn, beat
        /// A node says who serves a slot, and may be wrong.
        case sendOn(Int, to: RedisEndpoint)
    }

    mutating func apply(_ event: Event) {
        switch event {
        case .want(let channel): want(channel)
        case .unwant(let channel): unwant(channel)
        case .publish(let channel): publish(channel)
        case .publishFalsely(let channel): publishFalsely(channel)
        case .move(let slot, let node): move(slot, to: node)
        case .replace(let slot, let node): replace(slot, by: node)
        case .becomeAware(let slot): becomeAware(slot)
        case .turnDown(let slot): if !down.insert(slot).inserted { down.remove(slot) }
        case .connect(let node): connect(node)
        case .disconnect(let node): disconnect(node)
        case .serve(let node): serve(node)
        case .hear(let node): hear(node)
        case .turnBusy(let node): if !busy.insert(node).inserted { busy.remove(node) }
        case .sendOn(let slot, let node): sendOn(slot, to: node)
        case .learn: learn()
        case .beat: beat()
        }
        perform()
    }

    private mutating func beat() {
        machine.retry()
        machine.reconcile()
        for (node, number) in machine.openFences { connections[node]?.fences.append(number) }
    }

    private mutating func want(_ channel: String) {
        // What was published before is read when it is opened.
        if wanted.insert(channel).inserted { seen[channel] = [] }
        machine.want(channel)
    }

    private mutating func unwant(_ channel: String) {
        wanted.remove(channel)
        machine.unwant(channel)
    }

    /// As at the end of a move or after a failover: the old node takes its subscriptions away, and says so.
    private mutating func move(_ slot: Int, to node: RedisEndpoint) {
        guard let old = owners[slot], old != node else { return }
        becomeAware(slot, node)
        owners[slot] = node
        for channel in connections[old]?.held ?? [] where HashSlot.of(channel) == slot {
            connections[old]?.held.remove(channel)
            connections[old]?.words.append(.unsubscribed(channel))
        }
    }

    /// As where a primary was stopped, or cut off, and its replica was made one.
    private mutating func replace(_ slot: Int, by node: RedisEndpoint) {
        guard let old = owners[slot], old != node else { return }
        becomeAware(slot, node)
        owners[slot] = node
        unaware[slot, default: []].insert(old)
    }

    private mutating func becomeAware(_ slot: Int) {
        for node in unaware[slot] ?? [] { becomeAware(slot, node) }
    }

    /// Nobody is given a slot again before it knows that it had lost it.
    private mutating func becomeAware(_ slot: Int, _ node: RedisEndpoint) {
        guard unaware[slot]?.remove(node) != nil else { return }
        for channel in connections[node]?.held ?? [] where HashSlot.of(channel) == slot {
            connections[node]?.held.remove(channel)
            connections[node]?.words.append(.unsubscribed(channel))
        }
    }

    /// What it had been sent before is carried out, and told to those whose subscriptions it still has.
    private mutating func publishFalsely(_ channel: String) {
        for node in unaware[HashSlot.of(channel)] ?? [] where connections[node]?.held.contains(channel) == true {
            connections[node]?.words.append(.falseMessage(channel))
        }
    }

    private func serves(_ node: RedisEndpoint, _ slot: Int) -> Bool {
        owners[slot] == node || unaware[slot]?.contains(node) == true
    }

    private mutating func connect(_ node: RedisEndpoint) {
        guard connections[node]?.isUp == false else { return }
        connections[node]?.isUp = true
        machine.connected(node)
    }

    private mutating func disconnect(_ node: RedisEndpoint) {
        guard connections[node]?.isUp == true else { return }
        connections[node] = Connection()
        machine.disconnected(node)
    }

    private mutating func learn() {
        if topology.owners != owners {
            topology = (owners, ClusterTopology())
            for (slot, node) in owners { topology.topology.move(slot, to: node) }
        }
        known = owners
        machine.topologyChanged(to: topology.topology)
    }

    private mutating func sendOn(_ slot: Int, to node: RedisEndpoint) {
        known[slot] = node
        var told = ClusterTopology()
        for (slot, node) in known { told.move(slot, to: node) }
        machine.topologyChanged(to: told)
    }

    private mutating func publish(_ channel: String) {
        let slot = HashSlot.of(channel)
        guard let owner = owners[slot], !down.contains(slot) else { return }
        published[channel, default: 0] += 1
        guard connections[owner]?.held.contains(channel) == true else { return }
        connections[owner]?.words.append(.message(channel, published[channel] ?? 0))
    }

    /// A node carries out the oldest request.
    private mutating func serve(_ node: RedisEndpoint) {
        guard var connection = connections[node] else { return }
        guard let request = connection.requests.first else {
            // Only then do later fences come.
            if let fence = connection.fences.first {
                connections[node]?.fences.removeFirst()
                connections[node]?.words.append(busy.contains(node) ? .refused : .fence(fence))
            }
            return
        }
        connection.requests.removeFirst()
        if busy.contains(node) {
            connections[node]?.requests.removeFirst()
            connections[node]?.words += [.refused, .refused]
            return
        }
        let slot = HashSlot.of(request.channels[0])
        if request.channels.contains(where: { HashSlot.of($0) != slot }) { faults.append("CROSSSLOT") }
        if !serves(node, slot) || down.contains(slot) {
            connection.words.append(.refused)
        } else {
            for channel in request.channels {
                if request.verb == .subscribe {
                    connection.held.insert(channel)
                    connection.words.append(.subscribed(channel))
                } else {
                    connection.held.remove(channel)
                    connection.words.append(.unsubscribed(channel))
                }
            }
        }
        connection.words.append(.fence(request.number))
        connections[node] = connection
    }

    /// The client receives the oldest word of a node.
    private mutating func hear(_ node: RedisEndpoint) {
        guard let word = connections[node]?.words.first else { return }
        connections[node]?.words.removeFirst()
        switch word {
        case .subscribed(let channel): machine.subscribed(channel, at: node)
        case .unsubscribed(let channel): machine.unsubscribed(channel, at: node)
        case .refused: machine.refused(at: node)
        case .fence(let number): machine.fencePassed(number, at: node)
        case .message(let channel, let number):
            guard machine.place(of: channel) == node else { return }
            if !wanted.contains(channel) { faults.append("\(channel) was delivered and nobody wants it") }
            seen[channel]?.insert(number)
        case .falseMessage(let channel):
            // Whoever still reads at that node is told what fits, and reads again once it knows better.
            if machine.place(of: channel) == node, known[HashSlot.of(channel)] != node {
                faults.append("\(channel) is told what \(node) publishes, and read elsewhere")
            }
        }
    }

    private mutating func perform() {
        for notice in machine.takeNotices() {
            switch notice {
            case .connect(let node):
                if connections[node] != nil { faults.append("\(node) has two connections") }
                connections[node] = Connection()
            case .disconnect(let node):
                if connections.removeValue(forKey: node) == nil { faults.append("\(node) was not connected") }
            case .opened(let channel, let node):
                if known[HashSlot.of(channel)] != node {
                    faults.append("\(channel) was opened at \(node), and is read elsewhere")
                }
                if !wanted.contains(channel) { faults.append("\(channel) was opened and nobody wants it") }
                seen[channel] = Set((0..<(published[channel] ?? 0)).map { $0 + 1 })
            case .lost, .refresh: break
            }
        }
        for (node, request) in machine.takeRequests() {
            guard connections[node]?.isUp == true else {
                faults.append("a request to \(node), which is not connected")
                continue
            }
            connections[node]?.requests.append(request)
        }
    }

    // MARK: The end

    /// Lets everything heal and come to rest.
    mutating func settle() {
        down = []
        busy = []
        for slot in Self.slots { becomeAware(slot) }
        for _ in 0..<12 where !isAtRest {
            learn()
            beat()
            perform()
            for node in Self.nodes { connect(node) }
            perform()
            for node in Self.nodes {
                while connections[node].map({ !$0.requests.isEmpty || !$0.fences.isEmpty }) == true { serve(node) }
                while connections[node]?.words.isEmpty == false {
                    hear(node)
                    perform()
                }
            }
        }
    }

    /// Whether everything that was sent has come, and nothing is left to do.
    private var isAtRest: Bool {
        known == owners && machine.unsettledCount == 0 && !machine.isPaused && machine.openFences.isEmpty
            && connections.values.allSatisfy { $0.isUp && $0.requests.isEmpty && $0.fences.isEmpty && $0.words.isEmpty }
    }

    /// What is not as it must be once all is at rest.
    func findings() -> [String] {
        var findings = faults
        if machine.unsettledCount != 0 { findings.append("\(machine.unsettledCount) are not settled") }
        for node in Self.nodes {
            let held = connections[node]?.held ?? []
            let due = wanted.filter { owners[HashSlot.of($0)] == node }
            if held != due { findings.append("\(node) holds \(held.sorted()) and should hold \(due.sorted())") }
            let isNeeded = owners.values.contains(node)
            if connections[node] != nil, !isNeeded { findings.append("\(node) has left and is still connected to") }
        }
        for channel in wanted {
            if machine.place(of: channel) == nil { findings.append("\(channel) is not open") }
            let count = published[channel] ?? 0
            if seen[channel]?.count != count {
                findings.append("\(channel) has \(seen[channel]?.count ?? -1) of \(count)")
            }
        }
        return findings
    }
}
