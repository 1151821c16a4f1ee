import EventLoop
import TestServers

/// Reads one user's event stream and comes back like a browser, whatever ended it; keeps all that it saw.
@LoopActor
final class StreamClient {
    /// What it was told, in order.
    struct Record {
        var uid: String
        /// The day it asked for; nil for all.
        var day: String?
        var events: [SeenEvent] = []
        /// How often a connection was opened that the server answered with a stream.
        var connects = 0
        /// How often such a connection went on from the last id, without a snapshot.
        var resumes = 0
        /// How often it was told to start over, or to start.
        var snapshots = 0
    }

    private let source: EventSource
    /// Whether the last connection asked to go on, and nothing has come yet over it, which may yet turn out to begin anew.
    private var mayResume = false

    private(set) var record: Record
    /// What its page would show.
    private(set) var view = StreamView()

    init(uid: String, day: String?, port: Int, random: SeededRandom) {
        record = Record(uid: uid, day: day)
        let query = day.map { "?date=\($0)" } ?? ""
        source = EventSource("/v1/users/\(uid)/changes\(query)", port: port, random: random)
        source.onOpen = { [weak self] in self?.opened($0) }
        source.onEvent = { [weak self] in self?.take($0) }
    }

    func start() { source.connect() }

    func stop() { source.stop() }

    /// Closes the connection as a page does that is put to sleep; it comes back by itself.
    ///
    /// - Parameter time: how long to stay away; nil for as long as the stream said.
    func drop(for time: Duration? = nil) { source.drop(for: time) }

    private func opened(_ isResuming: Bool) {
        record.connects += 1
        mayResume = isResuming
        if isResuming { record.resumes += 1 }
    }

    private func take(_ event: SeenEvent) {
        record.events.append(event)
        if event.kind == "snapshot" {
            record.snapshots += 1
            if mayResume { record.resumes -= 1 }
        }
        mayResume = false
        view.apply(event)
    }
}
