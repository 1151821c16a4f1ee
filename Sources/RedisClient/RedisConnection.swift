import EventLoop

/// What a ``RedisConnection`` notifies its owner of.
@LoopActor
protocol RedisConnectionDelegate: AnyObject {
    /// Commands may be sent.
    func connectionReady()
    /// A reply to a command sent since ``connectionReady()``, or a published message.
    func connectionReceived(_ reply: borrowing RedisReply)
    /// Send something that Redis answers.
    func connectionMustPing()
    /// The connection is gone and replies still missing will not come; it is being made again.
    func connectionLost(_ reason: String)
    /// An attempt to connect failed; another follows.
    func connectionFailed(_ error: RedisError)
}

/// A connection that is made again, with backoff, for as long as it is wanted.
///
/// The shell around ``ConnectionStateMachine``: it owns the link, the clock and the dice.
@LoopActor
final class RedisConnection: RedisLinkDelegate {
    private let url: RedisURL
    private let backoff: Backoff
    private weak var delegate: (any RedisConnectionDelegate)?
    private var machine = ConnectionStateMachine()
    private var link: RedisLink?
    private var handshake: Handshake?
    private var retryTimer: LoopTimer?
    private var deadlineTimer: LoopTimer?
    private var heartbeatTimer: LoopTimer?
    private var generator = SystemRandomNumberGenerator()

    /// A dead peer is found within (1 + ``ConnectionStateMachine/silentBeatsAllowed``) of these.
    private static let heartbeat = Duration.seconds(2)
    /// For the connect and the handshake together.
    private static let connectDeadline = Duration.seconds(5)

    init(_ url: RedisURL, backoff: Backoff = Backoff(), delegate: any RedisConnectionDelegate) {
        self.url = url
        self.backoff = backoff
        self.delegate = delegate
    }

    var isReady: Bool { machine.isReady }

    func start() {
        guard retryTimer == nil else { return }
        retryTimer = LoopTimer { [weak self] in
            guard let self else { return }
            perform(machine.retryIsDue())
        }
        deadlineTimer = LoopTimer { [weak self] in self?.drop("no answer to the connection attempt") }
        heartbeatTimer = LoopTimer(every: Self.heartbeat) { [weak self] in self?.beat() }
        perform(machine.start())
    }

    func send(_ command: RedisCommand) { link?.append(command) }

    /// Ends the connection for good; the delegate is not called again.
    func close() { perform(machine.close()) }

    private func perform(_ action: ConnectionStateMachine.Action) {
        switch action {
        case .nothing: break
        case .open(let attempt): open(attempt)
        case .greet: greet()
        case .announceReady:
            deadlineTimer?.stop()
            delegate?.connectionReady()
        case .ping: delegate?.connectionMustPing()
        case .giveUp: drop("no sign of life for \(Self.heartbeat * (ConnectionStateMachine.silentBeatsAllowed + 1))")
        case .retry(let attempt, _):
            retryTimer?.start(after: backoff.delay(afterFailure: attempt, using: &generator))
        case .tearDown:
            closeLink()
            for timer in [retryTimer, deadlineTimer, heartbeatTimer] { timer?.cancel() }
        }
    }

    private func open(_ attempt: Int) {
        deadlineTimer?.start(after: Self.connectDeadline)
        if case .unix = url.transport { return connect(to: nil, of: url) }
        Task {
            do throws(RedisLink.LinkError) {
                let server = try await server(attempt)
                guard case .tcp(let host, _) = server.transport else { return }
                // Made anew for each attempt: certificates are renewed while programs run.
                let tls = try await TLSSession.make(for: server)
                let addresses = try await HostResolver.addresses(of: host).get()
                guard !addresses.isEmpty else { throw .init(reason: "the name \(host) has no address") }
                // A name with several addresses: each attempt takes the next one.
                if awaitsLink { connect(to: addresses[attempt % addresses.count], of: server, tls) }
            } catch {
                if awaitsLink { drop(error) }
            }
        }
    }

    /// The server to connect to this time.
    private func server(_ attempt: Int) async throws(RedisLink.LinkError) -> RedisURL {
        switch url.transport {
        case .tcp, .unix: url
        case .cluster(let nodes): url.server(nodes[attempt % nodes.count])
        case .sentinel(let sentinels, let primary):
            url.server(try await SentinelQuery(url, sentinels, primary).run(startingAt: attempt))
        }
    }

    /// Whether an attempt can continue: an answer that outlasted its own attempt says nothing about the next one.
    private var awaitsLink: Bool { machine.isOpening && link == nil }

    private func connect(to address: String?, of server: RedisURL, _ tls: TLSSession? = nil) {
        do throws(RedisLink.LinkError) {
            link = try RedisLink(server, address: address, tls: tls, delegate: self)
        } catch {
            drop(error)
        }
    }

    private func greet() {
        let handshake = Handshake(url)
        self.handshake = handshake
        for command in handshake.commands { link?.append(command) }
    }

    private func beat() {
        let received = link?.hasReceived ?? false
        link?.hasReceived = false
        perform(machine.heartbeat(received: received))
    }

    /// Closes the descriptor and starts the next attempt.
    func drop(_ reason: String) { drop(reason, refused: false) }

    private func drop(_ error: RedisLink.LinkError) { drop(error.reason, refused: error.isRefusal) }

    private func drop(_ reason: String, refused: Bool) {
        closeLink()
        deadlineTimer?.stop()
        let action = machine.lost()
        guard case .retry(_, let wasReady) = action else { return }
        // The retry is planned first: the delegate may close the connection.
        perform(action)
        if wasReady {
            delegate?.connectionLost(reason)
        } else if refused {
            delegate?.connectionFailed(.refused(endpoint: url.description, reason: reason))
        } else {
            delegate?.connectionFailed(.unreachable(endpoint: url.description, seconds: 0, reason: reason))
        }
    }

    private func closeLink() {
        link?.close()
        link = nil
        handshake = nil
    }

    // MARK: RedisLinkDelegate

    func linkOpened() { perform(machine.opened()) }

    func linkReceived(_ reply: borrowing RedisReply) {
        guard handshake != nil else {
            delegate?.connectionReceived(reply)
            return
        }
        switch handshake?.receive(reply.value) {
        case .refused(let reason): drop(reason, refused: true)
        case .notReady(let reason): drop(reason)
        case .finished:
            handshake = nil
            perform(machine.greeted())
        case .more, nil: break
        }
    }

    func linkFailed(_ error: RedisLink.LinkError) { drop(error) }
}
