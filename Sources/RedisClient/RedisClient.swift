public import EventLoop

/// Sends commands to one Redis server, pipelined over one connection that reconnects whenever it breaks.
///
///     let client = RedisClient(url)
///     let visits = try await client.send(RedisCommand("INCR", "visits")).integer ?? 0
///
/// Commands queued in one turn of the loop leave in one write, and replies are matched in order. A command that is sent
/// while there is no connection waits for one; a command in flight when the connection breaks fails with
/// ``RedisError/connectionLost(reason:)``, because it may or may not have been executed.
@LoopActor
public final class RedisClient: RedisConnectionDelegate {
    private let url: RedisURL
    private let timeout: Duration
    private var connection: RedisConnection?
    private var sent = PendingReplies()
    private var waiting = PendingReplies()
    private var sweeper: LoopTimer?
    private var lastFailure: RedisError?
    private var readyWaiters: [LoopContinuation<Void>] = []

    /// Called on the loop when the connection is established, lost or refused.
    public var onConnectionChange: ((RedisConnectionChange) -> Void)?

    /// Called with the time from each command's ``send(_:)`` to its reply, including the wait for a connection.
    package var onReply: ((Duration) -> Void)?

    /// A client that connects at once, and again whenever the connection breaks, until ``close()``, which must be called.
    ///
    /// - Parameters:
    ///   - url: where Redis is.
    ///   - timeout: how long a command may take, including the wait for a connection.
    public init(_ url: RedisURL, timeout: Duration = .seconds(5)) {
        self.url = url
        self.timeout = timeout
        let connection = RedisConnection(url, delegate: self)
        self.connection = connection
        connection.start()
        sweeper = LoopTimer(every: .milliseconds(100)) { [weak self] in self?.failOverdue() }
    }

    /// Whether there is a connection at the moment.
    public var isConnected: Bool { connection?.isReady ?? false }

    /// Sends a command and returns its reply.
    ///
    /// - Throws: ``RedisError``; an error reply is ``RedisError/server(_:)``.
    @discardableResult
    public func send(_ command: RedisCommand) async throws(RedisError) -> RedisValue {
        let result: Result<RedisValue, RedisError> = await LoopActor.suspend { continuation in
            let pending = PendingReply(command, deadline: .now + timeout, continuation: continuation)
            guard let connection else { return pending.finish(.failure(.closed)) }
            if connection.isReady {
                sent.append(pending)
                connection.send(command)
            } else if let lastFailure, case .refused = lastFailure {
                // Waiting does not help against a wrong password; the next attempt may find it fixed.
                pending.finish(.failure(lastFailure))
            } else {
                waiting.append(pending)
            }
        }
        return try result.get()
    }

    /// Returns when there is a connection, however long that takes, or at once when the client is closed.
    package func waitUntilConnected() async {
        await LoopActor.suspend { continuation in
            guard !isConnected, connection != nil else { return continuation.resume() }
            readyWaiters.append(continuation)
        }
    }

    /// Fails what is under way and closes the connection.
    public func close() {
        connection?.close()
        connection = nil
        sweeper?.cancel()
        for pending in sent.removeAll() + waiting.removeAll() { pending.finish(.failure(.closed)) }
        let waiters = readyWaiters
        readyWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func failOverdue() {
        let now = ContinuousClock.now
        let seconds = Double(timeout / .milliseconds(1)) / 1000
        // A command without an answer keeps its place in the order: its reply may still come.
        for pending in sent.overdue(at: now) { pending.finish(.failure(.noAnswer(seconds: seconds))) }
        // A server that does not speak TLS may wait for ever for the rest of what it takes for a command.
        let doubt = url.usesTLS ? ": does it speak TLS on this port?" : ""
        let reason =
            if case .unreachable(_, _, let reason) = lastFailure { reason } else { "no connection yet\(doubt)" }
        for pending in waiting.removeOverdue(at: now) {
            pending.finish(.failure(.unreachable(endpoint: url.description, seconds: seconds, reason: reason)))
        }
    }

    // MARK: RedisConnectionDelegate

    func connectionReady() {
        lastFailure = nil
        for pending in waiting.removeAll() {
            sent.append(pending)
            connection?.send(pending.command)
        }
        onConnectionChange?(.connected)
        let waiters = readyWaiters
        readyWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    func connectionReceived(_ reply: borrowing RedisReply) {
        guard let pending = sent.popFirst() else { return }
        onReply?(timeout - ContinuousClock.now.duration(to: pending.deadline))
        if let error = reply.error {
            pending.finish(.failure(.server(error)))
        } else {
            pending.finish(.success(reply.value))
        }
    }

    func connectionMustPing() {
        let ping = RedisCommand("PING")
        sent.append(PendingReply(ping, deadline: .now + timeout, continuation: nil))
        connection?.send(ping)
    }

    func connectionLost(_ reason: String) {
        for pending in sent.removeAll() { pending.finish(.failure(.connectionLost(reason: reason))) }
        onConnectionChange?(.lost(reason))
    }

    func connectionFailed(_ error: RedisError) {
        lastFailure = error
        onConnectionChange?(.failed(error))
        guard case .refused = error else { return }
        for pending in waiting.removeAll() { pending.finish(.failure(error)) }
    }
}
