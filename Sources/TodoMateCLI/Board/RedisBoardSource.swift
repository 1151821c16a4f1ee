import EventLoop
import RedisClient
import TodoMate
import TodoMateRedis

/// A board beside Redis.
@LoopActor
struct RedisBoardSource: BoardSource {
    private let repository: RedisTodoRepository
    let container: DIContainer

    init(_ repository: RedisTodoRepository, _ container: DIContainer) {
        (self.repository, self.container) = (repository, container)
    }

    var stores: PersonalStores { repository.stores.personal }

    func connect(to screen: BoardScreen, wasAsked: Bool) {
        if wasAsked { screen.note(.connected) }
        repository.onConnectionChange = { screen.note($0) }
        repository.onSubscriberChange = { screen.noteSubscriber($0) }
    }

    func log(to logger: Logger) {
        let log = ConnectionLog(logger)
        repository.onConnectionChange = { log.note($0) }
    }

    var leftover: String? { nil }

    func announcements(_ onChange: @escaping (Announcement?) -> Void) -> AnnouncementWatch {
        AnnouncementWatch(repository, onChange: onChange)
    }
}
