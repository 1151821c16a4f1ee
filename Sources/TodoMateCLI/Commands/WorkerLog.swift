import EventLoop
import RedisClient
import TodoMate

/// Logs what the realtime service drops, repairs and resets.
@LoopActor
final class RealtimeLog: TodoRealtimeMonitor {
    private let logger: Logger
    private var refusals: [String: Int] = [:]

    init(_ logger: Logger) { self.logger = logger }

    func refused(_ refusal: MessageRefusal, for uid: String) {
        refusals[refusal.name, default: 0] += 1
        let count = String(refusals[refusal.name, default: 0])
        logger.warning(
            "message dropped",
            ["uid": uid, "reason": refusal.description, "kind": refusal.name, "count": count]
        )
    }

    func caughtUp(_ uid: String, changes: Int?) {
        if let changes, changes > 0 {
            logger.info("missed changes read from the log", ["uid": uid, "changes": String(changes)])
        }
    }

    func reset(_ uid: String) { logger.warning("history lost or replaced: observers start over", ["uid": uid]) }
}

/// Logs what becomes of the connection, each reason once.
@LoopActor
final class ConnectionLog {
    private let logger: Logger
    private var lastFailure: RedisError?

    init(_ logger: Logger) { self.logger = logger }

    func note(_ change: RedisConnectionChange) {
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
