package import EventLoop

/// Knows which server is the primary, and has every connection leave one that is not any more.
///
/// It listens to one sentinel, and asks all of them whenever that one has news, an attempt to connect begins, or a server turns out
/// to be no primary, and now and then without a reason. One watch serves all connections of a client and of those that share it, so
/// that they end at the same server.
///
/// See [the guidelines for clients of Sentinel](https://redis.io/docs/latest/develop/reference/sentinel-clients/).
@LoopActor
package final class PrimaryWatch: SentinelSubscriptionDelegate {
    private struct Follower { weak var connection: RedisConnection? }

    private let url: RedisURL
    private let name: String
    private let sentinels: [RedisEndpoint]
    private let nodes: [RedisEndpoint: RedisNode]
    private var subscription: SentinelSubscription?
    private var followers: [Follower] = []
    private var record: PrimaryRecord
    /// Whether servers are being asked which of them is the primary.
    private var isVerifying = false
    /// The round of questions under way.
    private var poll: SentinelPoll?
    private var rounds = Attempts()
    private var roundsOver = 0
    private var lastFailure: RedisLink.LinkError?
    /// Who had news while a round was under way, which may lack them.
    private var unheard: Set<RedisEndpoint> = []
    private var isWantedAgain = false
    private var timer: LoopTimer?
    private let waiters = Waiters()

    /// How long a sentinel, or a server that is asked for its role, has to answer.
    private static let patience = Duration.seconds(1)
    /// How often all are asked without a reason.
    private static let interval = Duration.seconds(2)

    /// Nil where the URL names no sentinels.
    init?(_ url: RedisURL) {
        guard case .sentinel(let sentinels, let name) = url.transport else { return nil }
        (self.url, self.sentinels, self.name) = (url, sentinels, name)
        record = PrimaryRecord(of: sentinels.count)
        nodes = Dictionary(
            sentinels.map { ($0, RedisNode(url.sentinel($0), timeout: Self.patience, failsWithConnection: true)) },
            uniquingKeysWith: { first, _ in first }
        )
        timer = LoopTimer.every(Self.interval, of: self) { $0.ask() }
        subscription = SentinelSubscription(url, sentinels, name, delegate: self)
    }

    func close() {
        timer?.cancel()
        timer = nil
        subscription?.close()
        for node in nodes.values { node.close() }
        followers = []
        waiters.resumeAll()
    }

    private var isClosed: Bool { timer == nil }

    /// The primary as it is known; nil before the first answer.
    package var known: RedisEndpoint? { record.known?.primary }

    /// Has a connection leave its server when that is not the primary any more.
    func add(_ connection: RedisConnection) {
        followers.removeAll { $0.connection == nil }
        followers.append(Follower(connection: connection))
    }

    /// The primary, by the sentinels that answer now.
    ///
    /// With no sentinel left it is the one that another connection has, if any has one: what is shared is not torn apart.
    func primary() async throws(RedisLink.LinkError) -> RedisEndpoint {
        let before = roundsOver
        if poll == nil { ask() }
        await waiters.wait { roundsOver > before || isClosed }
        guard let known, !isClosed else { throw lastFailure ?? .init(reason: "this Redis client has been closed") }
        guard let lastFailure, !followers.contains(where: { $0.connection?.holds(known) == true }) else { return known }
        throw lastFailure
    }

    /// A server turned out to be no primary: nobody stays there.
    func demoted(_ server: RedisEndpoint, _ reason: String) {
        for follower in followers { follower.connection?.leave(server, reason) }
        askAgain()
    }

    // MARK: Asking

    func sentinelHasNews(_ sentinel: RedisEndpoint) {
        unheard.insert(sentinel)
        askAgain()
    }

    private func askAgain() {
        if poll == nil { ask() } else { isWantedAgain = true }
    }

    private func ask() {
        guard poll == nil, !isClosed else { return }
        poll = SentinelPoll(sentinels, awaiting: unheard)
        unheard = []
        isWantedAgain = false
        let round = rounds.begin()
        for sentinel in sentinels {
            Task {
                let answer = await view(of: sentinel)
                take(answer, from: sentinel, in: round)
            }
        }
    }

    private func take(
        _ answer: Result<SentinelAnswer, RedisLink.LinkError>,
        from sentinel: RedisEndpoint,
        in round: Attempts.Attempt
    ) {
        guard !isClosed else { return }
        guard rounds.isCurrent(round), var poll else {
            // It was not waited for, and may yet know more than the others.
            if case .success(let late) = answer { hear([late]) }
            return
        }
        poll.receive(answer, from: sentinel)
        guard poll.isOver else {
            self.poll = poll
            return
        }
        self.poll = nil
        lastFailure = poll.failure
        hear(poll.answers)
        roundsOver += 1
        waiters.resumeAll()
        if isWantedAgain { ask() }
    }

    private func hear(_ answers: [SentinelAnswer]) {
        switch record.hear(answers, at: .now) {
        case .same: break
        case .other: leaveOthers()
        case .doubtful(let answer): verify(answer)
        }
    }

    private func leaveOthers() {
        guard let known else { return }
        for follower in followers { follower.connection?.leave(unless: known) }
    }

    /// Follows what only some sentinels say if the servers say so as well; otherwise the next round asks again.
    private func verify(_ answer: SentinelAnswer) {
        guard !isVerifying, let known, let before = record.known else { return }
        isVerifying = true
        Task {
            async let predecessor = facts(of: known)
            let successor = await facts(of: answer.primary)
            let isSo = ReplicationFacts.has(successor, replaced: await predecessor)
            isVerifying = false
            // Most may have said so meanwhile, or something newer.
            guard !isClosed, isSo, record.known == before else { return }
            record.adopt(answer)
            leaveOthers()
        }
    }

    /// What a server says of its part; nil when it does not.
    private func facts(of server: RedisEndpoint) async -> ReplicationFacts? {
        let node = RedisNode(url.server(server), timeout: Self.patience, failsWithConnection: true)
        defer { node.close() }
        guard case .success(let reply) = await node.answer(to: RedisCommand("INFO", "replication")) else { return nil }
        return reply.string.flatMap { ReplicationFacts(info: $0) }
    }

    private func view(of sentinel: RedisEndpoint) async -> Result<SentinelAnswer, RedisLink.LinkError> {
        guard let node = nodes[sentinel] else { return .failure(.init(reason: "it was not asked")) }
        do throws(RedisError) {
            // In this order: a failover between the two makes the epoch too old for the address, never too new.
            let epoch = try await epoch(node)
            let address = try await node.send(RedisCommand("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name))
            guard let answer = SentinelAnswer(address: address, epoch: epoch) else { return .failure(isUnknown) }
            return .success(answer)
        } catch {
            return .failure(trouble(error))
        }
    }

    private func epoch(_ node: RedisNode) async throws(RedisError) -> Int {
        do throws(RedisError) {
            return SentinelAnswer.epoch(in: try await node.send(RedisCommand("SENTINEL", "MASTER", name))) ?? 0
        } catch {
            // Whoever may only ask for the address does without.
            if case .server(let refusal) = error, refusal.code == "NOPERM" { return 0 }
            throw error
        }
    }

    /// What a sentinel's error means, and what to do about it.
    private func trouble(_ error: RedisError) -> RedisLink.LinkError {
        switch error {
        case .refused(_, let reason): .init(reason: reason, isRefusal: true)
        case .server(let refusal) where refusal.message.contains("No such master"): isUnknown
        case .server(let refusal) where refusal.message.contains("unknown command"):
            .init(reason: "it is no sentinel: name the ports of the sentinels, usually 26379", isRefusal: true)
        case .server(let refusal) where refusal.code == "NOPERM":
            .init(
                reason: "its user may not ask for the primary (\(refusal.message)): give it +sentinel|master, "
                    + "+sentinel|get-master-addr-by-name, +subscribe and allchannels",
                isRefusal: true
            )
        default: .init(reason: error.reason)
        }
    }

    private var isUnknown: RedisLink.LinkError {
        .init(
            reason:
                "it watches no primary called '\(name)': the last part of the URL must be a name of 'sentinel monitor'",
            isRefusal: true
        )
    }
}
