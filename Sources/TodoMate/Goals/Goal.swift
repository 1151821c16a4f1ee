/// What some of a user's todos are for: a name and a colour that they share, and a visibility that new ones get.
///
///     {"id":"g1","name":"Work","color":"teal","position":3,"visibility":"followers","archived":false}
public struct Goal: Sendable, Equatable, Identifiable, Codable {
    /// Unique among the goals of its user: 1…64 of `A-Z a-z 0-9 _ -`.
    public var id: String
    /// What it is called: one line of at most 40 characters.
    public var name: String
    /// The colour that shows it.
    public var color: GoalColor
    /// Orders the goals of a user, smaller first.
    public var position: Double
    /// What new todos of it are, unless they say otherwise.
    public var visibility: Visibility
    /// Whether it is not offered for new todos any more.
    public var isArchived: Bool

    enum CodingKeys: String, CodingKey {
        case id, name, color, position, visibility
        case isArchived = "archived"
    }

    /// A goal of these parts; nothing is checked here.
    public init(
        id: String,
        name: String,
        color: GoalColor = .green,
        position: Double,
        visibility: Visibility,
        isArchived: Bool = false
    ) {
        (self.id, self.name, self.color) = (id, name, color)
        (self.position, self.visibility, self.isArchived) = (position, visibility, isArchived)
    }

    /// The most goals of a user.
    public static let most = 100

    /// The goal as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "id": id, "name": name, "color": color.rawValue, "position": position, "visibility": visibility.rawValue,
            "archived": isArchived,
        ]).text
    }

    /// The order in which goals are listed: those that are not archived first, by position, then id.
    public static func isInListOrder(_ left: Goal, _ right: Goal) -> Bool {
        (left.isArchived ? 1 : 0, left.position, left.id) < (right.isArchived ? 1 : 0, right.position, right.id)
    }
}

/// The colours of goals: few enough to be told apart, each legible on light and on dark.
public enum GoalColor: String, Sendable, Codable, CaseIterable {
    case red, orange, yellow, green, teal, blue, indigo, purple, pink, gray

    /// All of them, as errors list them.
    package static let choices = "red, orange, yellow, green, teal, blue, indigo, purple, pink or gray"
}
