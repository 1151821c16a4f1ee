import EventLoop
import HTTPServing
import TodoMate

/// Shows what an operator announces at every stream of this worker, whichever worker it was said to.
@LoopActor
final class SharedAnnouncement {
    private let store: any AnnouncementStoreType
    private let feed: AnnouncementFeed
    private let streams: OpenStreams
    private let news: WorkerAnnouncements<AnnouncementNews>

    /// - Parameters:
    ///   - store: where it is.
    ///   - streams: those who are shown it.
    ///   - subject: where workers tell each other; nil has each look now and then.
    ///   - log: where it says that they cannot.
    init(
        _ store: any AnnouncementStoreType,
        _ streams: OpenStreams,
        _ subject: (any SharedSubjectType<AnnouncementNews>)?,
        _ log: Logger
    ) {
        (self.store, self.streams) = (store, streams)
        feed = AnnouncementFeed(store)
        news = WorkerAnnouncements(
            subject,
            AnnouncementNews.topic,
            log,
            warning: "what is announced elsewhere is not told to this worker: it looks every 20 seconds"
        )
        news.onEvent = { [feed] _ in feed.look() }
        feed.onChange = { [weak self] in self?.tell($0) }
    }

    /// What shows at the moment; nil for nothing.
    var current: Announcement? { feed.current }

    /// What a stream that opens is sent; nil for nothing.
    var greeting: [UInt8]? { current.map(Self.frame) }

    func start() {
        feed.start()
        news.start(with: AnnouncementNews(worker: news.worker))
    }

    func stop() {
        feed.stop()
        news.stop()
    }

    /// Announces something, or takes it away.
    func set(_ announcement: Announcement?) async throws(TodoError) {
        if let announcement { try await store.announce(announcement) } else { try await store.endAnnouncement() }
        feed.look()
        await news.post(AnnouncementNews(worker: news.worker))
    }

    private func tell(_ announcement: Announcement?) {
        let frame = Self.frame(announcement)
        for open in streams.all { open.beat(frame) }
    }

    /// An event without an id, which moves no cursor; clients that do not know it pass it over.
    private static func frame(_ announcement: Announcement?) -> [UInt8] {
        EventFrame.event("announcement", data: Array((announcement?.shown.text ?? "{}").utf8))
    }
}
