package import EventLoop
package import Foundation

/// Reads a viewer's feed and badges from the logs of followed users.
@LoopActor
package struct FeedReader {
    /// A part of a feed.
    package struct Page {
        /// What it holds.
        package var items: [FeedItem]
        /// The cursor of the next page; nil at the end.
        package var next: String?
        /// The time up to which the feed was seen.
        package var seen: Int
        /// So many of those whom the viewer follows could not be read; nil for none. What they did may be newer than what the page
        /// holds, and lie before its cursor: who notes it as seen hides that.
        package var missing: Int?

        package init(items: [FeedItem], next: String?, seen: Int, missing: Int? = nil) {
            (self.items, self.next, self.seen, self.missing) = (items, next, seen, missing)
        }

        /// The page as JSON: `{"items":[…],"next":"…","seen":1763677123456789,"missing":2}`.
        package var json: String {
            let items = items.map { RawJSON($0.json) }
            return JSONObject(["items": items, "next": next, "seen": seen, "missing": missing]).text
        }
    }

    private let relations: any RelationStoreType
    private let feeds: any FeedStoreType
    private let away: AwayNodes

    /// A reader of these stores.
    ///
    /// - Parameter patience: how long to wait for followed users whose node is away; a tenth of it where that was known before.
    package init(
        relations: any RelationStoreType,
        feeds: any FeedStoreType,
        patience: Duration = .seconds(5)
    ) {
        (self.relations, self.feeds, away) = (relations, feeds, AwayNodes(patience: patience))
    }

    /// What a part before called next: `<microseconds>.<uid>`.
    package nonisolated static func place(_ text: String) -> (at: Int, uid: String)? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, (1...16).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let at = Int(parts[0]),
            (try? TodoBounds.uid(String(parts[1]))) != nil
        else { return nil }
        return (at, String(parts[1]))
    }

    /// The moments of a day, in microseconds since 1970: mostly 24 hours, and none of a day that was skipped.
    package nonisolated static func moments(of day: CalendarDate, in zone: TimeZone) -> Range<Int> {
        let first = beginning(of: day, in: zone)
        return first..<max(first, beginning(of: day.adding(days: 1), in: zone))
    }

    /// When a day begins, in microseconds since 1970: not at midnight where the clock skips that.
    package nonisolated static func beginning(of day: CalendarDate, in zone: TimeZone) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = DateComponents(year: day.year, month: day.month, day: day.day)
        return Int((calendar.date(from: parts)?.timeIntervalSince1970 ?? 0) * 1_000_000)
    }

    /// Today's feed, newest first.
    ///
    /// - Parameters:
    ///   - viewer: the user whose access counts.
    ///   - zone: decides what today is.
    ///   - limit: at most so many items.
    ///   - next: what the part before called next: `<microseconds>.<uid>` of its last item.
    package func page(
        of viewer: String,
        in zone: TimeZone,
        limit: Int,
        after next: (at: Int, uid: String)? = nil
    ) async throws(TodoError) -> Page {
        if let page = try await feeds.page(of: viewer, in: zone, limit: limit, after: next) { return page }
        let today = CalendarDate(Date(), in: zone)
        let since = Self.beginning(of: today, in: zone)
        let seen = try await feeds.badges(of: viewer, on: today).feedSeen
        let (parts, missing) = try await ofEach(followed(by: viewer)) { [feeds] owner throws(TodoError) in
            // Those of the last item's moment are read again, and passed over by their owner's place in the order.
            let before = next.map { $0.uid < owner ? $0.at + 1 : $0.at }
            return try await feeds.feed(of: owner, for: viewer, since: since, limit: limit + 1, before: before)
        }
        return Self.page(parts.joined().sorted(by: FeedItem.isNewer), limit, seen, missing)
    }

    /// What one owner did, newest first, as far as the owner lets the viewer see it.
    ///
    /// - Parameters:
    ///   - viewer: the user whose access counts.
    ///   - owner: whose todos.
    ///   - since: the earliest, in microseconds since 1970; nil for the beginning of today.
    ///   - zone: decides what today is.
    ///   - limit: at most so many items.
    ///   - next: what the part before called next.
    package func page(
        of viewer: String,
        by owner: String,
        since: Int?,
        in zone: TimeZone,
        limit: Int,
        after next: (at: Int, uid: String)? = nil
    ) async throws(TodoError) -> Page {
        let today = CalendarDate(Date(), in: zone)
        let seen = try await feeds.badges(of: viewer, on: today).feedSeen
        let items = try await feeds.feed(
            of: owner,
            for: viewer,
            since: since ?? Self.beginning(of: today, in: zone),
            limit: limit + 1,
            before: next?.at
        )
        return Self.page(items, limit, seen)
    }

    /// Of items of which there is one more than fit.
    private nonisolated static func page(_ items: [FeedItem], _ limit: Int, _ seen: Int, _ missing: Int? = nil) -> Page
    {
        guard items.count > limit, limit > 0 else { return Page(items: items, next: nil, seen: seen, missing: missing) }
        let part = Array(items.prefix(limit))
        let last = part[limit - 1]
        return Page(items: part, next: "\(last.at).\(last.todo.toModel().uid)", seen: seen, missing: missing)
    }

    /// A viewer's badges of today, once what was left half-way between the viewer and others is settled.
    package func badges(of viewer: String, in zone: TimeZone) async throws(TodoError) -> Badges {
        if let badges = try await feeds.badges(of: viewer, in: zone) { return badges }
        try await relations.settleBriefly(viewer)
        let today = CalendarDate(Date(), in: zone)
        let own = try await feeds.badges(of: viewer, on: today)
        let since = max(own.feedSeen + 1, Self.beginning(of: today, in: zone))
        let (counts, missing) = try await ofEach(followed(by: viewer)) { [feeds] owner throws(TodoError) in
            try await feeds.feedCount(of: owner, for: viewer, since: since)
        }
        return Badges(own, feed: counts.reduce(0, +), missing: missing)
    }

    /// Reads something of each owner; how many could not be read, nil for none.
    private func ofEach<Value: Sendable>(
        _ owners: [String],
        _ read: @escaping OwnerReads<Value>.Read
    ) async throws(TodoError) -> (values: [Value], missing: Int?) {
        let reads = OwnerReads(away, read)
        let (values, missing) = try await reads.all(of: owners) { feeds.node(of: $0) }
        return (values, missing > 0 ? missing : nil)
    }

    private func followed(by viewer: String) async throws(TodoError) -> [String] {
        try await relations.following(of: viewer).filter { $0.state == .following }.map(\.uid)
    }
}
