import TerminalUI
import TodoMate

/// What the todos that are looked for are to be besides having the words, turned by a key each.
struct FoundNarrowing: Equatable {
    var status: TodoStatus?
    var goal: Goal?
    var month: CalendarMonth?

    /// Obeys a key: `i` turns the status, `#` the goal, `h` and `l` the month, and `t` has all months again.
    ///
    /// - Parameter goals: those of whose todos are looked for.
    /// - Returns: whether it is another one now.
    mutating func turn(by command: BoardCommand, goals: [Goal], _ today: CalendarDate) -> Bool {
        let before = self
        switch command {
        case .begin: status = Self.next(to: status, of: TodoStatus.allCases)
        // One that was changed or taken away meanwhile is found by its id.
        case .goal: goal = Self.next(to: goals.first { $0.id == goal?.id }, of: goals)
        case .previousDay: month = month?.previous ?? CalendarMonth(containing: today)
        case .nextDay: month = month?.next ?? CalendarMonth(containing: today)
        case .today: month = nil
        default: return false
        }
        return self != before
    }

    /// What it says behind what is looked for; empty for nothing.
    func said(_ language: BoardLanguage) -> String {
        let parts = [
            status.map { language.words.status($0) }, goal.map { $0.name.sanitized() },
            month.map { language.title($0) },
        ]
        return parts.compactMap { $0.map { " · " + $0 } }.joined()
    }

    /// Nil behind the last one.
    private static func next<Value: Equatable>(to value: Value?, of all: [Value]) -> Value? {
        guard let value, let place = all.firstIndex(of: value) else { return all.first }
        return place + 1 < all.count ? all[place + 1] : nil
    }
}
