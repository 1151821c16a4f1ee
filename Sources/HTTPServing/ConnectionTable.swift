import CLibevent
import EventLoop
import Foundation

/// All connections of a server: how many there are, and which have had their time.
@LoopActor
final class ConnectionTable {
    /// Called with a connection whose request is refused; it has to end it.
    var onRefused: ((HTTPConnection, HTTPFault) -> Void)?
    /// How many more there are that the limit counts, such as streams.
    var others: () -> Int = { 0 }

    private let limits: HTTPLimits
    private let mostConnections: Int
    private let tick: Duration
    private var wheel: DeadlineWheel<Int>
    private var timer: LoopTimer?
    private var byNumber: [Int: HTTPConnection] = [:]
    private var byBuffer: [OpaquePointer: HTTPConnection] = [:]
    private var last = 0
    private var accepted: [HTTPConnection] = []

    init(_ limits: HTTPLimits) {
        self.limits = limits
        mostConnections = min(limits.connections, DescriptorLimit.raise())
        let times = [limits.requestTime, limits.answerTime, limits.idleTime]
        // Deadlines come up to a tenth of the shortest late.
        tick = min(max((times.min() ?? .seconds(10)) / 10, .milliseconds(20)), .seconds(1))
        let longest = Int((times.max() ?? .seconds(60)) / tick)
        wheel = DeadlineWheel(slots: min(longest + 2, 1024))
        timer = LoopTimer(every: tick) { [weak self] in
            // What has come in this turn is looked at first, so that a loop that was held up blames nobody for it.
            LoopActor.atEndOfTurn { LoopActor.atEndOfTurn { self?.endOverdue() } }
        }
    }

    /// How many connections evhttp has.
    var count: Int { byNumber.count }

    /// How many connections have a request coming in or being answered, or are so new that one may be on its way.
    var busyCount: Int { byNumber.values.count { $0.isBusy || $0.isNew } }

    /// The connection that evhttp reads from a buffer; nil when there was no memory to watch it.
    func connection(reading buffered: OpaquePointer?) -> HTTPConnection? { buffered.flatMap { byBuffer[$0] } }

    /// Makes what evhttp reads a new connection from.
    func accept() -> OpaquePointer? {
        guard let buffered = bufferevent_socket_new(LoopActor.shared.base, -1, 0) else { return nil }
        last += 1
        let connection = HTTPConnection(last, buffered, self, limits)
        byNumber[last] = connection
        byBuffer[buffered] = connection
        if accepted.isEmpty { LoopActor.atEndOfTurn { [self] in adopt() } }
        accepted.append(connection)
        return buffered
    }

    /// Ends a connection at a later time than before, or an earlier one.
    func schedule(_ connection: HTTPConnection, after delay: Duration) {
        let isSooner = ContinuousClock.now + delay < connection.deadline
        connection.deadline = ContinuousClock.now + delay
        // A later deadline is found when the earlier one comes up.
        if let slot = connection.slot {
            guard isSooner else { return }
            wheel.remove(connection.number, from: slot)
        }
        connection.slot = wheel.add(connection.number, after: Int(delay / tick) + 1)
    }

    func refuse(_ connection: HTTPConnection, _ fault: HTTPFault) { onRefused?(connection, fault) }

    func forget(_ connection: HTTPConnection, _ buffered: OpaquePointer) {
        byNumber[connection.number] = nil
        byBuffer[buffered] = nil
        if let slot = connection.slot { wheel.remove(connection.number, from: slot) }
    }

    /// Closes the connections that wait for a request.
    func closeIdle() {
        for connection in byNumber.values where !connection.isBusy && !connection.isNew { connection.close() }
    }

    /// Stops the clock; evhttp ends the connections.
    func stop() {
        timer?.cancel()
        timer = nil
        accepted = []
    }

    /// evhttp has made its connections by the end of the turn; none of their bytes has been read before.
    private func adopt() {
        let due = accepted
        accepted = []
        for (index, connection) in due.enumerated() {
            connection.adopt()
            schedule(connection, after: limits.requestTime)
            let waiting = due.count - index - 1
            if count - waiting + others() > mostConnections { refuse(connection, .tooManyConnections) }
        }
    }

    private func endOverdue() {
        guard timer != nil else { return }
        let now = ContinuousClock.now
        for number in wheel.advance() {
            guard let connection = byNumber[number] else { continue }
            connection.slot = nil
            let left = connection.deadline - now
            if left > .zero {
                connection.slot = wheel.add(number, after: Int(left / tick) + 1)
            } else if connection.phase == .reading, connection.isBusy {
                refuse(connection, .tooSlow)
            } else {
                connection.close()
            }
        }
    }
}
