import EventLoop
import Foundation

/// All connections of a server: how many there are, and which have had their time.
@LoopActor
final class ConnectionTable {
    weak var delegate: (any HTTPConnectionDelegate)?

    private let limits: HTTPLimits
    private let mostConnections: Int
    private let tick: Duration
    private var wheel: DeadlineWheel<Int>
    private var timer: LoopTimer?
    private var connections: [Int: HTTPConnection] = [:]
    private var last = 0

    init(_ limits: HTTPLimits) {
        self.limits = limits
        mostConnections = min(limits.connections, DescriptorLimit.raise())
        let times = [limits.requestTime, limits.answerTime, limits.idleTime]
        // Deadlines come up to a tenth of the shortest late.
        tick = min(max((times.min() ?? .seconds(10)) / 10, .milliseconds(20)), .seconds(1))
        let longest = Int((times.max() ?? .seconds(60)) / tick)
        wheel = DeadlineWheel(slots: min(longest + 2, 1024))
        timer = LoopTimer(every: tick) { [weak self] in
            // Input of this turn is handled first, so that a stalled loop does not time out its clients.
            LoopActor.atEndOfTurn { LoopActor.atEndOfTurn { self?.endOverdue() } }
        }
    }

    /// How many connections there are.
    var count: Int { connections.count }

    /// How many connections have a request coming in or being answered, or are so new that one may be on its way.
    var busyCount: Int { connections.values.count { $0.isBusy || $0.isNew } }

    /// Makes an accepted socket a connection.
    ///
    /// - Parameter others: how many more there are that the limit counts, such as streams.
    func add(_ descriptor: Int32, from address: String, besides others: Int) {
        last += 1
        let connection = HTTPConnection(last, descriptor, from: address, self, delegate, limits, at: .now)
        connections[last] = connection
        connection.slot = wheel.add(last, after: Int(limits.requestTime / tick) + 1)
        if count + others > mostConnections { delegate?.refuse(connection, .tooManyConnections) }
    }

    /// Ends a connection at a later time than before, or an earlier one.
    func schedule(_ connection: HTTPConnection, after delay: Duration) {
        let deadline = ContinuousClock.now + delay
        let isSooner = deadline < connection.deadline
        connection.deadline = deadline
        // A later deadline is found when the earlier one comes up.
        if let slot = connection.slot {
            guard isSooner else { return }
            wheel.remove(connection.number, from: slot)
        }
        connection.slot = wheel.add(connection.number, after: Int(delay / tick) + 1)
    }

    func forget(_ connection: HTTPConnection) {
        connections[connection.number] = nil
        if let slot = connection.slot { wheel.remove(connection.number, from: slot) }
    }

    /// Closes the connections that wait for a request.
    func closeIdle() {
        for connection in Array(connections.values) where !connection.isBusy && !connection.isNew { connection.close() }
    }

    /// Closes all connections, and stops the clock.
    func stop() {
        timer?.cancel()
        timer = nil
        for connection in Array(connections.values) { connection.close() }
    }

    private func endOverdue() {
        guard timer != nil else { return }
        let now = ContinuousClock.now
        for number in wheel.advance() {
            guard let connection = connections[number] else { continue }
            connection.slot = nil
            let left = connection.deadline - now
            if left > .zero {
                connection.slot = wheel.add(number, after: Int(left / tick) + 1)
            } else if connection.phase == .reading, connection.isBusy {
                delegate?.refuse(connection, .tooSlow)
            } else {
                connection.close()
            }
        }
    }
}
