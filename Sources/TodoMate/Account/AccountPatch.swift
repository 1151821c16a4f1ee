/// What is to become different about a user's settings; nil leaves a part as it is.
package struct AccountPatch: Sendable, Equatable {
    /// Who may follow.
    package var audience: Visibility?
    /// What new todos are.
    package var visibility: Visibility?
    /// The time up to which the feed was seen; it only rises.
    package var feedSeen: Int?
    /// Preferences by the names of their fields; an empty one is taken away.
    package var preferences: [String: String]

    /// A patch of these parts.
    package init(
        audience: Visibility? = nil,
        visibility: Visibility? = nil,
        feedSeen: Int? = nil,
        preferences: [String: String] = [:]
    ) {
        self.audience = audience
        self.visibility = visibility
        self.feedSeen = feedSeen
        self.preferences = preferences
    }

    /// Nothing that could be different.
    package var isEmpty: Bool { self == AccountPatch() }

    /// The patch as JSON, as the function takes it.
    package var json: String {
        JSONObject([
            "audience": audience?.rawValue, "visibility": visibility?.rawValue, "feedSeen": feedSeen,
            "name": preferences["name"], "face": preferences["face"], "language": preferences["language"],
            "timeZone": preferences["timeZone"], "weekStart": preferences["weekStart"],
        ]).text
    }
}
