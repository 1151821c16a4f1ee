import EventLoop

/// What a ``SentinelSubscription`` notifies its owner of.
@LoopActor
protocol SentinelSubscriptionDelegate: AnyObject {
    /// This sentinel may know what nobody has told here yet: it has just been subscribed to, or says that the primary is another one.
    func sentinelHasNews(_ sentinel: RedisEndpoint)
}

/// Listens to one sentinel, and to the next when that one is lost.
@LoopActor
final class SentinelSubscription: RedisConnectionDelegate {
    private let url: RedisURL
    private let sentinels: [RedisEndpoint]
    private let primary: String
    private weak var delegate: (any SentinelSubscriptionDelegate)?
    private var rotation: SentinelRotation
    private var connection: RedisConnection?
    private var timer: LoopTimer?
    private var generator = SystemRandomNumberGenerator()

    /// Between two rounds of which nothing came.
    private static let pauses = Backoff(base: .milliseconds(100), cap: .seconds(2))

    init(
        _ url: RedisURL,
        _ sentinels: [RedisEndpoint],
        _ primary: String,
        delegate: any SentinelSubscriptionDelegate
    ) {
        (self.url, self.sentinels, self.primary) = (url, sentinels, primary)
        self.delegate = delegate
        rotation = SentinelRotation(of: sentinels.count)
        timer = LoopTimer { [weak self] in self?.connect() }
        connect()
    }

    func close() {
        connection?.close()
        connection = nil
        timer?.cancel()
        timer = nil
    }

    private var sentinel: RedisEndpoint { sentinels[rotation.index] }

    private func connect() {
        guard timer != nil else { return }
        let connection = RedisConnection(url.sentinel(sentinel), delegate: self)
        self.connection = connection
        connection.start()
    }

    private func goOn() {
        connection?.close()
        connection = nil
        guard let rounds = rotation.lost() else { return connect() }
        timer?.start(after: Self.pauses.delay(afterFailure: rounds, using: &generator))
    }

    // MARK: RedisConnectionDelegate

    func connectionReady() {
        var command = RedisCommand("SUBSCRIBE")
        for event in SentinelEvent.allCases { command.append(event.rawValue) }
        connection?.send(command)
    }

    func connectionReceived(_ reply: borrowing RedisReply) {
        if reply.error != nil {
            goOn()
        } else if reply.isText("message", at: 0) {
            guard let event = SentinelEvent(rawValue: reply.string(at: 1)) else { return }
            if event.isAbout(primary, message: reply.string(at: 2)) { delegate?.sentinelHasNews(sentinel) }
        } else if reply.isText("subscribe", at: 0), reply.isText("+switch-master", at: 1) {
            delegate?.sentinelHasNews(sentinel)
        }
    }

    /// It comes with the beats after which there was nothing to hear: the connection has lasted.
    func connectionMustPing() {
        rotation.stayed()
        connection?.send(RedisCommand("PING"))
    }

    func connectionLost(_ reason: String) { goOn() }

    func connectionFailed(_ error: RedisError) { goOn() }
}
