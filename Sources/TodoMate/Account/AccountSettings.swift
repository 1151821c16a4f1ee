/// What users decide about themselves.
///
///     {"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0}
public struct AccountSettings: Sendable, Equatable, Codable {
    /// Whose they are.
    public var uid: String
    /// Who may follow: anyone at once, those who are accepted, or no one.
    public var audience: Visibility
    /// What new todos are, unless they say otherwise.
    public var visibility: Visibility
    /// The time up to which the feed was seen, in microseconds since 1970.
    public var feedSeen: Int

    /// The settings as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "uid": uid, "audience": audience.rawValue, "visibility": visibility.rawValue, "feedSeen": feedSeen,
        ]).text
    }
}

/// What is to become different about a user's settings; nil leaves a part as it is.
package struct AccountPatch: Sendable, Equatable, Encodable {
    /// Who may follow.
    package var audience: Visibility?
    /// What new todos are.
    package var visibility: Visibility?
    /// The time up to which the feed was seen; it only rises.
    package var feedSeen: Int?

    /// A patch of these parts.
    package init(audience: Visibility? = nil, visibility: Visibility? = nil, feedSeen: Int? = nil) {
        self.audience = audience
        self.visibility = visibility
        self.feedSeen = feedSeen
    }
}

/// A user as others count them.
///
///     {"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0,"following":2,"followers":3,"requests":1,
///      "todos":206,"bytes":81200,"bytesMost":33554432}
package struct AccountProfile: Sendable, Equatable, Codable {
    /// Who.
    package var uid: String
    /// Who may follow.
    package var audience: Visibility
    /// What new todos are, unless they say otherwise.
    package var visibility: Visibility
    /// The time up to which the feed was seen, in microseconds since 1970.
    package var feedSeen: Int
    /// The number of users that the user follows or asks to follow.
    package var following: Int
    /// How many follow the user.
    package var followers: Int
    /// The number of requests to follow.
    package var requests: Int
    /// How many todos there are.
    package var todos: Int
    /// How many bytes they take, each with some for its index.
    package var bytes: Int
    /// How many bytes they may take.
    package var bytesMost: Int

    /// The profile as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "uid": uid, "audience": audience.rawValue, "visibility": visibility.rawValue, "feedSeen": feedSeen,
            "following": following, "followers": followers, "requests": requests, "todos": todos, "bytes": bytes,
            "bytesMost": bytesMost,
        ]).text
    }
}
