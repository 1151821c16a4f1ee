/// What users decide about themselves.
///
///     {"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0,"name":"Alice","face":"🦊","language":"en",
///      "timeZone":"Europe/Berlin","weekStart":"monday","goals":[{…}],"routines":[{…}]}
///
/// The last seven are left out where there is nothing.
public struct AccountSettings: Sendable, Equatable {
    /// Whose they are.
    public var uid: String
    /// Who may follow: anyone at once, those who are accepted, or no one.
    public var audience: Visibility
    /// What new todos are, unless they say otherwise.
    public var visibility: Visibility
    /// The time up to which the feed was seen, in microseconds since 1970.
    public var feedSeen: Int
    /// How the user is called, and how days are shown.
    public var preferences = Preferences()
    /// What the user's todos are for, in the order of their ids.
    public var goals: [Goal] = []
    /// What the user does again and again, in the order of their ids.
    public var routines: [Routine] = []

    /// The settings as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "uid": uid, "audience": audience.rawValue, "visibility": visibility.rawValue, "feedSeen": feedSeen,
            "name": preferences.name, "face": preferences.face, "language": preferences.language,
            "timeZone": preferences.timeZone, "weekStart": preferences.weekStart?.rawValue,
            "goals": goals.isEmpty ? nil : goals.map { RawJSON($0.json) },
            "routines": routines.isEmpty ? nil : routines.map { RawJSON($0.json) },
        ]).text
    }
}

extension AccountSettings: Decodable {
    private enum CodingKeys: CodingKey { case uid, audience, visibility, feedSeen, goals, routines }

    /// Reads the JSON of a message or an answer.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        uid = try fields.decode(String.self, forKey: .uid)
        audience = try fields.decode(Visibility.self, forKey: .audience)
        visibility = try fields.decode(Visibility.self, forKey: .visibility)
        feedSeen = try fields.decode(Int.self, forKey: .feedSeen)
        preferences = try Preferences(from: decoder)
        goals = try fields.decodeIfPresent([ReadableGoal].self, forKey: .goals)?.compactMap(\.goal) ?? []
        routines = try fields.decodeIfPresent([ReadableRoutine].self, forKey: .routines)?.compactMap(\.routine) ?? []
    }
}
