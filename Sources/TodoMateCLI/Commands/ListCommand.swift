import CommandArguments
import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// `todomate list`
struct ListCommand: Command {
    static let about = CommandDescription(
        name: "list",
        summary: "List a user's todos.",
        discussion:
            "On a terminal: day by day and by goals, for reading, in the language of LANG (English and Korean). Into a pipe or a file: one JSON object per line, as with --json. The days of routines "
            + "that nobody did anything with yet are among them, with a revision of 0; --all and --earlier have only what is stored.",
        examples: [
            .init("todomate list alice", "Today's todos, in order."),
            .init("todomate list alice --month 2026-11 | jq -r .content", "What a month's are about."),
            .init("todomate list --date fri", "Those of the user in TODOMATE_USER for Friday."),
            .init("todomate list alice --earlier", "What is left unfinished from earlier days."),
        ]
    )

    @Positional(.user) private var user: String
    @Option("date", short: "d", as: .day, valueName: "day", help: "Only this day: \(RelativeDay.forms).")
    private var date: CalendarDate?
    @Option("month", short: "m", as: .month, valueName: "month", help: "Only this month: 2026-11.")
    private var month: CalendarMonth?
    @Flag("all", short: "a", help: "All days. Without any of these: today.") private var all: Bool
    @Flag("earlier", short: "e", help: "What is unfinished from days before today, the latest 200.") private
        var earlier: Bool
    private let listing = TodoListing()
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard [date != nil, month != nil, all, earlier].count(where: { $0 }) <= 1 else {
            throw CommandError.usage("give one of --date, --month, --all and --earlier")
        }
        try listing.check()
        let today = CalendarDate(Date(), in: .current)
        let (todos, goals) = try await places.place().withStores { try await found(today, in: $0) }
        try listing.write(todos, by: goals)
        if todos.isEmpty, environment["TODOMATE_USER"] != user, RelativeDay.day(user, today: today) != nil {
            let hint = "todomate list: “\(user)” is taken for a user; a day is named with --date \(user)\n"
            FileHandle.standardError.write(Data(hint.utf8))
        }
        return .ok
    }

    /// The todos, and what they may be for.
    @LoopActor
    private func found(_ today: CalendarDate, in stores: PersonalStores) async throws(TodoError) -> ([Todo], [Goal]) {
        let settings = listing.isForReading ? try await stores.relations.shownSettings(of: user) : nil
        let goals = (settings?.goals ?? []).sorted(by: Goal.isInListOrder)
        guard earlier else {
            return (try await stores.todosAndRoutines(of: user, in: days(today), today: today), goals)
        }
        let records = try await stores.feeds.earlier(of: user, before: today).todos
        return (records.map { $0.toModel() }.sorted(by: Todo.isInListOrder), goals)
    }

    /// Nil for all.
    private func days(_ today: CalendarDate) -> ClosedRange<CalendarDate>? {
        all ? nil : month?.days ?? (date ?? today)...(date ?? today)
    }
}
