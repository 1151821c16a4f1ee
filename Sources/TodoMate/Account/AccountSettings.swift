/// What users decide about themselves.
///
///     {"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0}
public struct AccountSettings: Sendable, Equatable, Codable {
    /// Whose they are.
    public var uid: String
    /// Who may follow: anybody at once, those who are let, or nobody.
    public var audience: Visibility
    /// What new todos are, unless they say otherwise.
    public var visibility: Visibility
    /// Up to when the feed was looked at, in microseconds since 1970.
    public var feedSeen: Int

    /// The settings as JSON, in exactly the spelling above.
    public var json: String {
        JSONObject([
            "uid": uid, "audience": audience.rawValue, "visibility": visibility.rawValue, "feedSeen": feedSeen,
        ]).text
    }
}

/// What is to become different about a user's settings; nil leaves a part as it is.
public struct AccountPatch: Sendable, Equatable, Encodable {
    /// Who may follow.
    public var audience: Visibility?
    /// What new todos are.
    public var visibility: Visibility?
    /// Up to when the feed was looked at; it only ever rises.
    public var feedSeen: Int?

    /// A patch of these parts.
    public init(audience: Visibility? = nil, visibility: Visibility? = nil, feedSeen: Int? = nil) {
        self.audience = audience
        self.visibility = visibility
        self.feedSeen = feedSeen
    }
}

/// A user as others count them.
///
///     {"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0,"following":2,"followers":3,"requests":1,
///      "todos":206,"bytes":81200,"bytesMost":33554432}
public struct AccountProfile: Sendable, Equatable, Codable {
    /// Who.
    public var uid: String
    /// Who may follow.
    public var audience: Visibility
    /// What new todos are, unless they say otherwise.
    public var visibility: Visibility
    /// Up to when the feed was looked at, in microseconds since 1970.
    public var feedSeen: Int
    /// How many the user follows, or asks to.
    public var following: Int
    /// How many follow the user.
    public var followers: Int
    /// How many ask to.
    public var requests: Int
    /// How many todos there are.
    public var todos: Int
    /// How many bytes they take, each with some for its index.
    public var bytes: Int
    /// How many bytes they may take.
    public var bytesMost: Int

    /// The profile as JSON, in exactly the spelling above.
    public var json: String {
        JSONObject([
            "uid": uid, "audience": audience.rawValue, "visibility": visibility.rawValue, "feedSeen": feedSeen,
            "following": following, "followers": followers, "requests": requests, "todos": todos, "bytes": bytes,
            "bytesMost": bytesMost,
        ]).text
    }
}
