import EventLoop
import Observing
import RedisClient
import TodoMateRedis

/// What a worker says of itself, as any program reads it.
struct LoadAnnouncement: Codable, Sendable {
    var worker: String
    var streams: Int
    var draining: Bool?
}

/// Hears what the workers tell each other.
@LoopActor
final class LoadListener: Observer {
    private let subject: SharedSubject<LoadAnnouncement>
    /// The streams of each worker that has not said goodbye.
    private(set) var streams: [String: Int] = [:]
    /// How often each was heard.
    private(set) var heard: [String: Int] = [:]

    init(_ redis: RedisURL) async {
        subject = SharedSubject("workers", redis: redis)
        subject.add(self, for: "load")
        await subject.waitUntilSubscribed(to: "load")
    }

    func close() { subject.close() }

    func receive(_ announcement: LoadAnnouncement) {
        // One test publishes nonsense.
        guard announcement.worker.count > 1 else { return }
        heard[announcement.worker, default: 0] += 1
        streams[announcement.worker] = announcement.draining == true ? nil : announcement.streams
    }

    /// Whether no worker has far more or far fewer than its share, nobody being away.
    func isBalanced(_ readers: Int, workers: Int) -> Bool {
        let share = readers / workers
        return streams.count == workers && streams.values.reduce(0, +) == readers
            && streams.values.allSatisfy { $0 <= share + share / 5 + 8 && $0 >= share / 2 - 8 }
    }
}
