import EventLoop
import Foundation

/// Keeps an owner's ``FeedTally``, one in each worker: read for the first viewer who counts with it, then updated by changes.
@LoopActor
final class FeedIndex: TodoChangeObserver {
    /// By then a day has begun in every time zone.
    private static let reach = 26 * 3600 * 1_000_000
    private static let pause = Duration.milliseconds(100)

    private static var now: Int { Int(Date().timeIntervalSince1970 * 1_000_000) }

    let owner: String
    private let service: any TodoRealtimeServiceType
    private let feeds: any FeedStoreType
    private var tally = FeedTally()
    private(set) var isRead = false
    /// Whether it could not be read the last time.
    private(set) var isAway = false
    private var timer: LoopTimer?
    private var isScheduled = false
    private var isReading = false
    /// Whether another read is to follow: changes have arrived since this one began.
    private var isDue = false
    private var reads = Attempts()
    var watches: [ObjectIdentifier: BadgeWatch] = [:]

    init(_ owner: String, _ service: any TodoRealtimeServiceType, _ feeds: any FeedStoreType) {
        self.owner = owner
        self.service = service
        self.feeds = feeds
    }

    func open() {
        service.addObserver(self, for: owner)
        timer = LoopTimer { [weak self] in self?.readIsDue() }
        schedule()
    }

    func close() {
        reads.abandon()
        timer?.cancel()
        service.removeObserver(self, for: owner)
    }

    /// The number of items since a time that an access covers.
    func count(since: Int, _ access: Access) -> Int {
        tally.count(since: since, access)
    }

    func receive(_ change: TodoChange) {
        // A read in progress may be older than the change.
        guard isRead, !isReading else { return schedule() }
        switch tally.apply(change, now: Self.now) {
        case .unchanged: break
        case .changed: for watch in watches.values { watch.recount(owner) }
        case .unknown: schedule()
        }
    }

    func accountChanged(_ change: TodoChange) {
        for watch in watches.values { watch.accountChanged(change, of: owner) }
    }

    func todosReset(for uid: String) {
        schedule()
        for watch in watches.values { watch.recheck(owner) }
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        timer?.start(after: Self.pause)
    }

    /// The latest items that others may see, at most as many as Redis counts for one viewer; private todos do not count.
    private func shared(since: Int) async throws(TodoError) -> [FeedItem] {
        var found: [FeedItem] = []
        var before: Int?
        while true {
            let part = try await feeds.feed(of: owner, for: owner, since: since, limit: FeedTally.most, before: before)
            found += part.filter { $0.todo.toModel().visibility != .private }
            guard part.count == FeedTally.most, found.count < FeedTally.most else {
                return Array(found.prefix(FeedTally.most))
            }
            before = part.last?.at
        }
    }

    /// One read at a time: an owner who keeps writing would otherwise begin them faster than they end.
    private func readIsDue() {
        isScheduled = false
        if isReading { isDue = true } else { read() }
    }

    private func ended() {
        isReading = false
        guard isDue else { return }
        isDue = false
        schedule()
    }

    private func read() {
        isReading = true
        let attempt = reads.begin()
        Task {
            let since = Self.now - Self.reach
            do throws(TodoError) {
                await service.waitUntilFollowing(owner)
                let latest = try await shared(since: since)
                guard reads.isCurrent(attempt) else { return }
                tally = FeedTally(latest)
                (isRead, isAway) = (true, false)
                for watch in watches.values { watch.recount(owner) }
                ended()
            } catch {
                if !isAway {
                    isAway = true
                    for watch in watches.values { watch.schedule() }
                }
                // Numbers can wait: the next attempt is soon.
                await LoopTimer.sleep(for: .seconds(1))
                guard reads.isCurrent(attempt) else { return }
                isDue = true
                ended()
            }
        }
    }
}
