import EventLoop
import Observing
import TodoMate
import TodoMateClient
import TodoMateGateway
import TodoMateRedis

/// Follows what is announced, for boards in the terminal.
@LoopActor
final class AnnouncementWatch: Observer {
    private let feed: AnnouncementFeed
    /// Where it is heard of by itself; nil where a client tells.
    private let news: SharedSubject<AnnouncementNews>?

    /// - Parameter onChange: called with each announcement, and with nil when it is over.
    init(_ repository: RedisTodoRepository, onChange: @escaping (Announcement?) -> Void) {
        feed = AnnouncementFeed(repository.announcements)
        news = SharedSubject("workers", over: repository)
        feed.onChange = onChange
    }

    /// As it is told at a server.
    init(_ client: TodoClient, onChange: @escaping (Announcement?) -> Void) {
        feed = AnnouncementFeed(client.announcements)
        news = nil
        feed.onChange = onChange
        client.observeAnnouncements { [feed] in feed.look() }
    }

    func start() {
        news?.add(self, for: AnnouncementNews.topic)
        feed.start()
    }

    func stop() {
        news?.remove(self, for: AnnouncementNews.topic)
        feed.stop()
    }

    func receive(_ news: AnnouncementNews) { feed.look() }
}
