import EventLoop
import HTTPServing
import TodoMate

/// The heartbeats of a worker's streams: with each, that the connection works; and whether changes come over it, as an open
/// connection to a worker that is out of touch with the store tells nothing.
///
/// The store is asked once a second for all streams together, while there are any. What their readers have to know is sent at
/// once, and with each heartbeat again.
@LoopActor
final class StreamPulse {
    private let streams: OpenStreams
    private let ask: (@LoopActor () async -> Silence?)?
    private var timer: LoopTimer?
    private var isAsking = false
    private var silence: Silence?
    // An event, not a comment: a page does not see comments, and could not distinguish silence from a dead connection.
    private let usual = EventFrame.event("heartbeat", data: Array("{}".utf8))
    private let outOfTouch = EventFrame.event("heartbeat", data: Array(JSONObject(["live": false]).text.utf8))

    /// - Parameter ask: whose changes do not come at the moment; nil where they always do.
    init(_ streams: OpenStreams, _ ask: (@LoopActor () async -> Silence?)?) {
        (self.streams, self.ask) = (streams, ask)
    }

    func start() {
        guard ask != nil else { return }
        timer = LoopTimer.every(.seconds(1), of: self) { $0.look() }
    }

    func stop() { timer?.cancel() }

    /// Sends a heartbeat.
    func beat(_ entry: OpenStream) { entry.beat(isLive(entry) ? usual : outOfTouch) }

    /// Tells whoever has just come what the others were told before.
    func greet(_ entry: OpenStream) {
        guard let silence else { return }
        entry.hear?(silence)
        if !isLive(entry) { entry.beat(outOfTouch) }
    }

    private func isLive(_ entry: OpenStream) -> Bool {
        guard let silence else { return true }
        return !entry.owners.contains { silence.covers($0) }
    }

    private func look() {
        guard !isAsking, streams.count > 0 || silence != nil, let ask else { return }
        isAsking = true
        Task {
            let found = await ask()
            isAsking = false
            let isNews = found?.of != silence?.of
            silence = found
            guard isNews else { return }
            for entry in streams.all {
                beat(entry)
                entry.hear?(found)
            }
        }
    }
}
