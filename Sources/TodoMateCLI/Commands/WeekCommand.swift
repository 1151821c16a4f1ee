import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate week`
struct WeekCommand: Command {
    static let about = CommandDescription(
        name: "week",
        summary: "Show what a user has finished in the last seven days.",
        discussion:
            "A line a day, with a square for each todo in the colour of its goal; below, on how many days in a row there was something, "
            + "up to today, or up to yesterday while today has nothing yet. A todo counts for its own day, whenever it was finished. "
            + "With --json: the streak, at most \(Week.longestStreak) days, and of each day how many todos of which goal. "
            + "Days and words follow LANG (English and Korean).",
        examples: [.init("todomate week alice"), .init("todomate week alice --json | jq .streak")]
    )

    private let query = PersonQuery()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let today = CalendarDate(Date(), in: .current)
        let (week, goals) = try await query.places.place().withStores { stores in
            (
                try await stores.feeds.week(of: query.user, until: today),
                query.asJSON ? [] : try await stores.goals.goals(of: query.user)
            )
        }
        guard !query.asJSON else {
            try StandardOutput.write(week.json + "\n")
            return .ok
        }
        let terminal = Terminal(environment: environment)
        let chart = WeekChart(week: week, goals: goals, today: today, language: BoardLanguage(environment: environment))
        let lines = chart.lines(width: terminal.columns).map { $0.text(in: terminal.styleSupport) + "\n" }
        try StandardOutput.write(lines.joined())
        return .ok
    }
}

extension ScreenLine {
    /// The row as plain output, for texts that do not overlap and stand in their order.
    fileprivate func text(in style: StyleSupport) -> String {
        var (text, column) = ("", 0)
        for span in spans {
            text +=
                String(repeating: " ", count: max(span.column - column, 0)) + style.apply(span.styles, to: span.text)
            column = span.column + span.text.displayWidth
        }
        return text
    }
}
