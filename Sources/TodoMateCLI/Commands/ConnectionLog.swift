import EventLoop
import RedisClient
import TodoMate

/// Logs what becomes of the connection, each reason once.
@LoopActor
final class ConnectionLog {
    private let logger: Logger
    private var lastFailure: RedisError?
    /// Whether there is a connection at the moment.
    private(set) var isConnected = false

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
}
