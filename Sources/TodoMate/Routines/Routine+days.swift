import Foundation

// The days of a routine on which there is still something to do, and the todos that they stand for.
extension Routine {
    /// Its days among some that were neither made todos nor skipped, in order.
    ///
    /// - Parameters:
    ///   - range: the days that are looked at.
    ///   - today: the reader's day: of those before it only the latest 31 are open.
    public func days(in range: ClosedRange<CalendarDate>, today: CalendarDate) -> [CalendarDate] {
        let earliest = max(range.lowerBound, today.adding(days: -Self.shownBack))
        guard earliest <= range.upperBound else { return [] }
        return rule.days(from: from, in: earliest...range.upperBound).filter { !made.contains($0) }
    }

    /// Its first day from one on that was neither made a todo nor skipped; nil where there is none within a year.
    package func next(from day: CalendarDate) -> CalendarDate? {
        rule.days(from: from, in: day...max(day, day.adding(days: Self.lookedAhead))).first { !made.contains($0) }
    }

    /// Its rule as one that begins on a day of it says the same from there on: a count is of the days that are left, at least one.
    package func rest(from day: CalendarDate) -> RoutineRule {
        var rest = rule
        if case .count = rule.end {
            let last = max(day, rule.last(from: from) ?? day)
            rest.end = .count(max(1, rule.days(from: from, in: day...last).count))
        }
        return rest
    }

    /// A year, and the day after it.
    private static let lookedAhead = 366

    /// The todo of one of its days, as it is before it is made: with a revision of 0.
    public func todo(on day: CalendarDate, of uid: String, usual: Visibility = .followers) -> Todo {
        Todo(
            id: Self.id(of: id, on: day),
            uid: uid,
            date: day,
            time: time,
            content: content,
            position: position,
            revision: 0,
            createdAt: Date(timeIntervalSince1970: 0),
            updatedAt: Date(timeIntervalSince1970: 0),
            visibility: visibility ?? usual,
            goal: goal
        )
    }

    /// The id of the todo of a routine's day.
    public static func id(of routine: String, on day: CalendarDate) -> String { "\(routine)--\(day.ordinal)" }

    /// The routine and the day that the id of a todo names; nil where it is none of a routine's day.
    public static func parts(ofID id: String) -> (routine: String, day: CalendarDate)? {
        guard let mark = id.utf8.index(id.utf8.endIndex, offsetBy: -10, limitedBy: id.utf8.startIndex),
            mark > id.utf8.startIndex, id.utf8[mark...].starts(with: "--".utf8)
        else { return nil }
        let digits = Array(id.utf8[mark...].dropFirst(2))
        guard let number = CalendarDate.number(digits, 0..<digits.count), let day = CalendarDate(ordinal: number) else {
            return nil
        }
        return (String(id[..<mark]), day)
    }
}

extension AccountSettings {
    /// The todos of the routines' days among some on which there is still something to do, in no order.
    ///
    /// - Parameters:
    ///   - days: the days that are looked at.
    ///   - today: the reader's day.
    ///   - stored: the ids of todos that are there: what was made meanwhile is not shown twice.
    package func routineTodos(
        in days: ClosedRange<CalendarDate>,
        today: CalendarDate,
        besides stored: Set<String> = []
    ) -> [Todo] {
        routines.flatMap { routine in
            let usual = usualVisibility(for: routine.goal)
            return routine.days(in: days, today: today).map { routine.todo(on: $0, of: uid, usual: usual) }
        }.filter { !stored.contains($0.id) }
    }

    /// The todo of each routine's next day from one on.
    package func nextRoutineTodos(from day: CalendarDate) -> [Todo] {
        routines.compactMap { routine in
            routine.next(from: day).map {
                routine.todo(on: $0, of: uid, usual: usualVisibility(for: routine.goal))
            }
        }
    }

    /// Notes that a todo was made of a routine's day, as the message about it says; one of no day of its is remembered by no server.
    package mutating func noteMade(_ id: String) {
        guard let (routine, day) = Routine.parts(ofID: id),
            let index = routines.firstIndex(where: { $0.id == routine }), !routines[index].made.contains(day),
            routines[index].rule.contains(day, from: routines[index].from)
        else { return }
        routines[index].made = (routines[index].made + [day]).sorted()
    }

    /// Notes that there is something to do again on a routine's day.
    package mutating func noteTakenBack(_ id: String) {
        guard let (routine, day) = Routine.parts(ofID: id) else { return }
        for index in routines.indices where routines[index].id == routine {
            routines[index].made.removeAll { $0 == day }
        }
    }

    /// What a new todo is that does not say so itself: what its goal says, or else all.
    package func usualVisibility(for goal: String?) -> Visibility {
        goal.flatMap { id in goals.first { $0.id == id }?.visibility } ?? visibility
    }

    /// The todo of a routine's day by its id, as it is before it is made; nil where that day leaves nothing to do.
    package func unmade(_ id: String) -> Todo? {
        guard let (name, day) = Routine.parts(ofID: id), let routine = routines.first(where: { $0.id == name }),
            !routine.made.contains(day), routine.rule.contains(day, from: routine.from)
        else { return nil }
        return routine.todo(on: day, of: uid, usual: usualVisibility(for: routine.goal))
    }
}

extension Todo {
    /// Whether it is a routine's day that nobody did anything with yet, and so is not stored.
    package var isUnmade: Bool { revision == 0 && Routine.parts(ofID: id) != nil }
}
