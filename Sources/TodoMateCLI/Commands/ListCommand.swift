import CommandArguments
import Foundation
import TerminalUI
import TodoMate

/// `todomate list`
struct ListCommand: Command {
    static let about = CommandDescription(
        name: "list",
        summary: "List a user's todos.",
        discussion:
            "On a terminal: day by day, for reading. Into a pipe or a file: one JSON object per line, as with --json.",
        examples: [
            .init("todomate list alice", "Today's todos, in order."),
            .init("todomate list alice --month 2026-11 | jq -r .content", "What a month's are about."),
            .init("todomate list --date fri", "Those of the user in TODOMATE_USER for Friday."),
        ]
    )

    @Positional(.user) private var user: String
    @Option("date", short: "d", as: .day, valueName: "day", help: "Only this day: \(RelativeDay.forms).")
    private var date: CalendarDate?
    @Option("month", short: "m", as: .month, valueName: "month", help: "Only this month: 2026-11.")
    private var month: CalendarMonth?
    @Flag("all", short: "a", help: "All days. Without any of these: today.") private var all: Bool
    @Flag(.json) private var asJSON: Bool
    @Flag("plain", help: "Print one line per todo, even when piped.") private var plain: Bool
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard [date != nil, month != nil, all].count(where: { $0 }) <= 1 else {
            throw CommandError.usage("give one of --date, --month and --all")
        }
        guard !asJSON || !plain else { throw CommandError.usage("give one of --json and --plain") }
        let today = CalendarDate(Date(), in: .current)
        let days = all ? nil : month?.days ?? (date ?? today)...(date ?? today)
        let todos = try await redis.place().withService { try await $0.todos(of: user, in: days) }
        let terminal = Terminal(environment: environment)
        let text =
            if terminal.isTerminal, !asJSON, !plain {
                TodoTable(
                    todos: todos,
                    today: CalendarDate(Date(), in: .current),
                    width: terminal.columns,
                    style: terminal.styleSupport
                ).text
            } else {
                todos.map { $0.report(asJSON: !plain) }.joined()
            }
        try StandardOutput.write(text)
        return .ok
    }
}
