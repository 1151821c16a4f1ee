import EventLoop
import Foundation
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
    /// What time it is, for which day it is.
    let now: () -> Date

    init(
        _ repository: any TodoRepositoryType,
        _ service: any TodoRealtimeServiceType,
        _ relations: RedisRelationStore,
        _ feeds: RedisFeedStore,
        _ log: Logger,
        now: @escaping () -> Date = { Date() }
    ) {
        self.repository = repository
        self.service = service
        self.relations = relations
        self.feeds = feeds
        self.log = log
        self.now = now
        frames = BoardFrames()
        indexes = FeedIndexes(service, feeds)
    }
}
