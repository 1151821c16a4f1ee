import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// What those whom badges count did of late: one index an owner, however many viewers here count with it.
@LoopActor
final class FeedIndexes {
    private let service: any TodoRealtimeServiceType
    private let feeds: RedisFeedStore
    private var indexes: [String: FeedIndex] = [:]

    init(_ service: any TodoRealtimeServiceType, _ feeds: RedisFeedStore) {
        self.service = service
        self.feeds = feeds
    }

    /// The index of an owner, which tells `watch` whenever it has changed, until ``remove(_:for:)``.
    func add(_ watch: BadgeWatch, for owner: String) -> FeedIndex {
        let index = indexes[owner] ?? FeedIndex(owner, service, feeds)
        if indexes.updateValue(index, forKey: owner) == nil { index.open() }
        index.watches[ObjectIdentifier(watch)] = watch
        return index
    }

    func remove(_ watch: BadgeWatch, for owner: String) {
        guard let index = indexes[owner] else { return }
        index.watches[ObjectIdentifier(watch)] = nil
        guard index.watches.isEmpty else { return }
        index.close()
        indexes[owner] = nil
    }
}

/// When an owner added or finished todos, and who may see those: read anew, once a worker, when the owner's todos change.
@LoopActor
final class FeedIndex: TodoObserver {
    /// A day, in whatever time zone, has begun by then.
    private static let reach = 26 * 3600 * 1_000_000
    private static let pause = Duration.milliseconds(100)
    private static let most = 200

    let owner: String
    private let service: any TodoRealtimeServiceType
    private let feeds: RedisFeedStore
    private var entries: [(at: Int, visibility: Visibility)] = []
    private var timer: LoopTimer?
    private var isScheduled = false
    private var reads = 0
    var watches: [ObjectIdentifier: BadgeWatch] = [:]

    init(_ owner: String, _ service: any TodoRealtimeServiceType, _ feeds: RedisFeedStore) {
        self.owner = owner
        self.service = service
        self.feeds = feeds
    }

    func open() {
        service.addObserver(self, for: owner)
        timer = LoopTimer { [weak self] in self?.read() }
        schedule()
    }

    func close() {
        reads += 1
        timer?.cancel()
        service.removeObserver(self, for: owner)
    }

    /// How much there is since a time that an access covers.
    func count(since: Int, _ access: Access) -> Int {
        entries.count { $0.at >= since && access.covers($0.visibility) }
    }

    func receive(_ change: TodoChange) { schedule() }

    func accountChanged(_ change: TodoChange) {
        for watch in watches.values { watch.accountChanged(change, of: owner) }
    }

    func todosReset(for uid: String) {
        schedule()
        for watch in watches.values { watch.recheck(owner) }
    }

    // `receive` takes every change.
    func todoAdded(_ todo: Todo) {}
    func todoModified(_ todo: Todo) {}
    func todoRemoved(_ todo: Todo) {}

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        timer?.start(after: Self.pause)
    }

    /// The latest that anybody else may see, at most as many as Redis counts for one viewer: private todos take no places.
    private func shared(since: Int) async throws(TodoError) -> [(at: Int, visibility: Visibility)] {
        var found: [(at: Int, visibility: Visibility)] = []
        var before: Int?
        while true {
            let part = try await feeds.feed(of: owner, for: owner, since: since, limit: Self.most, before: before)
            found += part.map { ($0.at, $0.todo.toModel().visibility) }.filter { $0.1 != .private }
            guard part.count == Self.most, found.count < Self.most else { return Array(found.prefix(Self.most)) }
            before = part.last?.at
        }
    }

    private func read() {
        isScheduled = false
        reads += 1
        let number = reads
        Task {
            let since = Int(Date().timeIntervalSince1970 * 1_000_000) - Self.reach
            do throws(TodoError) {
                await service.waitUntilFollowing(owner)
                let latest = try await shared(since: since)
                guard number == reads else { return }
                entries = latest
                for watch in watches.values { watch.schedule() }
            } catch {
                // Numbers can wait: the next attempt is soon.
                await LoopTimer.sleep(for: .seconds(1))
                if number == reads { schedule() }
            }
        }
    }
}
