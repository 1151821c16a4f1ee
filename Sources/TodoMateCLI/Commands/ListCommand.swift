import CommandArguments
import Foundation
import TerminalUI
import TodoMate

/// `todomate list`
struct ListCommand: Command {
    private static let date = Option<CalendarDate?>(
        "date",
        short: "d",
        as: .day,
        valueName: "day",
        help: "Only this day: \(SpokenDay.forms)."
    )
    private static let month = Option<CalendarMonth?>(
        "month",
        short: "m",
        as: .month,
        valueName: "month",
        help: "Only this month: 2026-11."
    )
    private static let plain = Flag("plain", help: "Print one line per todo, even when piped.")
    private static let all = Flag("all", short: "a", help: "All days. Without any of these: today.")

    static let spec = CommandSpec(
        name: "list",
        summary: "List a user's todos.",
        discussion:
            "On a terminal: day by day, for reading. Into a pipe or a file: one JSON object a line, as with --json.",
        positionals: [TodoArguments.user],
        options: [date, month, all, TodoArguments.json, plain] + RedisOptions.all,
        examples: [
            .init("todomate list alice", "Today's todos, in order."),
            .init("todomate list alice --month 2026-11 | jq -r .content", "What a month's are about."),
            .init("todomate list --date fri", "Those of the user in TODOMATE_USER for Friday."),
        ]
    )

    private let user: String
    private let days: ClosedRange<CalendarDate>?
    private let format: Format
    private let terminal: Terminal
    private let redis: RedisOptions

    private enum Format { case table, lines, json }

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.user]
        let (date, month, all) = (try arguments[Self.date], try arguments[Self.month], try arguments[Self.all])
        guard [date != nil, month != nil, all].count(where: { $0 }) <= 1 else {
            throw CommandError.usage("give one of --date, --month and --all")
        }
        let today = CalendarDate(Date(), in: .current)
        days = all ? nil : month?.days ?? (date ?? today)...(date ?? today)
        terminal = Terminal(environment: arguments.environment)
        switch (try arguments[TodoArguments.json], try arguments[Self.plain]) {
        case (true, true): throw CommandError.usage("give one of --json and --plain")
        case (true, false): format = .json
        case (false, true): format = .lines
        case (false, false): format = terminal.isTerminal ? .table : .json
        }
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let todos = try await redis.withService { try await $0.todos(of: user, in: days) }
        let text =
            switch format {
            case .json, .lines: todos.map { $0.report(asJSON: format == .json) }.joined()
            case .table:
                TodoTable(
                    todos: todos,
                    today: CalendarDate(Date(), in: .current),
                    width: terminal.columns,
                    style: terminal.styleSupport
                ).text
            }
        try StandardOutput.write(text)
        return .ok
    }
}
