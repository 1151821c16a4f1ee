/// When to connect, when to give up on a silent peer, when to try again: the reasoning of a connection, without I/O.
///
/// Each event returns what the shell has to do. The states: idle → opening → handshaking → ready → backing off → opening …,
/// leaving between the last two where answers are waited for, and closed from anywhere.
struct ConnectionStateMachine: ~Copyable {
    enum Action: Equatable {
        case nothing
        /// Start connecting; `attempt` counts failures in a row.
        case open(attempt: Int)
        /// Send AUTH, SELECT and what else comes first.
        case greet
        /// Commands may flow.
        case announceReady
        /// Ask the peer for a sign of life.
        case ping
        /// Close the descriptor: the peer has been silent too long.
        case giveUp
        /// Close the descriptor and wait; `wasReady` says whether to notify of the loss.
        case retry(afterFailure: Int, wasReady: Bool)
        /// Close the descriptor for good.
        case tearDown
    }

    private enum State: ~Copyable {
        case idle
        case opening(attempt: Int)
        case handshaking(attempt: Int)
        case ready(attempt: Int, silentBeats: Int)
        case leaving(attempt: Int)
        case backingOff(attempt: Int)
        case closed
    }

    /// After this many heartbeats without a byte the peer counts as dead; the first of them sends a PING.
    static let silentBeatsAllowed = 3

    private var state: State = .idle

    var isReady: Bool {
        switch state {
        case .ready: true
        default: false
        }
    }

    var isOpening: Bool {
        switch state {
        case .opening: true
        default: false
        }
    }

    mutating func start() -> Action {
        switch consume state {
        case .idle:
            self = .init(state: .opening(attempt: 0))
            return .open(attempt: 0)
        case let other:
            self = .init(state: other)
            return .nothing
        }
    }

    mutating func opened() -> Action {
        switch consume state {
        case .opening(let attempt):
            self = .init(state: .handshaking(attempt: attempt))
            return .greet
        case let other:
            self = .init(state: other)
            return .nothing
        }
    }

    mutating func greeted() -> Action {
        switch consume state {
        case .handshaking(let attempt):
            self = .init(state: .ready(attempt: attempt, silentBeats: 0))
            return .announceReady
        case let other:
            self = .init(state: other)
            return .nothing
        }
    }

    /// - Parameter received: whether a byte arrived since the last beat.
    mutating func heartbeat(received: Bool) -> Action {
        switch consume state {
        case .ready(_, _) where received:
            // Only a connection that stayed up forgets earlier failures: one that is dropped at once keeps backing off.
            self = .init(state: .ready(attempt: 0, silentBeats: 0))
            return .nothing
        case .ready(let attempt, let silentBeats) where silentBeats < Self.silentBeatsAllowed:
            self = .init(state: .ready(attempt: attempt, silentBeats: silentBeats + 1))
            return silentBeats == 0 ? .ping : .nothing
        case .ready(let attempt, let silentBeats):
            self = .init(state: .ready(attempt: attempt, silentBeats: silentBeats))
            return .giveUp
        case .leaving(let attempt):
            // What has not been answered by now is not worth a longer wait.
            self = .init(state: .leaving(attempt: attempt))
            return .giveUp
        case let other:
            self = .init(state: other)
            return .nothing
        }
    }

    mutating func lost() -> Action {
        switch consume state {
        case .opening(let attempt):
            self = .init(state: .backingOff(attempt: attempt + 1))
            return .retry(afterFailure: attempt, wasReady: false)
        case .handshaking(let attempt):
            self = .init(state: .backingOff(attempt: attempt + 1))
            return .retry(afterFailure: attempt, wasReady: false)
        case .ready(let attempt, _):
            self = .init(state: .backingOff(attempt: attempt + 1))
            return .retry(afterFailure: attempt, wasReady: true)
        case .leaving(let attempt):
            self = .init(state: .backingOff(attempt: attempt + 1))
            return .retry(afterFailure: attempt, wasReady: true)
        case let other:
            self = .init(state: other)
            return .nothing
        }
    }

    /// No more commands: the server is not the right one any more, but what was sent is still being answered.
    mutating func leave() {
        switch consume state {
        case .ready(let attempt, _): self = .init(state: .leaving(attempt: attempt))
        case let other: self = .init(state: other)
        }
    }

    mutating func retryIsDue() -> Action {
        switch consume state {
        case .backingOff(let attempt):
            self = .init(state: .opening(attempt: attempt))
            return .open(attempt: attempt)
        case let other:
            self = .init(state: other)
            return .nothing
        }
    }

    mutating func close() -> Action {
        switch consume state {
        case .closed:
            self = .init(state: .closed)
            return .nothing
        default:
            self = .init(state: .closed)
            return .tearDown
        }
    }

    init() {}
    private init(state: consuming State) { self.state = state }
}
