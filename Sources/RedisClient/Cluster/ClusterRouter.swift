import EventLoop

/// Sends each command to the node of a cluster that serves its slot, over one pipelined connection a node.
///
/// A command that a node did not carry out is sent again, to where its slot is by then, until its time is up. One whose answer
/// was lost is not: it may have been carried out.
@LoopActor
final class ClusterRouter: ClusterDirectoryObserver {
    let directory: ClusterDirectory
    /// Whether the directory ends with this router.
    private let ownsDirectory: Bool
    private let timeout: Duration
    private(set) var nodes: [RedisEndpoint: RedisNode] = [:]
    private var connections = ClusterConnections()
    private var isClosed = false
    private var generator = SystemRandomNumberGenerator()

    /// Between two attempts at a command.
    private static let pauses = Backoff(base: .milliseconds(10), cap: .milliseconds(250))

    var onConnectionChange: ((RedisConnectionChange) -> Void)?
    var onReply: ((Duration) -> Void)?

    init(_ url: RedisURL, timeout: Duration, sharing directory: ClusterDirectory?) {
        self.timeout = timeout
        self.directory = directory ?? ClusterDirectory(url)
        ownsDirectory = directory == nil
        self.directory.add(self)
    }

    /// Whether the cluster is known and no connection that was made is missing.
    var isConnected: Bool { directory.isKnown && connections.areComplete }

    func close() {
        isClosed = true
        if ownsDirectory { directory.close() }
        for node in nodes.values { node.close() }
        nodes = [:]
    }

    /// - Parameter deadline: when to give up; nil for after the timeout.
    func send(
        _ command: RedisCommand,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(RedisError) -> RedisValue {
        let slot = command.slot
        let deadline = deadline ?? .now + timeout
        var failures = 0
        while true {
            guard !isClosed else { throw .closed }
            let reason: String
            let attempt = await attempt(command, slot, by: deadline)
            switch attempt {
            case .done(let result): return try result.get()
            case .again(let why): reason = why
            case .elsewhere(let why):
                reason = why
                // At once, but only once: nodes may disagree.
                if failures == 0 { failures = 1; continue }
            }
            let pause = Self.pauses.delay(afterFailure: failures, using: &generator)
            guard ContinuousClock.now + pause < deadline else {
                throw .notServed(seconds: timeout / .seconds(1), reason: reason)
            }
            failures += 1
            await LoopTimer.sleep(for: pause)
        }
    }

    private enum Attempt {
        case done(Result<RedisValue, RedisError>)
        /// It was not carried out; another node is known to serve the slot.
        case elsewhere(String)
        /// It was not carried out, and will be later.
        case again(String)
    }

    private func attempt(_ command: RedisCommand, _ slot: Int?, by deadline: ContinuousClock.Instant) async -> Attempt {
        guard let node = directory.isKnown ? node(serving: slot) : nil, let endpoint = node.endpoint else {
            if let refusal = directory.refusal { return .done(.failure(refusal)) }
            directory.refresh()
            let reason = directory.lastFailure.map(\.reason) ?? "nothing is known of it yet"
            return .again(directory.isKnown ? "no node serves slot \(slot ?? 0)" : reason)
        }
        let answer = await node.answer(to: command, by: deadline)
        switch answer {
        case .success, .failure(.connectionLost), .failure(.noAnswer), .failure(.refused):
            if case .failure = answer { directory.refresh() }
            return .done(answer)
        case .failure(.server(let error)):
            guard let refusal = ClusterRefusal(error, asked: endpoint) else { return .done(answer) }
            return await attempt(command, after: refusal, "\(endpoint) says: \(error.message)", by: deadline)
        case .failure(let error):
            // It was never sent.
            directory.refresh()
            return .again("\(endpoint): \(error.reason)")
        }
    }

    private func attempt(
        _ command: RedisCommand,
        after refusal: ClusterRefusal,
        _ reason: String,
        by deadline: ContinuousClock.Instant
    ) async -> Attempt {
        switch refusal {
        case .moved(let slot, let endpoint):
            directory.note(slot, movedTo: endpoint)
            return .elsewhere(reason)
        case .ask(let endpoint) where !command.isScript:
            // One key is either here or there. A script reads others besides, which may be at either.
            let answer = await node(at: endpoint).answer(to: command, by: deadline, isAsking: true)
            if case .failure(.server(let error)) = answer, ClusterRefusal(error, asked: endpoint) != nil {
                return .again("\(endpoint) says: \(error.message)")
            }
            if case .failure(.unreachable) = answer { return .again(reason) }
            return .done(answer)
        case .ask, .notNow:
            directory.refresh()
            return .again(reason)
        }
    }

    // MARK: Nodes

    /// All primaries that serve slots.
    func primaries() async throws(RedisError) -> [RedisNode] {
        try await untilKnown(by: .now + timeout)
        return directory.topology.primaries.filter { !directory.topology.slots(of: $0).isEmpty }.map { node(at: $0) }
    }

    /// Who serves a slot.
    func node(of slot: Int, by deadline: ContinuousClock.Instant) async throws(RedisError) -> RedisNode {
        while true {
            try await untilKnown(by: deadline)
            if let node = node(serving: slot) { return node }
            directory.refresh()
            guard .now < deadline else {
                throw .notServed(seconds: timeout / .seconds(1), reason: "no node serves slot \(slot)")
            }
            await LoopTimer.sleep(for: .milliseconds(50))
        }
    }

    /// Who serves a slot, as far as is known; nil where nobody is known to.
    func knownNode(of slot: Int) -> RedisNode? { directory.topology.owner(of: slot).flatMap { nodes[$0] } }

    /// Which connection leads to who serves a slot; 0 while there is none.
    func connectionNumber(of slot: Int) -> Int {
        knownNode(of: slot)?.connectionNumber ?? 0
    }

    private func untilKnown(by deadline: ContinuousClock.Instant) async throws(RedisError) {
        while !directory.isKnown {
            if let refusal = directory.refusal { throw refusal }
            if let failure = directory.lastFailure, .now >= deadline { throw failure }
            guard !isClosed else { throw .closed }
            guard .now < deadline else {
                throw .unreachable(
                    endpoint: directory.url.description,
                    seconds: timeout / .seconds(1),
                    reason: "no answer yet"
                )
            }
            await LoopTimer.sleep(for: .milliseconds(20))
        }
    }

    private func node(serving slot: Int?) -> RedisNode? {
        if let slot { return directory.topology.owner(of: slot).map { node(at: $0) } }
        return nodes.values.first { $0.isConnected } ?? directory.topology.primaries.first.map { node(at: $0) }
    }

    private func node(at endpoint: RedisEndpoint) -> RedisNode {
        if let node = nodes[endpoint] { return node }
        let node = RedisNode(directory.url.server(endpoint), timeout: timeout, failsWithConnection: true)
        node.onReply = { [weak self] in self?.onReply?($0) }
        node.onConnectionChange = { [weak self] in self?.connectionChanged($0, endpoint) }
        nodes[endpoint] = node
        return node
    }

    private func connectionChanged(_ change: RedisConnectionChange, _ endpoint: RedisEndpoint) {
        if change != .connected { directory.refresh() }
        if let change = connections.changed(change, endpoint) { onConnectionChange?(change) }
    }

    // MARK: ClusterDirectoryObserver

    func topologyChanged(from old: ClusterTopology, to new: ClusterTopology) {
        for (endpoint, node) in nodes where !new.primaries.contains(endpoint) {
            nodes[endpoint] = nil
            node.onConnectionChange = nil
            node.retire()
            if let change = connections.settled(endpoint) { onConnectionChange?(change) }
        }
    }

    func topologyKnown() {
        if let change = connections.known() { onConnectionChange?(change) }
    }

    func topologyUnknown(_ error: RedisError) { onConnectionChange?(connections.unknown(error)) }
}
