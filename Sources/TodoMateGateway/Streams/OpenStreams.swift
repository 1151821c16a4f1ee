import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// An event stream that is open, and what it is open for.
struct OpenStream {
    let stream: EventStream
    /// What its reader came in with; nil without sign-in.
    let token: SessionToken?
    /// The users whom it follows.
    let owners: [String]
    /// The age of the routes when it was opened.
    let openedAt: UInt32
    /// After how many seconds it is sent a heartbeat; nil for the usual interval.
    let beatEvery: UInt32?
    let beat: ([UInt8]) -> Void
    /// Nil for a stream on which nothing depends on the day.
    let turnDay: (() -> Void)?
    /// Tells whose changes do not come from now on; nil for a stream that only has to be told whether its own do.
    let hear: ((Silence?) -> Void)?
}

/// The event streams of this worker by the users who read them.
@LoopActor
final class OpenStreams {
    /// A user's streams, mostly few.
    private struct Reader {
        var streams: [OpenStream] = []
        var shares = 0
    }

    private var readers: [String: Reader] = [:]
    /// How many there are.
    private(set) var count = 0

    nonisolated init() {}

    /// All of them, as they were when this was called.
    var all: [OpenStream] { readers.values.flatMap(\.streams) }

    /// Those who read any.
    var users: [String] { Array(readers.keys) }

    /// How many users read any.
    var userCount: Int { readers.count }

    /// Whether a user has any.
    func hasStreams(_ user: String) -> Bool { readers[user] != nil }

    /// Those of one user.
    func streams(of user: String) -> [OpenStream] { readers[user]?.streams ?? [] }

    /// How many streams a user has, and how many users these follow, added up.
    func load(of user: String) -> (streams: Int, shares: Int) {
        guard let reader = readers[user] else { return (0, 0) }
        return (reader.streams.count, reader.shares)
    }

    func add(_ stream: OpenStream, of user: String) {
        Self.note(stream, in: &readers[user, default: Reader()])
        count += 1
    }

    private static func note(_ stream: OpenStream, in reader: inout Reader) {
        reader.streams.append(stream)
        reader.shares += stream.owners.count
    }

    func remove(_ stream: EventStream, of user: String) {
        // Out of the table while it changes, so that nothing is copied, and most have no other.
        guard var reader = readers.removeValue(forKey: user) else { return }
        if let index = reader.streams.firstIndex(where: { $0.stream === stream }) {
            reader.shares -= reader.streams.remove(at: index).owners.count
            count -= 1
        }
        if !reader.streams.isEmpty { readers[user] = reader }
    }
}
