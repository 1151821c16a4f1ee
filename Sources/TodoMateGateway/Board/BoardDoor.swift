import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// What boards are made of: the same for all of a worker.
@LoopActor
final class BoardDoor {
    let repository: any TodoRepositoryType
    let service: any TodoRealtimeServiceType
    let relations: RedisRelationStore
    let views: RedisViews
    let feeds: RedisFeedStore
    let frames: BoardFrames
    let indexes: FeedIndexes
    /// Turns of those whose streams begin: somebody who opens a thousand waits behind their own, and nobody behind others'.
    let loading = FairTurns(parallel: .max, parallelOfOne: 8, most: .max, mostOfOne: 4096)
    let streams: OpenStreams
    private let resuming = FairTurns(parallel: 64, parallelOfOne: 1, most: .max, mostOfOne: 1024)
    private static let fewBytes = 256 * 1024
    let log: Logger
    /// What time it is, for which day it is.
    let now: () -> Date

    init(
        _ repository: any TodoRepositoryType,
        _ service: any TodoRealtimeServiceType,
        _ relations: RedisRelationStore,
        _ views: RedisViews,
        _ feeds: RedisFeedStore,
        _ streams: OpenStreams,
        _ log: Logger,
        now: @escaping () -> Date = { Date() }
    ) {
        self.repository = repository
        self.service = service
        self.relations = relations
        self.views = views
        self.feeds = feeds
        self.streams = streams
        self.log = log
        self.now = now
        frames = BoardFrames()
        indexes = FeedIndexes(service, feeds)
    }

    /// What a reader has missed since a change; nil where only a snapshot can say. Somebody who has missed much has so much in
    /// one stream at a time, until its turn is let go of.
    func missed(
        by viewer: String,
        of owner: String,
        since id: ChangeID
    ) async throws(TodoError) -> (changes: [TodoChange], turn: FairTurn?)? {
        if let few = try await repository.changes(of: owner, since: id, within: Self.fewBytes) { return (few, nil) }
        guard let turn = await resuming.turn(for: viewer) else { return nil }
        return try await repository.changes(of: owner, since: id).map { ($0, turn) }
    }
}
