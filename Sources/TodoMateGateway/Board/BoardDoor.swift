import EventLoop
import TodoMate
import TodoMateRedis

/// What boards are made of: the same for all of a worker.
@LoopActor
struct BoardDoor {
    let repository: any TodoRepositoryType
    let service: any TodoRealtimeServiceType
    let relations: RedisRelationStore
    let feeds: RedisFeedStore
    let frames: BoardFrames
    let indexes: FeedIndexes
    let log: Logger

    init(
        _ repository: any TodoRepositoryType,
        _ service: any TodoRealtimeServiceType,
        _ relations: RedisRelationStore,
        _ feeds: RedisFeedStore,
        _ log: Logger
    ) {
        self.repository = repository
        self.service = service
        self.relations = relations
        self.feeds = feeds
        self.log = log
        frames = BoardFrames()
        indexes = FeedIndexes(service, feeds)
    }
}
