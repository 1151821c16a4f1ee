import EventLoop
import RedisClient
import TodoMate

/// Logs what becomes of the connection, each reason once.
@LoopActor
final class ConnectionLog {
    private let logger: Logger
    private var lastFailure: RedisError?
    private var lastObjection: TodoError?
    private var isConnected = false
    /// Why no messages are received, or not from all nodes; nil when they are.
    private(set) var subscriberTrouble: String?
    private var lastSubscriberTrouble: String?
    /// Whether Redis has the function library.
    var isPrepared = false

    /// Why nothing can be served at the moment; nil when it can.
    var objection: String? {
        if !isConnected {
            "Redis does not answer"
        } else if !isPrepared {
            Self.isUnprepared
        } else {
            subscriberTrouble
        }
    }

    /// What is missing until then.
    nonisolated static let isUnprepared = "Redis has no functions yet"

    init(_ logger: Logger) { self.logger = logger }

    func note(_ change: RedisConnectionChange) {
        isConnected = change == .connected
        switch change {
        case .connected:
            lastFailure = nil
            logger.info("connected to Redis")
        case .lost(let reason): logger.warning("connection to Redis lost; reconnecting", ["reason": reason])
        case .failed(let error):
            guard error != lastFailure else { return }
            lastFailure = error
            if case .unreachable(let endpoint, _, let reason) = error {
                logger.info("waiting for Redis", ["at": endpoint, "reason": reason])
            } else {
                logger.error("\(error)")
            }
        }
    }

    /// Logs what becomes of the connection for messages, which follows the other one but may be refused by itself.
    func noteSubscriber(_ change: RedisConnectionChange) {
        switch change {
        case .connected: subscriberTrouble = nil
        case .lost(let reason): subscriberTrouble = "the connection for messages is lost: \(reason)"
        case .failed(let error): subscriberTrouble = "the connection for messages is not there: \(error)"
        }
        guard let subscriberTrouble, subscriberTrouble != lastSubscriberTrouble else { return }
        lastSubscriberTrouble = subscriberTrouble
        logger.warning("no changes are received at the moment; reconnecting", ["reason": subscriberTrouble])
    }

    /// Logs that the access list forbids channels, which has no other sign than a metric.
    func noteRefusedProbes(_ channels: String) {
        logger.warning(
            "a node that answers but delivers nothing will not be found: allow the Redis user these channels, and start again",
            ["channels": channels]
        )
    }

    /// Logs why the function library cannot be loaded.
    func note(_ error: TodoError) {
        guard error != lastObjection else { return }
        lastObjection = error
        logger.error("the functions cannot be loaded", ["reason": error.description])
    }
}
