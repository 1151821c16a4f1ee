import Foundation

/// A goal as others have stored it: what a newer program or a hand wrote must not hide all that stands beside it.
package struct ReadableGoal: Decodable {
    /// The goal, gray where its colour is none of those known here; nil for what is none.
    package private(set) var goal: Goal?
    /// Whether its colour is one of those known here.
    package private(set) var hasKnownColor = true

    /// Reads what is stored; nil for what is no JSON object.
    package init?(json: [UInt8]) {
        guard let goal = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = goal
    }

    private enum CodingKeys: CodingKey { case id, name, color, position, visibility, archived }

    package init(from decoder: any Decoder) throws {
        guard let fields = try? decoder.container(keyedBy: CodingKeys.self),
            let id = try? fields.decode(String.self, forKey: .id),
            let name = try? fields.decode(String.self, forKey: .name),
            let color = try? fields.decode(String.self, forKey: .color),
            let position = try? fields.decode(Double.self, forKey: .position),
            let visibility = try? fields.decode(Visibility.self, forKey: .visibility),
            let isArchived = try? fields.decode(Bool.self, forKey: .archived)
        else { return }
        hasKnownColor = GoalColor(rawValue: color) != nil
        goal = Goal(
            id: id,
            name: name,
            color: GoalColor(rawValue: color) ?? .gray,
            position: position,
            visibility: visibility,
            isArchived: isArchived
        )
        if let goal, (try? GoalPatch(goal).check()) == nil { self.goal = nil }
    }
}
