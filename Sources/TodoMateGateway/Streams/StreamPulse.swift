import EventLoop
import HTTPServing
import TodoMate

/// The heartbeats of a worker's streams: with each, that the connection works; and whether changes come over it, as an open
/// connection to a worker that is out of touch with the store tells nothing.
///
/// The store is asked once a second for all streams together, while there are any, and at once for the first. What their readers have
/// to know is sent at once, and with each heartbeat again; a heartbeat waits where the last answer is too old to say anything.
@LoopActor
final class StreamPulse {
    private let streams: OpenStreams
    private let ask: (@LoopActor () async -> Silence?)?
    private var timer: LoopTimer?
    /// Tells that no answer comes.
    private var doubt: LoopTimer?
    private var isAsking = false
    /// When the question was put that was answered last.
    private var answered: ContinuousClock.Instant?
    /// Whether heartbeats wait for an answer.
    private var isDue = false
    /// What the streams were told; nil for nothing, or that all is well.
    private var told: Silence?
    // An event, not a comment: a page does not see comments, and could not distinguish silence from a dead connection.
    private let usual = EventFrame.event("heartbeat", data: Array("{}".utf8))
    private let outOfTouch = EventFrame.event("heartbeat", data: Array(JSONObject(["live": false]).text.utf8))

    /// So long an answer counts, and so long one is waited for. The articles promise it.
    private static let bound = Duration.seconds(3)
    private static let unanswered = Silence(of: ["no answer"])

    /// - Parameter ask: whose changes do not come at the moment; nil where they always do.
    init(_ streams: OpenStreams, _ ask: (@LoopActor () async -> Silence?)?) {
        (self.streams, self.ask) = (streams, ask)
    }

    func start() {
        guard ask != nil else { return }
        timer = LoopTimer.every(.seconds(1), of: self) { $0.look() }
        doubt = LoopTimer { [weak self] in self?.tell(Self.unanswered) }
    }

    func stop() {
        timer?.cancel()
        doubt?.cancel()
    }

    /// Sends a heartbeat.
    func beat(_ entry: OpenStream) {
        if isCurrent || !isLive(entry) { return send(entry) }
        isDue = true
        look()
    }

    /// Tells whoever has just come what the others were told before.
    func greet(_ entry: OpenStream) {
        if !isCurrent { look() }
        guard let told else { return }
        entry.hear?(told)
        if !isLive(entry) { send(entry) }
    }

    /// Whether the last answer still counts.
    private var isCurrent: Bool {
        ask == nil || answered.map { $0.duration(to: .now) < Self.bound } ?? false
    }

    private func isLive(_ entry: OpenStream) -> Bool {
        guard let told else { return true }
        return !entry.owners.contains { told.covers($0) }
    }

    private func send(_ entry: OpenStream) { entry.beat(isLive(entry) ? usual : outOfTouch) }

    private func look() {
        guard !isAsking, streams.count > 0 || told != nil, let ask else { return }
        isAsking = true
        let begun = ContinuousClock.now
        doubt?.start(after: Self.bound)
        Task {
            let found = await ask()
            isAsking = false
            doubt?.stop()
            answered = begun
            tell(found)
        }
    }

    private func tell(_ silence: Silence?) {
        let isNews = silence?.of != told?.of
        told = silence
        guard isNews || isDue else { return }
        isDue = false
        for entry in streams.all {
            send(entry)
            if isNews { entry.hear?(silence) }
        }
    }
}
