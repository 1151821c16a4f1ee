/// A routine to be made, or what is to become different about one; nil leaves a part as it is.
public struct RoutinePatch: Sendable, Equatable {
    /// What becomes of the visibility of a routine's todos.
    public enum VisibilityChange: Sendable, Equatable {
        /// It is this one.
        case set(Visibility)
        /// It is the goal's, or the usual one.
        case usual

        /// As the function takes it.
        var text: String {
            switch self {
            case .set(let visibility): visibility.rawValue
            case .usual: ""
            }
        }
    }

    /// Which routine; one that is not there is made.
    public var id: String
    /// What to do; a new one needs it.
    public var content: String?
    /// On which days; a new one needs it.
    public var rule: RoutineRule?
    /// The first day that may be one of them; a new one needs it.
    public var from: CalendarDate?
    /// Its place among those of the same time; the last for a new one.
    public var position: Double?
    /// The time of its days, or none any more.
    public var time: TimeChange?
    /// The id of the goal that it is for, or an empty text for none.
    public var goal: String?
    /// What its todos are.
    public var visibility: VisibilityChange?
    /// Days that were made todos or skipped, besides those that the routine remembers.
    public var made: [CalendarDate]?
    /// Whether it is taken away.
    public var isEnded: Bool
    /// Which other routine is to remember the days of one that is taken away.
    public var heir: String?
    /// The rule that the caller has seen: where it is another one now, nothing is changed.
    public var seen: RoutineRule?

    /// A patch of these parts.
    public init(
        id: String,
        content: String? = nil,
        rule: RoutineRule? = nil,
        from: CalendarDate? = nil,
        position: Double? = nil,
        time: TimeChange? = nil,
        goal: String? = nil,
        visibility: VisibilityChange? = nil,
        made: [CalendarDate]? = nil,
        isEnded: Bool = false,
        heir: String? = nil,
        seen: RoutineRule? = nil
    ) {
        (self.id, self.content, self.rule, self.from) = (id, content, rule, from)
        (self.position, self.time, self.goal) = (position, time, goal)
        (self.visibility, self.made, self.isEnded) = (visibility, made, isEnded)
        (self.heir, self.seen) = (heir, seen)
    }

    /// What makes this routine, or one of its id equal to it.
    package init(_ routine: Routine) {
        self.init(
            id: routine.id,
            content: routine.content,
            rule: routine.rule,
            from: routine.from,
            position: routine.position,
            time: TimeChange(to: routine.time),
            goal: routine.goal ?? "",
            visibility: routine.visibility.map { .set($0) } ?? .usual,
            made: routine.made
        )
    }

    /// The patch as JSON, as the function takes it.
    package var json: String {
        JSONObject([
            "id": id, "content": content, "rule": rule?.description, "from": from?.description, "position": position,
            "time": time?.text, "goal": goal, "visibility": visibility?.text, "made": made?.map(\.ordinal),
            "ended": isEnded ? true : nil, "into": heir, "seen": seen?.description,
        ]).text
    }

    /// What the function that splits a routine is told of the other one, and of the rule that was seen; nil for nothing.
    package static func split(into other: Self?, seen: RoutineRule?) -> String? {
        guard var other else { return seen.map { JSONObject(["seen": $0.description]).text } }
        other.seen = seen ?? other.seen
        return other.json
    }

    /// Checks all parts.
    ///
    /// - Throws: ``TodoError/invalid(_:)``.
    package func check() throws(TodoError) {
        try Routine.checked(id)
        if let content { try TodoBounds.content(content) }
        if let heir {
            try Routine.checked(heir)
            guard isEnded, heir != id else { throw .invalid("into goes with ended, and names another routine") }
        }
        if let position { try TodoBounds.position(position) }
        if let goal, !goal.isEmpty { try TodoBounds.goal(goal) }
        if let made, made.count > Routine.mostMade {
            throw .invalid("made must be a list of at most \(Routine.mostMade) days, each a number such as 20261120")
        }
    }

    /// What a routine becomes.
    ///
    /// - Parameters:
    ///   - routine: the one that is there; nil for none.
    ///   - position: that of a new one.
    /// - Throws: ``TodoError/invalid(_:)``, also where the rule has no day.
    package func applied(to routine: Routine?, position: Double) throws(TodoError) -> Routine {
        try check()
        guard var result = routine ?? new(position) else {
            throw .invalid("a new routine needs content, rule and from")
        }
        result.id = id
        if let content { result.content = content }
        if let rule { result.rule = rule }
        if let from { result.from = from }
        if let position = self.position { result.position = position }
        if let time { result.time = time.time }
        if let goal { result.goal = goal.isEmpty ? nil : goal }
        switch visibility {
        case .set(let visibility): result.visibility = visibility
        case .usual: result.visibility = nil
        case nil: break
        }
        if let made { result.made += made }
        guard result.rule.last(from: result.from) != nil else {
            throw .invalid("the rule \(result.rule) has no day from \(result.from) on")
        }
        return result
    }

    private func new(_ position: Double) -> Routine? {
        guard let content, let rule, let from else { return nil }
        return Routine(id: id, content: content, rule: rule, from: from, position: position)
    }
}
