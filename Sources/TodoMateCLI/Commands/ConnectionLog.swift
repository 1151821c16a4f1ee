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
    /// Whether Redis has the function library.
    var isPrepared = false

    /// Why nothing can be served at the moment; nil when it can.
    var objection: String? {
        if !isConnected { "Redis does not answer" } else if !isPrepared { "Redis has no functions yet" } else { nil }
    }

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

    /// Logs why the function library cannot be loaded.
    func note(_ error: TodoError) {
        guard error != lastObjection else { return }
        lastObjection = error
        logger.error("the functions cannot be loaded", ["reason": error.description])
    }
}
