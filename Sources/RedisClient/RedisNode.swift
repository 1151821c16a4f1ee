package import EventLoop

/// Sends commands to one Redis server, pipelined over one connection that reconnects whenever it breaks.
///
/// Commands queued in one turn of the loop leave in one write, and replies are matched in order.
@LoopActor
package final class RedisNode: RedisConnectionDelegate {
    /// Where it is.
    package let url: RedisURL
    private let timeout: Duration
    private var connection: RedisConnection?
    private var sent = PendingReplies()
    private var waiting = PendingReplies()
    private var sweeper: LoopTimer?
    private var lastFailure: RedisError?
    /// Whether commands fail with an attempt to connect, rather than wait for the next one: another node may serve them soon.
    private let failsWithConnection: Bool
    private var isRetired = false
    /// Whether the connection ends once all that was sent is answered.
    private var isEnding = false
    /// Whether sentinels name the server, which may then become a replica.
    private let isBehindSentinels: Bool
    private var readyWaiters: [LoopContinuation<Void>] = []
    /// Which connection this is, among all that this process has made; 0 while there is none.
    package private(set) var connectionNumber = 0
    private static var lastConnectionNumber = 0

    /// Called on the loop when the connection is established, lost or refused.
    var onConnectionChange: ((RedisConnectionChange) -> Void)?

    /// Called with the time from each command's ``send(_:)`` to its reply, including the wait for a connection.
    var onReply: ((Duration) -> Void)?

    /// A node that is connected to at once, and again whenever the connection breaks, until ``close()``, which must be called.
    ///
    /// - Parameters:
    ///   - url: where it is: a server, or the primary that sentinels name.
    ///   - timeout: how long a command may take, including the wait for a connection.
    ///   - watch: what knows the primary, where sentinels name it.
    ///   - failsWithConnection: whether commands fail with an attempt to connect, rather than wait for the next one.
    init(_ url: RedisURL, timeout: Duration, following watch: PrimaryWatch? = nil, failsWithConnection: Bool = false) {
        self.url = url
        self.timeout = timeout
        self.failsWithConnection = failsWithConnection
        isBehindSentinels = watch != nil
        let connection = RedisConnection(url, following: watch, delegate: self)
        self.connection = connection
        connection.start()
        sweeper = LoopTimer(every: .milliseconds(100)) { [weak self] in self?.failOverdue() }
    }

    /// Whether there is a connection at the moment.
    var isConnected: Bool { connection?.isReady ?? false }

    /// Sends a command and returns its reply.
    ///
    /// - Parameters:
    ///   - command: what to carry out.
    ///   - deadline: when to give up; nil for after the timeout.
    ///   - isAsking: whether to say before that a redirection by ASK is followed.
    /// - Throws: ``RedisError``; an error reply is ``RedisError/server(_:)``.
    @discardableResult
    package func send(
        _ command: RedisCommand,
        by deadline: ContinuousClock.Instant? = nil,
        isAsking: Bool = false
    ) async throws(RedisError) -> RedisValue {
        try await answer(to: command, by: deadline, isAsking: isAsking).get()
    }

    /// Sends a command as ``send(_:by:isAsking:)`` does.
    package func answer(
        to command: RedisCommand,
        by deadline: ContinuousClock.Instant? = nil,
        isAsking: Bool = false
    ) async -> Result<RedisValue, RedisError> {
        await LoopActor.suspend { continuation in
            submit(command, by: deadline ?? .now + timeout, isAsking: isAsking, continuation)
        }
    }

    /// Sends a command for a task that is suspended, as ``send(_:by:isAsking:)`` does; the client's own calls save a call by it.
    func submit(
        _ command: RedisCommand,
        by deadline: ContinuousClock.Instant?,
        _ continuation: LoopContinuation<Result<RedisValue, RedisError>>
    ) {
        submit(command, by: deadline ?? .now + timeout, isAsking: false, continuation)
    }

    private func submit(
        _ command: RedisCommand,
        by deadline: ContinuousClock.Instant,
        isAsking: Bool,
        _ continuation: LoopContinuation<Result<RedisValue, RedisError>>
    ) {
        let pending = PendingReply(command, isAsking: isAsking, deadline: deadline, continuation: continuation)
        guard !isRetired else { return pending.finish(.failure(hasLeft)) }
        guard let connection else { return pending.finish(.failure(.closed)) }
        if connection.isReady {
            transmit(pending, connection)
        } else if let lastFailure, lastFailure.isRefused {
            // Waiting does not help against a wrong password; the next attempt may find it fixed.
            pending.finish(.failure(lastFailure))
        } else {
            waiting.append(pending)
        }
    }

    private func transmit(_ pending: PendingReply, _ connection: RedisConnection) {
        if pending.isAsking {
            let asking = RedisCommand("ASKING")
            sent.append(PendingReply(asking, deadline: pending.deadline, continuation: nil))
            connection.send(asking)
        }
        sent.append(pending)
        connection.send(pending.command)
    }

    /// Returns when there is a connection, however long that takes, or at once when the client is closed.
    func waitUntilConnected() async {
        await LoopActor.suspend { continuation in
            guard !isConnected, connection != nil else { return continuation.resume() }
            readyWaiters.append(continuation)
        }
    }

    /// Takes no more commands and closes once those under way are answered; those that wait for a connection fail at once, with
    /// ``RedisError/unreachable(endpoint:seconds:reason:)``, as they were never sent.
    func retire() {
        isRetired = true
        isEnding = true
        for pending in waiting.removeAll() { pending.finish(.failure(hasLeft)) }
        endOnceIdle()
    }

    /// Why it takes no more: nothing was sent, and others may serve what it served.
    private var hasLeft: RedisError {
        .unreachable(endpoint: url.description, seconds: 0, reason: "it has left the cluster")
    }

    private func endOnceIdle() {
        guard isEnding, sent.isEmpty else { return }
        if isRetired { close() } else { connection?.finishLeaving() }
    }

    /// Fails what is under way and closes the connection.
    package func close() {
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
        Self.lastConnectionNumber += 1
        connectionNumber = Self.lastConnectionNumber
        if let connection {
            for pending in waiting.removeAll() { transmit(pending, connection) }
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
            refused(pending, error)
        } else {
            pending.finish(.success(reply.value))
        }
        if isEnding { endOnceIdle() }
    }

    private func refused(_ pending: PendingReply, _ error: RedisServerError) {
        guard isBehindSentinels, error.code == "READONLY" else { return pending.finish(.failure(.server(error))) }
        // Nothing was done: the primary will do it.
        waiting.append(pending)
        leave("it has become a replica (\(error.message))")
    }

    private func leave(_ reason: String) {
        guard let connection, connection.isReady else { return }
        isEnding = true
        connection.beginToLeave(reason)
    }

    /// Asks whether this is still the primary.
    private func askForRole() {
        let number = connectionNumber
        Task {
            let answer: Result<RedisValue, RedisError> = await LoopActor.suspend { continuation in
                let role = PendingReply(RedisCommand("ROLE"), deadline: .now + timeout, continuation: continuation)
                guard let connection, connection.isReady else { return role.finish(.failure(.closed)) }
                transmit(role, connection)
            }
            guard case .success(let reply) = answer, let role = reply.array?.first?.string, role != "master",
                number == connectionNumber
            else { return }
            leave("it is not the primary any more: its role is \(role)")
            endOnceIdle()
        }
    }

    func connectionMustPing() {
        if isBehindSentinels { return askForRole() }
        let ping = RedisCommand("PING")
        sent.append(PendingReply(ping, deadline: .now + timeout, continuation: nil))
        connection?.send(ping)
    }

    func connectionLost(_ reason: String) {
        connectionNumber = 0
        for pending in sent.removeAll() { pending.finish(.failure(.connectionLost(reason: reason))) }
        isEnding = isRetired
        onConnectionChange?(.lost(reason))
        endOnceIdle()
    }

    func connectionFailed(_ error: RedisError) {
        lastFailure = error
        onConnectionChange?(.failed(error))
        guard failsWithConnection || error.isRefused else { return }
        for pending in waiting.removeAll() { pending.finish(.failure(error)) }
    }
}

extension RedisError {
    /// Whether Redis answered and would not let us in.
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
