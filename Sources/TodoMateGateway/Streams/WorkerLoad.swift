/// A worker's announcement of its load, as JSON on the channel `todomate:shared:workers:load`.
package struct WorkerLoad: Codable, Sendable, Equatable {
    /// New with each start, so that a restarted worker is not taken for the one before.
    package var worker: String
    /// How many event streams it has.
    package var streams: Int
    /// True as the last word of a worker that stops; left out before.
    package var draining: Bool?

    private static let longestName = 64
    /// As `--max-connections` has it.
    private static let mostStreams = 1_000_000

    /// A worker with so many streams.
    package init(worker: String, streams: Int, draining: Bool? = nil) {
        (self.worker, self.streams, self.draining) = (worker, streams, draining)
    }

    /// Whether a worker can have sent this: other clients of Redis may publish there, too.
    var isSensible: Bool {
        (1...Self.longestName).contains(worker.utf8.count) && (0...Self.mostStreams).contains(streams)
    }
}
