package import EventLoop
package import Foundation

/// What users see of each other, and whose turn it is to read it: one for all shares of a process.
@LoopActor
package final class SharingService {
    package let stores: Stores
    package let service: any TodoRealtimeServiceType
    package let log: Logger
    /// What time it is, for which day it is.
    package let now: () -> Date
    /// Called with the viewer whenever a share has read something.
    package var onRead: (String) -> Void = { _ in }
    /// Turns of users whose readers begin: who opens a thousand waits behind their own, and delays no one else.
    package let loading = FairTurns(parallel: .max, parallelOfOne: 8, most: .max, mostOfOne: 4096)
    let indexes: FeedIndexes
    private let resuming = FairTurns(parallel: 64, parallelOfOne: 1, most: .max, mostOfOne: 1024)
    private static let fewBytes = 256 * 1024

    package init(
        _ stores: Stores,
        _ service: any TodoRealtimeServiceType,
        _ log: Logger,
        now: @escaping () -> Date = { Date() }
    ) {
        (self.stores, self.service, self.log, self.now) = (stores, service, log, now)
        indexes = FeedIndexes(service, stores.feeds)
    }

    /// What a reader has missed since a change; nil where only a snapshot can say. Whoever has missed much has so much in one
    /// stream at a time, until its turn is released.
    package func missed(
        by viewer: String,
        of owner: String,
        since id: ChangeID
    ) async throws(TodoError) -> (changes: [TodoChange], turn: FairTurn?)? {
        if let few = try await stores.todos.changes(of: owner, since: id, within: Self.fewBytes) { return (few, nil) }
        guard let turn = await resuming.turn(for: viewer) else { return nil }
        return try await stores.todos.changes(of: owner, since: id).map { ($0, turn) }
    }
}
