/// What todos are looked for by: all that is said has to be so.
package struct TodoSearch: Sendable, Equatable {
    /// Words that they have, all of them; nil for any.
    package var words: TodoWords?
    /// Their status; nil for any.
    package var status: TodoStatus?
    /// The id of their goal, empty for those without one; nil for any.
    package var goal: String?
    /// The first of their days; nil for no bound.
    package var from: CalendarDate?
    /// The last of their days; nil for no bound.
    package var to: CalendarDate?

    /// Whether only notes of days are meant, which have neither a status nor a goal to be found by.
    package var isForNotes = false

    /// A search by these filters.
    package init(
        words: TodoWords? = nil,
        status: TodoStatus? = nil,
        goal: String? = nil,
        from: CalendarDate? = nil,
        to: CalendarDate? = nil,
        isForNotes: Bool = false
    ) {
        (self.words, self.status, self.goal, self.from, self.to) = (words, status, goal, from, to)
        self.isForNotes = isForNotes
    }

    /// - Throws: ``TodoError/invalid(_:)``.
    package func check() throws(TodoError) {
        if let goal, !goal.isEmpty { try TodoBounds.goal(goal) }
        if let from, let to, from > to { throw .invalid("from must not be later than to") }
    }

    /// Whether a todo is one of those.
    package func matches(_ todo: Todo) -> Bool {
        (todo.isNote ? status == nil && goal == nil : !isForNotes) && (status == nil || todo.status == status)
            && (goal == nil || todo.goal ?? "" == goal)
            && (from.map { $0 <= todo.date } ?? true) && (to.map { todo.date <= $0 } ?? true)
            && (words?.match(todo) ?? true)
    }
}

/// Where a search goes on: behind a todo, in the order of searches.
///
///     20261120.1763677123456789-57
package struct SearchPlace: Sendable, Equatable, CustomStringConvertible {
    /// The todo's day.
    package let day: CalendarDate
    /// The todo's id.
    package let id: String

    package init(_ todo: Todo) { (day, id) = (todo.date, todo.id) }

    /// Nil for what no search called next.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 8, let ordinal = Int(parts[0]),
            let day = CalendarDate(year: ordinal / 10_000, month: ordinal / 100 % 100, day: ordinal % 100),
            (try? TodoBounds.id(String(parts[1]))) != nil
        else { return nil }
        (self.day, id) = (day, String(parts[1]))
    }

    package var description: String { "\(day.ordinal).\(id)" }

    /// Whether a todo comes behind this place.
    func isBefore(_ todo: Todo) -> Bool { Self.isBefore(self, SearchPlace(todo)) }

    /// The order in which todos are looked at: those of the latest days first.
    static func isBefore(_ left: SearchPlace, _ right: SearchPlace) -> Bool {
        left.day == right.day ? right.id.utf8.lexicographicallyPrecedes(left.id.utf8) : left.day > right.day
    }
}

/// A part of what a search finds.
///
///     {"todos":[{"id":…},…],"looked":1000,"next":"20261120.1763677123456789-57"}
package struct FoundTodos: Sendable {
    /// Those of the latest days first.
    package var todos: [TodoRecord] = []
    /// How many todos were looked at, also those that the viewer may not see: nil where the viewer is not to know.
    package var looked: Int? = 0
    /// Where to go on, also where a part found nothing; nil at the end.
    package var next: SearchPlace?

    package init() {}

    /// How many todos a part has at most.
    package static let most = 100
    /// How many todos are looked at for a part, or some more.
    package static let lookedMost = 50_000

    /// The part as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "todos": todos.map { RawJSON(String(decoding: $0.json, as: UTF8.self)) }, "looked": looked,
            "next": next?.description,
        ]).text
    }
}
