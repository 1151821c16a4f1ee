import RedisClient
import TodoMateClient

/// What a board knows of its connection: to Redis, for commands and for messages, or to a server.
struct BoardLink: Equatable {
    private var isConnected: [Bool?] = [nil, nil]
    private var refusal: String?
    /// When a server is asked again; nil while that is not waited for.
    private(set) var nextAttempt: ContinuousClock.Instant?

    /// Takes note of a connection to Redis: the first is for commands, the second for messages.
    mutating func note(_ change: RedisConnectionChange, _ index: Int) {
        isConnected[index] = change == .connected
        refusal = if case .failed(.refused(let endpoint, let reason)) = change { "\(endpoint): \(reason)" } else { nil }
    }

    /// Takes note of the connection to a server.
    mutating func note(_ status: ConnectionStatus, _ nextAttempt: ContinuousClock.Instant?) {
        (self.nextAttempt, refusal) = (nextAttempt, nil)
        switch status {
        case .idle, .connecting: isConnected = [nil, nil]
        case .live: isConnected = [true, true]
        case .waiting: isConnected = [false, false]
        case .signedOut(let reason), .refused(let reason): (isConnected, refusal) = ([false, false], reason)
        }
    }

    var isLive: Bool { refusal == nil && isConnected == [true, true] }

    /// What there is to say.
    func connection(at now: ContinuousClock.Instant) -> BoardFooter.Connection {
        if let refusal { return .refused(refusal) }
        if isLive { return .live }
        if let nextAttempt { return .waiting(max(Int((now.duration(to: nextAttempt) / .seconds(1)).rounded(.up)), 1)) }
        return isConnected.contains(false) ? .reconnecting : .connecting
    }
}
