import Foundation

/// What a worker's log says of how it recovered.
struct WorkerLogLine {
    enum Event {
        case lostRedis
        /// The connection for messages ended.
        case lostMessages
        /// So many changes were read from a user's log.
        case readChanges(Int)
        /// A user's observers had to start over.
        case reset
        case unresolved
    }

    var time: Date
    var event: Event

    /// Nil for every other line.
    init?(_ line: Substring) {
        if line.contains("connection to Redis lost") {
            event = .lostRedis
        } else if line.contains("the connection for messages is lost") {
            event = .lostMessages
        } else if line.contains("missed changes replayed from the log") {
            event = .readChanges(line.firstMatch(of: /changes=(\d+)/).flatMap { Int($0.1) } ?? 0)
        } else if line.contains("observers are reset") {
            event = .reset
        } else if line.contains("does not resolve") {
            event = .unresolved
        } else {
            return nil
        }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let text = line.firstMatch(of: /time=(\S+)/), let time = try? Date(String(text.1), strategy: style) else {
            return nil
        }
        self.time = time
    }
}
