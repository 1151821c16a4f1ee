import EventLoop

/// What a ``RedisConnection`` notifies its owner of.
@LoopActor
protocol RedisConnectionDelegate: AnyObject {
    /// Commands may be sent.
    func connectionReady()
    /// A reply to a command sent since ``connectionReady()``, or a published message.
    func connectionReceived(_ reply: borrowing RedisReply)
    /// Send something that Redis answers; on a connection to the primary that sentinels name, at each beat.
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
    private let watch: PrimaryWatch?
    private let backoff: Backoff
    private weak var delegate: (any RedisConnectionDelegate)?
    private var machine = ConnectionStateMachine()
    private var link: RedisLink?
    private var handshake: Handshake?
    private var retryTimer: LoopTimer?
    private var deadlineTimer: LoopTimer?
    private var heartbeatTimer: LoopTimer?
    private var generator = SystemRandomNumberGenerator()
    /// The server that the link is to, where there may be several.
    private var server: RedisEndpoint?
    private var reasonToLeave: String?

    /// A dead peer is found within (1 + ``ConnectionStateMachine/silentBeatsAllowed``) of these.
    private static let heartbeat = Duration.seconds(2)
    /// For the connect and the handshake together.
    private static let connectDeadline = Duration.seconds(5)

    /// - Parameter watch: what knows the primary, where sentinels name it.
    init(
        _ url: RedisURL,
        following watch: PrimaryWatch? = nil,
        backoff: Backoff = Backoff(),
        delegate: any RedisConnectionDelegate
    ) {
        self.url = url
        self.watch = watch
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
        deadlineTimer = LoopTimer { [weak self] in
            guard let self else { return }
            // A server without TLS may take the first bytes for the beginning of a line, and wait for the rest.
            let isSecuring = link?.isSecuring == true
            drop("no answer to the " + (isSecuring ? "TLS handshake: is this its port for TLS?" : "connection attempt"))
        }
        heartbeatTimer = LoopTimer(every: Self.heartbeat) { [weak self] in self?.beat() }
        watch?.add(self)
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
        case .giveUp where reasonToLeave != nil: finishLeaving()
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
        case .sentinel:
            if let watch {
                url.server(try await watch.primary())
            } else {
                throw .init(reason: "nobody asks the sentinels")
            }
        }
    }

    /// Whether an attempt can continue: an answer that outlasted its own attempt says nothing about the next one.
    private var awaitsLink: Bool { machine.isOpening && link == nil }

    private func connect(to address: String?, of server: RedisURL, _ tls: TLSSession? = nil) {
        if watch != nil, case .tcp(let host, let port) = server.transport {
            self.server = RedisEndpoint(host: host, port: port)
        }
        do throws(RedisLink.LinkError) {
            link = try RedisLink(server, address: address, tls: tls, delegate: self)
        } catch {
            drop(error)
        }
    }

    private func greet() {
        let handshake = Handshake(url, server: server)
        self.handshake = handshake
        for command in handshake.commands { link?.append(command) }
    }

    private func beat() {
        let received = link?.hasReceived ?? false
        link?.hasReceived = false
        let action = machine.heartbeat(received: received)
        // A server may stop being the primary without a word, and go on answering.
        perform(watch != nil && isReady && action == .nothing ? .ping : action)
    }

    // MARK: Leaving what is not the primary

    /// Whether this is a connection to a server.
    func holds(_ server: RedisEndpoint) -> Bool { isReady && self.server == server }

    /// Leaves a server that is not the primary any more, at once.
    func leave(_ server: RedisEndpoint, _ reason: String) {
        if link != nil, self.server == server, reasonToLeave == nil { drop(reason) }
    }

    /// Leaves any other server than this one.
    func leave(unless primary: RedisEndpoint) {
        guard let server, server != primary else { return }
        leave(server, "the primary is now \(primary)")
    }

    /// Takes no more commands, as the server is not the primary any more; ``finishLeaving()`` follows once the owner has its answers.
    func beginToLeave(_ reason: String) {
        machine.leave()
        reasonToLeave = reason
        if let server { watch?.demoted(server, reason) }
    }

    /// Connects to the primary.
    func finishLeaving() {
        if let reasonToLeave { drop(reasonToLeave) }
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
        reasonToLeave = nil
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
            // It may have been replaced while it was being connected to.
            if let server, let primary = watch?.known, server != primary {
                return drop("the primary is now \(primary)")
            }
            perform(machine.greeted())
        case .more, nil: break
        }
    }

    func linkFailed(_ error: RedisLink.LinkError) { drop(error) }
}
