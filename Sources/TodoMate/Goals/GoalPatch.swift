/// A goal to be made, or what is to become different about one; nil leaves a part as it is.
public struct GoalPatch: Sendable, Equatable {
    /// Which goal; one that is not there is made.
    public var id: String
    /// What it is called; a new one needs a name.
    public var name: String?
    /// Its colour; green for a new one.
    public var color: GoalColor?
    /// Its place among the user's goals; the last for a new one.
    public var position: Double?
    /// What new todos of it are; for a new one what the user's new todos are.
    public var visibility: Visibility?
    /// Whether it is archived.
    public var isArchived: Bool?

    /// A patch of these parts.
    public init(
        id: String,
        name: String? = nil,
        color: GoalColor? = nil,
        position: Double? = nil,
        visibility: Visibility? = nil,
        isArchived: Bool? = nil
    ) {
        (self.id, self.name, self.color) = (id, name, color)
        (self.position, self.visibility, self.isArchived) = (position, visibility, isArchived)
    }

    /// What makes this goal, or one of its id equal to it.
    package init(_ goal: Goal) {
        self.init(
            id: goal.id,
            name: goal.name,
            color: goal.color,
            position: goal.position,
            visibility: goal.visibility,
            isArchived: goal.isArchived
        )
    }

    /// The patch as JSON, as the function takes it.
    package var json: String {
        JSONObject([
            "id": id, "name": name, "color": color?.rawValue, "position": position, "visibility": visibility?.rawValue,
            "archived": isArchived,
        ]).text
    }

    /// Checks all parts.
    ///
    /// - Throws: ``TodoError/invalid(_:)``.
    package func check() throws(TodoError) {
        try TodoBounds.id(id)
        if let name { _ = try Preferences.checkedName(name) }
        if let position { try TodoBounds.position(position) }
    }

    /// What a goal becomes.
    ///
    /// - Parameters:
    ///   - goal: the one that is there; nil for none.
    ///   - position: that of a new one.
    ///   - visibility: that of a new one.
    package func applied(to goal: Goal?, position: Double, visibility: Visibility) throws(TodoError) -> Goal {
        try check()
        guard var result = goal ?? name.map({ Goal(id: id, name: $0, position: position, visibility: visibility) })
        else {
            throw .invalid("a new goal needs a name")
        }
        if let name { result.name = name }
        if let color { result.color = color }
        if let position = self.position { result.position = position }
        if let visibility = self.visibility { result.visibility = visibility }
        if let isArchived { result.isArchived = isArchived }
        return result
    }
}
