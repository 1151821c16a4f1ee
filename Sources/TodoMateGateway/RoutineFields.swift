import HTTPServing
import TodoMate

/// What a body has of a routine.
struct RoutineFields: RequestBody {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, content, rule, from, position, time, goal, visibility, made, ended, seen, into
    }

    static let place = "of a routine"

    private var id: String?
    private var content: String?
    private var rule: String?
    private var from: CalendarDate?
    private var position: Double?
    private var time: TimeChange?
    private var goal: String?
    private var visibility: String?
    private var made: [Double]?
    private var ended: Bool?
    private var into: String?
    /// The rule as the caller has seen it, which belongs to the routine of the path where another one is made of it.
    private var seen: String?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.optional(.id)
        content = try fields.optional(.content)
        rule = try fields.optional(.rule)
        from = try fields.optional(.from)
        position = try fields.optional(.position)
        time = try fields.optional(.time)
        goal = try fields.optional(.goal)
        visibility = try fields.optional(.visibility)
        made = try fields.optional(.made)
        ended = try fields.optional(.ended)
        into = try fields.optional(.into)
        seen = try fields.optional(.seen)
    }

    /// What becomes of the routine.
    ///
    /// - Parameter path: the id that the path has; nil where the body must have one.
    func patch(_ path: String?) throws(Problem) -> RoutinePatch {
        guard let id = path ?? id, self.id == nil || self.id == id else {
            throw Problem(.invalid, path.map { "id must be \($0) as in the path, or left out" } ?? "id is missing")
        }
        do throws(TodoError) {
            return RoutinePatch(
                id: id,
                content: content,
                rule: try rule.map { (text) throws(TodoError) in try RoutineRule(text) },
                from: from,
                position: position,
                time: time,
                goal: goal,
                visibility: try Self.visibility(visibility),
                made: try made?.map { (number) throws(TodoError) in try Self.day(number) },
                isEnded: ended ?? false,
                heir: into,
                seen: try seen.map { (text) throws(TodoError) in try RoutineRule(text) }
            )
        } catch {
            throw Problem(.invalid, error.description)
        }
    }

    private static func visibility(_ text: String?) throws(TodoError) -> RoutinePatch.VisibilityChange? {
        guard let text, !text.isEmpty else { return text.map { _ in .usual } }
        guard let visibility = Visibility(rawValue: text) else {
            throw .invalid("visibility must be public, followers or private, or empty for the usual one")
        }
        return .set(visibility)
    }

    private static func day(_ number: Double) throws(TodoError) -> CalendarDate {
        guard let day = Int(exactly: number).flatMap({ CalendarDate(ordinal: $0) }) else {
            throw .invalid("made must be a list of days, each a number such as 20261120")
        }
        return day
    }
}

/// A body of several routines.
struct RoutineList: RequestBody {
    enum CodingKeys: String, CodingKey, CaseIterable { case routines }

    static let place = "of a list of routines"

    let routines: [RoutineFields]

    init(from decoder: any Decoder) throws {
        routines = try decoder.container(keyedBy: CodingKeys.self).decode(
            [KnownFields<RoutineFields>].self,
            forKey: .routines
        ).map(\.body)
    }
}
