import Foundation
import TodoMate

/// `todomate list`
struct ListCommand: Command {
    private static let date = Option<CalendarDate?>(
        "date",
        short: "d",
        as: .day,
        valueName: "day",
        help: "Only this day: 2026-11-20, today, tomorrow or yesterday."
    )
    private static let month = Option<CalendarMonth?>(
        "month",
        short: "m",
        as: .month,
        valueName: "month",
        help: "Only this month: 2026-11."
    )
    private static let all = Flag("all", short: "a", help: "All days. Without any of these: today.")

    static let spec = CommandSpec(
        name: "list",
        summary: "List a user's todos.",
        positionals: [TodoArguments.user],
        options: [date, month, all, TodoArguments.json] + RedisOptions.all,
        examples: [
            .init("todomate list alice", "Today's todos, in order."),
            .init("todomate list alice --month 2026-11 --json", "A month's, one JSON object a line."),
        ]
    )

    private let user: String
    private let days: ClosedRange<CalendarDate>?
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.user]
        let (date, month, all) = (try arguments[Self.date], try arguments[Self.month], try arguments[Self.all])
        guard [date != nil, month != nil, all].count(where: { $0 }) <= 1 else {
            throw CommandError.usage("give one of --date, --month and --all")
        }
        let today = CalendarDate(Date(), in: .current)
        days = all ? nil : month?.days ?? (date ?? today)...(date ?? today)
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let todos = try await redis.withService { try await $0.todos(of: user, in: days) }
        try StandardOutput.write(todos.map { $0.report(asJSON: asJSON) }.joined())
        return .ok
    }
}
