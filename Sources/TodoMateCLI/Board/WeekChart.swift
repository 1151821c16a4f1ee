import TerminalUI
import TodoMate

/// What a user has finished in a week: a line a day, with a square for each todo in the colour of its goal, and in words.
struct WeekChart {
    var week: Week
    /// In list order.
    var goals: [Goal]
    var today: CalendarDate
    var language: BoardLanguage

    /// The most squares of a day; where one has more, each stands for several.
    private static let widestBar = 20

    /// The days, and below them what they come to, at most `width` columns wide.
    func lines(width: Int) -> [ScreenLine] {
        let words = language.words
        let names = week.days.map { language.name($0.date, today: today) }
        let column = (names.map(\.displayWidth).max() ?? 0) + 2
        let most = week.days.map(\.count).max() ?? 0
        let room = max(min(Self.widestBar, most, width - column - 4), 1)
        let days = zip(week.days, names).map { day, name in
            var line = ScreenLine()
            line.add(name.truncated(toWidth: width), at: 0, day.date == today ? [.bold] : [])
            guard day.count > 0 else { return line }
            var end = column
            for (goal, count) in parts(of: day) {
                let squares = most > room ? max(1, count * room / most) : count
                let bar = String(repeating: "■", count: squares).truncated(toWidth: max(width - end, 0))
                line.add(bar, at: end, [goal?.color.style ?? .dim])
                end += squares
            }
            let said = said(day)
            // Below one another, as far as the bars let them stand so.
            let start = max(end, column + room) + 1
            if start < width { line.add(said.truncated(toWidth: width - start), at: start) }
            return line
        }
        let sums =
            [week.count == 0 ? words.nothingFinished : words.finishedOfWeek(week.count)]
            + (week.streak > 1 ? [words.streak(week.streak)] : [])
        return days + [ScreenLine()]
            + sums.flatMap { $0.folded(toWidth: width) }.map { ScreenLine($0, week.count == 0 ? .dim : .bold) }
    }

    /// A day's todos in the order of the goals; those of none that is known come last.
    private func parts(of day: Week.Day) -> [(goal: Goal?, count: Int)] {
        let known = goals.compactMap { goal in
            day.finished.first { $0.goal == goal.id }.map { (goal: Goal?.some(goal), count: $0.count) }
        }
        let rest = day.count - known.reduce(0) { $0 + $1.count }
        return known + (rest > 0 ? [(nil, rest)] : [])
    }

    /// Such as `3  Work 2 · No goal 1`.
    private func said(_ day: Week.Day) -> String {
        let parts = parts(of: day)
        guard parts.contains(where: { $0.goal != nil }) else { return String(day.count) }
        let names = parts.map { "\($0.goal?.name.sanitized() ?? language.words.noGoal) \($0.count)" }
        return "\(day.count)  \(names.joined(separator: " · "))"
    }
}
