/// The numbers at the tabs of a user's board.
///
///     {"today":3,"feed":2,"requests":1,"more":6}
///
/// While what holds some of the followed users does not answer, `missing` says how many they are.
public struct Badges: Sendable, Equatable, Codable {
    /// The user's open todos of today and of days before, and the routines that are due today and not made yet.
    public var today: Int
    /// What followed users did today, since the feed was last seen.
    public var feed: Int
    /// Requests to follow the user.
    public var requests: Int
    /// All there is to do, less what the other tabs show: the user's open todos of days to come.
    public var more: Int
    /// So many followed users cannot be read at the moment: what they did is not in ``feed``, or not all of it. Nil for none.
    public var missing: Int?

    /// The numbers of a user's own data, together with what the feed has.
    package init(_ own: OwnBadges, feed: Int, missing: Int? = nil) {
        self.missing = missing
        let all = own.open + feed + own.requests
        today = own.today
        self.feed = feed
        requests = own.requests
        more = all - (today + feed + requests)
    }

    /// The numbers as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject(["today": today, "feed": feed, "requests": requests, "more": more, "missing": missing]).text
    }
}

/// The part of the badges that lies with the user's own todos.
///
///     {"today":3,"open":9,"requests":1,"feedSeen":1763677123456789}
package struct OwnBadges: Sendable, Equatable, Codable {
    /// Open todos of the requested day and of days before, and the routines that are due on it.
    package var today: Int
    /// Open todos of all days, and those routines.
    package var open: Int
    /// Requests to follow the user.
    package var requests: Int
    /// The time up to which the feed was seen, in microseconds since 1970.
    package var feedSeen: Int

    package init(today: Int, open: Int, requests: Int, feedSeen: Int) {
        (self.today, self.open, self.requests, self.feedSeen) = (today, open, requests, feedSeen)
    }
}
