import Foundation
import TodoMate

/// What a worker says of itself when an operator asks.
package struct WorkerReport: Codable, Sendable, Equatable {
    /// What it calls itself: new with each start.
    package var worker: String
    /// Where it listens.
    var listen: String
    /// Its process.
    var pid: Int
    var version: String
    /// When it started, in seconds since 1970.
    var started: Int
    var streams: Int
    var connections: Int
    /// Users whose channels it follows.
    var users: Int
    /// The memory that it has, in bytes; zero where that is not known.
    var memory: Int
    /// How many requests it has answered.
    var requests: Int
    /// How many it has refused, by the kind of problem.
    var refused: [String: Int]
    /// Event streams that ended, by why.
    var streamsEnded: [String: Int]
    /// Messages from Redis that were not valid, by why.
    var dropped: [String: Int]
    /// Whether Redis is connected.
    var isConnected: Bool
    /// Why Redis refuses writes; nil where it does not.
    var writeRefusal: String?
    /// Channels of a cluster that are not subscribed where they should be; nil for one Redis.
    var unsettled: Int?

    private static let mostKinds = 64
    private static let longestWord = 300

    /// Whether a worker can have sent this: other clients of Redis may publish there, too.
    var isSensible: Bool {
        let words = [worker, listen, version, writeRefusal ?? ""]
        return [refused, streamsEnded, dropped].allSatisfy { table in
            table.count <= Self.mostKinds && table.allSatisfy { (1...64).contains($0.key.utf8.count) && $0.value >= 0 }
        } && words.allSatisfy { $0.utf8.count <= Self.longestWord }
            && [streams, connections, users, memory, requests, started].allSatisfy { (0...1 << 50).contains($0) }
    }

    /// As HTTP has it.
    var shown: JSONObject {
        JSONObject([
            "worker": worker, "listen": listen, "pid": pid, "version": version, "started": Time.text(started),
            "streams": streams, "connections": connections, "users": users, "memory": memory, "requests": requests,
            "refused": CountTable(refused), "streamsEnded": CountTable(streamsEnded), "dropped": CountTable(dropped),
            "redisConnected": isConnected, "writesRefused": writeRefusal, "unsettled": unsettled,
        ])
    }
}

/// Counts by name, as a JSON object.
struct CountTable: JSONValue {
    private let counts: [String: Int]

    init(_ counts: [String: Int]) { self.counts = counts }

    func write(to text: inout String) {
        let parts = counts.sorted { $0.key < $1.key }.map { "\"\(JSONText.encode($0.key))\":\($0.value)" }
        text += "{\(parts.joined(separator: ","))}"
    }
}
