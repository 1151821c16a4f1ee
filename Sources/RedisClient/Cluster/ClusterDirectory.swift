package import EventLoop

/// Learns that slots are served by others than before.
@LoopActor
protocol ClusterDirectoryObserver: AnyObject {
    /// The topology is another one now.
    func topologyChanged(from old: ClusterTopology, to new: ClusterTopology)
    /// A node has answered, with news or without.
    func topologyKnown()
    /// No node answers, for this reason.
    func topologyUnknown(_ error: RedisError)
}

/// Knows who serves which slot of a cluster, and asks again whenever something shows that this has changed.
///
/// It asks one node at a time, over a connection of its own: those that it knows, and those that the URL names, which may have
/// been given other addresses meanwhile. An answer counts if that node sees the cluster whole and knows of all that was known
/// before; failing such an answer, the one that knows most.
@LoopActor
package final class ClusterDirectory {
    /// How the cluster was named.
    let url: RedisURL
    /// Who serves what, as far as it is known.
    package private(set) var topology = ClusterTopology()
    /// Whether any node has answered.
    package private(set) var isKnown = false
    /// Why the last refresh failed; nil when it did not.
    private(set) var lastFailure: RedisError?
    /// That failure if no node would let this process in: a wrong password is not mended by waiting.
    private(set) var refusal: RedisError?
    /// So many slots were seen to go from one node to another.
    package private(set) var slotsMoved = 0
    /// The number of refreshes.
    package private(set) var refreshes = 0

    private struct WeakObserver { weak var observer: (any ClusterDirectoryObserver)? }

    private let seeds: [RedisEndpoint]
    private var observers: [WeakObserver] = []
    private var schedule = RefreshSchedule()
    private var timer: LoopTimer?
    private var generator = SystemRandomNumberGenerator()
    /// The node that answered last.
    private var adviser: RedisNode?
    /// Nodes that did not answer when they were last asked: they come last.
    private var silent: Set<RedisEndpoint> = []
    /// The node that a redirection named: it is asked first, as others may not have heard of it yet.
    private var named: RedisEndpoint?
    private let waiters = Waiters()
    private var isClosed = false

    /// Since when all answers have named owners of before.
    private var doubtedSince: ContinuousClock.Instant?
    /// For how long such answers do not count.
    private static let doubt = Duration.seconds(10)

    /// How long a node has to answer.
    private static let patience = Duration.seconds(1)

    init(_ url: RedisURL) {
        self.url = url
        if case .cluster(let nodes) = url.transport { seeds = nodes } else { seeds = [] }
        timer = LoopTimer { [weak self] in
            guard let self else { return }
            perform(schedule.due())
        }
        refresh()
    }

    func close() {
        isClosed = true
        timer?.cancel()
        adviser?.close()
        adviser = nil
        observers = []
        waiters.resumeAll()
    }

    func add(_ observer: any ClusterDirectoryObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    /// Returns once the topology is known, or the directory closed.
    func waitUntilKnown() async { await waiters.wait { isKnown || isClosed } }

    /// Asks again, soon.
    package func refresh() { perform(schedule.wanted(jitter: Double.random(in: 0...1, using: &generator))) }

    /// Notes what a node said of one slot, and asks for the rest.
    func note(_ slot: Int, movedTo endpoint: RedisEndpoint) {
        named = endpoint
        if topology.owner(of: slot) != endpoint {
            var new = topology
            new.move(slot, to: endpoint)
            adopt(new)
        }
        refresh()
    }

    private func perform(_ action: RefreshSchedule.Action) {
        guard !isClosed else { return }
        switch action {
        case .nothing: break
        case .wait(let pause): timer?.start(after: pause)
        case .ask:
            timer?.stop()
            Task {
                let answer = await ask()
                guard !isClosed else { return }
                refreshes += 1
                if let answer { learn(answer) } else { reportFailure() }
                let jitter = Double.random(in: 0...1, using: &generator)
                perform(schedule.finished(isKnown: answer != nil, jitter: jitter))
            }
        }
    }

    private func learn(_ answer: ClusterTopology) {
        (lastFailure, refusal) = (nil, nil)
        // Something else may have been said of a slot since the question. What all go on to say is so in the end.
        let kept = answer.brought(upTo: topology)
        doubtedSince = kept.slotsMoved(since: answer).isEmpty ? nil : doubtedSince ?? .now
        let isSo = doubtedSince.map { $0.duration(to: .now) > Self.doubt } ?? false
        adopt(isSo ? answer : kept)
        for observer in observers { observer.observer?.topologyKnown() }
    }

    private func adopt(_ new: ClusterTopology) {
        let old = topology
        topology = new
        if isKnown { slotsMoved += new.slotsMoved(since: old).count }
        isKnown = true
        if old != new {
            for observer in observers { observer.observer?.topologyChanged(from: old, to: new) }
        }
        waiters.resumeAll()
    }

    private func reportFailure() {
        guard let lastFailure else { return }
        for observer in observers { observer.observer?.topologyUnknown(lastFailure) }
    }

    // MARK: Asking

    /// The best that any node knows; nil if none answers.
    private func ask() async -> ClusterTopology? {
        var best: ClusterTopology?
        var asked: Set<RedisEndpoint> = []
        var failures: [RedisError] = []
        while let endpoint = candidates().first(where: { !asked.contains($0) }), !isClosed {
            asked.insert(endpoint)
            do throws(RedisError) {
                let answer = try await view(of: endpoint)
                silent.remove(endpoint)
                if answer.isWhole, answer.epoch >= topology.epoch {
                    named = nil
                    return answer
                }
                if answer.epoch >= best?.epoch ?? 0 { best = answer }
            } catch {
                silent.insert(endpoint)
                failures.append(error)
            }
        }
        named = nil
        // Who refuses has the most to say; but those that were silent may yet answer.
        lastFailure = failures.last { $0.isRefused } ?? failures.last
        refusal = failures.allSatisfy(\.isRefused) ? lastFailure : nil
        // Should all have been replaced, the new ones may count from the beginning.
        return best
    }

    /// Whom to ask, in order: who answered last, those that are known, those that the URL names, and who was silent.
    private func candidates() -> [RedisEndpoint] {
        let known = topology.primaries.flatMap { [$0] + (topology.replicas[$0] ?? []) }
        let all = [named, adviser?.endpoint].compactMap { $0 } + known.shuffled(using: &generator) + seeds
        silent.formIntersection(all)
        return all.filter { !silent.contains($0) } + all.filter { silent.contains($0) }
    }

    private func view(of endpoint: RedisEndpoint) async throws(RedisError) -> ClusterTopology {
        if adviser?.endpoint != endpoint {
            adviser?.close()
            adviser = RedisNode(url.server(endpoint), timeout: Self.patience, failsWithConnection: true)
        }
        guard let node = adviser else { throw .closed }
        do throws(RedisError) {
            // Sent at once, so that nothing happens between the answers.
            let questions = ["INFO", "NODES", "SLOTS"].map { word in
                Task { await node.answer(to: RedisCommand("CLUSTER", word)) }
            }
            let facts = try await questions[0].value.get()
            let nodes = try await questions[1].value.get()
            let slots = try await questions[2].value.get()
            guard
                let topology = ClusterTopology(
                    info: facts.string ?? "",
                    nodes: nodes.string ?? "",
                    slots: slots,
                    asked: endpoint
                )
            else { throw .unexpectedReply("CLUSTER SLOTS of \(endpoint)") }
            return topology
        } catch {
            node.close()
            if adviser === node { adviser = nil }
            throw error.asClusterError(endpoint)
        }
    }
}

extension RedisNode {
    /// Its host and port, if it has any.
    package var endpoint: RedisEndpoint? {
        if case .tcp(let host, let port) = url.transport { RedisEndpoint(host: host, port: port) } else { nil }
    }
}

extension RedisError {
    /// What to do about a server that is not in a cluster.
    fileprivate func asClusterError(_ endpoint: RedisEndpoint) -> RedisError {
        guard case .server(let error) = self, error.message.contains("cluster support disabled") else { return self }
        return .refused(
            endpoint: endpoint.description,
            reason: "it is a server of its own, not in a cluster: name it as redis://\(endpoint)"
        )
    }
}
