/// What a user does again and again: a line, and a rule that says on which days.
///
///     {"id":"r1","content":"Run","rule":"FREQ=WEEKLY;BYDAY=MO,FR","from":"2026-11-23","position":3,"time":"07:00","goal":"g1",
///      "visibility":"private","made":[20261123]}
///
/// No todo is stored for a day until somebody does something with it: whoever shows a list works the days out
/// (``days(in:today:)``, ``todo(on:of:usual:)``). An update of such a todo, by its id, makes it; its day is remembered in ``made``, so that it
/// is not made twice and does not come back. The last four parts are left out where there is nothing.
public struct Routine: Sendable, Equatable, Identifiable {
    /// Unique among the routines of its user: 1…54 of `A-Z a-z 0-9 _ -`.
    public var id: String
    /// What to do: one line of 1 to 500 characters.
    public var content: String
    /// On which days.
    public var rule: RoutineRule
    /// The first day that may be one of them.
    public var from: CalendarDate
    /// Orders its todos among those of a day that have the same time, or none.
    public var position: Double
    /// The time of those days, if it has one.
    public var time: TimeOfDay?
    /// The id of the goal that it is for, if there is one.
    public var goal: String?
    /// What its todos are; nil for what the goal or the user's settings say.
    public var visibility: Visibility?
    /// The days that were made todos or skipped, in order; those that passed long ago are forgotten.
    public var made: [CalendarDate]

    /// A routine of these parts; nothing is checked here.
    public init(
        id: String,
        content: String,
        rule: RoutineRule,
        from: CalendarDate,
        position: Double,
        time: TimeOfDay? = nil,
        goal: String? = nil,
        visibility: Visibility? = nil,
        made: [CalendarDate] = []
    ) {
        (self.id, self.content, self.rule, self.from) = (id, content, rule, from)
        (self.position, self.time, self.goal) = (position, time, goal)
        (self.visibility, self.made) = (visibility, made)
    }

    /// The most routines of a user.
    public static let most = 50
    /// What all routines of a user may take as JSON, less the days that they remember.
    package static let bytesMost = 24_576
    /// The most days that one remembers.
    package static let mostMade = 100
    /// How many days back one remembers, by the day in UTC.
    package static let remembered = 40
    /// How many days back its days are shown, by the reader's day: what was not done by then does not wait for ever.
    package static let shownBack = 31
    private static let idLength = 54

    /// What routines take as JSON, less the days that they remember.
    static func size(_ routines: some Sequence<Routine>) -> Int {
        routines.reduce(0) { size, routine in
            var routine = routine
            routine.made = []
            return size + routine.json.utf8.count
        }
    }

    /// Checks the id of a routine.
    @discardableResult
    static func checked(_ id: String) throws(TodoError) -> String {
        guard id.utf8.count <= idLength, TodoBounds.isID(id.utf8) else {
            throw .invalid("a routine's id must be 1 to \(idLength) of A-Z a-z 0-9 _ -")
        }
        return id
    }

    /// The order in which routines are listed: by position, then id.
    public static func isInListOrder(_ left: Routine, _ right: Routine) -> Bool {
        (left.position, left.id) < (right.position, right.id)
    }
}

extension Routine: Codable {
    enum CodingKeys: CodingKey { case id, content, rule, from, position, time, goal, visibility, made }

    /// Reads the JSON of a message or an answer.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        content = try fields.decode(String.self, forKey: .content)
        rule = try RoutineRule(try fields.decode(String.self, forKey: .rule))
        from = try fields.decode(CalendarDate.self, forKey: .from)
        position = try fields.decode(Double.self, forKey: .position)
        time = try fields.decodeIfPresent(TimeOfDay.self, forKey: .time)
        goal = try fields.decodeIfPresent(String.self, forKey: .goal)
        visibility = try fields.decodeIfPresent(Visibility.self, forKey: .visibility)
        made = try (fields.decodeIfPresent([Int].self, forKey: .made) ?? []).map { number in
            guard let day = CalendarDate(ordinal: number) else {
                throw TodoError.invalid("made must be a list of days, each a number such as 20261120")
            }
            return day
        }
    }

    /// Writes the JSON of a message or an answer.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(content, forKey: .content)
        try fields.encode(rule.description, forKey: .rule)
        try fields.encode(from, forKey: .from)
        try fields.encode(position, forKey: .position)
        try fields.encodeIfPresent(time, forKey: .time)
        try fields.encodeIfPresent(goal, forKey: .goal)
        try fields.encodeIfPresent(visibility, forKey: .visibility)
        if !made.isEmpty { try fields.encode(made.map(\.ordinal), forKey: .made) }
    }

    /// The routine as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "id": id, "content": content, "rule": rule.description, "from": from.description, "position": position,
            "time": time?.description, "goal": goal, "visibility": visibility?.rawValue,
            "made": made.isEmpty ? nil : made.map(\.ordinal),
        ]).text
    }
}

extension CalendarDate {
    /// The day that a number yyyymmdd says; nil when there is no such day.
    package init?(ordinal: Int) {
        guard ordinal >= 0 else { return nil }
        self.init(year: ordinal / 10_000, month: ordinal / 100 % 100, day: ordinal % 100)
    }
}
