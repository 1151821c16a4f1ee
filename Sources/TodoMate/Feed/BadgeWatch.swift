package import EventLoop
package import Foundation

/// Keeps one viewer's badges: notified that something changed, it pulls just the numbers that it needs.
///
/// A change of the viewer's own costs one read of four numbers. A change of a followed user costs a count over what that
/// one did of late (``FeedTally``, 200 at most), and no read of Redis; the others' counts stay as they are. Whom the
/// viewer follows is read once, and then known from the changes; what may be seen of them is read in ``PacedQueries``.
@LoopActor
package final class BadgeWatch: TodoChangeObserver {
    private static let pause = Duration.milliseconds(250)
    private static let patience = Duration.seconds(5)

    private let viewer: String
    private let zone: TimeZone
    private let sharing: SharingService
    private let onChange: (Badges) -> Void
    private struct Followed {
        let index: FeedIndex
        /// Nil until it was read.
        var access: Access?
        /// Whether it could not be read the last time.
        var isAway = false
        /// What of it is in ``feed``.
        var counted = 0
    }

    private var followed: [String: Followed] = [:]
    /// The sum of what is counted of each, since a time.
    private var feed = (count: 0, since: 0)
    /// Owners that have to be recounted.
    private var stale: Set<String> = []
    private var own: OwnBadges?
    private var isOwnKnown = false
    private var day: CalendarDate
    /// When that day is. 10,000 boards check each second whether it is over, and the calendar is used once a day.
    private var moments: Range<Int>
    private var last: Badges?
    /// Whose changes do not come at the moment.
    private var silence: Silence?
    private var timer: LoopTimer?
    private var isScheduled = false
    private(set) var isOpen = false
    private var opened = ContinuousClock.now
    private var isFollowingKnown = false
    private(set) var isReadingFollowing = false
    /// Changes of followings, to be applied all at once; a list that is being read may lack them.
    private var news: [String: Bool] = [:]
    /// Nil while closed.
    private var queries: PacedQueries<Query>?

    private enum Query: Hashable {
        case following, news
        case access(to: String)
    }

    /// - Parameter onChange: receives the numbers whenever they have changed.
    package init(
        _ viewer: String,
        zone: TimeZone,
        from sharing: SharingService,
        onChange: @escaping (Badges) -> Void
    ) {
        self.viewer = viewer
        self.zone = zone
        self.sharing = sharing
        self.onChange = onChange
        day = CalendarDate(sharing.now(), in: zone)
        moments = FeedReader.moments(of: day, in: zone)
    }

    package func open() {
        isOpen = true
        opened = .now
        sharing.service.addObserver(self, for: viewer)
        timer = LoopTimer { [weak self] in self?.pull() }
        queries = PacedQueries { [weak self] in await self?.run($0) }
        queries?.begin(.following)
    }

    package func close() {
        isOpen = false
        timer?.cancel()
        queries?.close()
        sharing.service.removeObserver(self, for: viewer)
        for owner in followed.keys { sharing.indexes.remove(self, for: owner) }
        followed = [:]
    }

    /// Looks whether another day has begun, or the clock was set to another one; called every second.
    package func turnDay() {
        if isAnotherDay() { schedule(after: .zero) }
    }

    private func isAnotherDay() -> Bool {
        let now = sharing.now()
        guard !moments.contains(Int(now.timeIntervalSince1970 * 1_000_000)) else { return false }
        let today = CalendarDate(now, in: zone)
        moments = FeedReader.moments(of: today, in: zone)
        guard today != day else { return false }
        day = today
        isOwnKnown = false
        return true
    }

    /// Pulls the numbers soon, once for all that happens until then.
    func schedule() { schedule(after: Self.pause) }

    private func schedule(after pause: Duration) {
        guard isOpen, !isScheduled else { return }
        isScheduled = true
        timer?.start(after: pause)
    }

    /// Learns whose changes do not come from now on.
    package func hear(_ silence: Silence?) {
        self.silence = silence
        schedule()
    }

    /// Something of an owner's that counts is new, or gone.
    func recount(_ owner: String) {
        stale.insert(owner)
        schedule()
    }

    /// Reads soon what the viewer may see of an owner.
    func recheck(_ owner: String) { queries?.repeatSoon(.access(to: owner)) }

    /// Something became of an owner's account.
    func accountChanged(_ change: TodoChange, of owner: String) {
        if change.account?.touchesAccess(of: viewer) == true { recheck(owner) }
    }

    // MARK: TodoChangeObserver, of the viewer

    package func receive(_ change: TodoChange) {
        isOwnKnown = false
        schedule()
    }

    package func accountChanged(_ change: TodoChange) {
        isOwnKnown = false
        schedule()
        guard case .relation(let relation)? = change.account else { return }
        let (isFollowed, isKnown) = (relation.following == .following, followed[relation.with] != nil)
        // The viewer's followers and requests do not change whom the viewer follows.
        if isReadingFollowing || isFollowed != (news[relation.with] ?? isKnown) {
            news[relation.with] = isFollowed
            queries?.repeatSoon(.news)
        }
        // What was read may be older; users followed from now on are read then.
        if isKnown { recheck(relation.with) }
    }

    package func todosReset(for uid: String) {
        isOwnKnown = false
        queries?.repeatSoon(.following)
        for owner in followed.keys { recheck(owner) }
    }

    private func run(_ query: Query) async {
        switch query {
        case .following: await readFollowing()
        case .news: takeNews()
        case .access(let owner): await readAccess(to: owner)
        }
    }

    private func readAccess(to owner: String) async {
        guard followed[owner] != nil else { return }
        await sharing.service.waitUntilFollowing(owner)
        let access = await persistently { () throws(TodoError) in
            try await sharing.stores.shared.access(of: viewer, to: owner)
        } failed: {
            followed[owner]?.isAway = true
            schedule()
        }
        guard let access else { return }
        followed[owner]?.access = access
        followed[owner]?.isAway = false
        recount(owner)
    }

    private func readFollowing() async {
        await sharing.service.waitUntilFollowing(viewer)
        // Changes received up to now are in the list.
        (isReadingFollowing, news) = (true, [:])
        defer { isReadingFollowing = false }
        guard
            let all = await persistently({ () throws(TodoError) in
                try await sharing.stores.relations.following(of: viewer)
            }),
            isOpen
        else { return }
        var changes = followed.mapValues { _ in false }
        for one in all where one.state == .following { changes[one.uid] = true }
        // Received meanwhile: it holds now, or its end is still to come.
        follow(changes.merging(news) { $1 })
        isFollowingKnown = true
    }

    private func takeNews() {
        // Whoever reads the list takes them over.
        if !isReadingFollowing { follow(news) }
    }

    /// Starts and stops counting the users that these changes name.
    private func follow(_ changes: [String: Bool]) {
        for (owner, isFollowed) in changes {
            if isFollowed, followed[owner] == nil {
                followed[owner] = Followed(index: sharing.indexes.add(self, for: owner))
                queries?.begin(.access(to: owner))
            } else if !isFollowed, let gone = followed.removeValue(forKey: owner) {
                sharing.indexes.remove(self, for: owner)
                feed.count -= gone.counted
            }
        }
        news = [:]
        schedule()
    }

    /// Reads until it succeeds; nil when the badges were closed meanwhile. Numbers can wait, but not stay wrong.
    private func persistently<Value>(
        _ read: @LoopActor () async throws(TodoError) -> Value,
        failed: @LoopActor () -> Void = {}
    ) async -> Value? {
        var failures = 0
        while isOpen {
            do throws(TodoError) {
                return try await read()
            } catch {
                failed()
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
        return nil
    }

    private func countStale(since: Int) {
        // Another day, or the feed was seen: recount all.
        let owners = since == feed.since ? stale : Set(followed.keys)
        (feed.since, stale) = (since, [])
        for owner in owners {
            guard var one = followed[owner] else { continue }
            let count = one.index.count(since: since, one.access ?? .none)
            feed.count += count - one.counted
            one.counted = count
            followed[owner] = one
        }
    }

    /// Whether all that counts has been read once: before, the numbers would climb from nothing.
    private var isComplete: Bool {
        isFollowingKnown
            && followed.allSatisfy { $1.access != nil && $1.index.isRead || isMissing($0, $1) }
    }

    private func isMissing(_ owner: String, _ one: Followed) -> Bool {
        one.isAway || one.index.isAway || silence?.covers(owner) == true
    }

    private func pull() {
        isScheduled = false
        // Those of yesterday are wrong as soon as the day is over.
        _ = isAnotherDay()
        // What cannot be read of one must not keep the other numbers back for ever.
        guard last != nil || isComplete || opened.duration(to: .now) > Self.patience else { return schedule() }
        Task {
            if !isOwnKnown || own == nil {
                isOwnKnown = true
                do throws(TodoError) {
                    own = try await sharing.stores.feeds.badges(of: viewer, on: day)
                } catch {
                    isOwnKnown = false
                    return schedule()
                }
            }
            guard let own, isOpen else { return }
            let since = max(own.feedSeen + 1, moments.lowerBound)
            countStale(since: since)
            let missing = followed.count { isMissing($0, $1) }
            let badges = Badges(own, feed: feed.count, missing: missing > 0 ? missing : nil)
            guard badges != last else { return }
            last = badges
            onChange(badges)
        }
    }
}
