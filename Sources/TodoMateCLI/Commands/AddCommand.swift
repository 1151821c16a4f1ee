import CommandArguments
import Foundation
import TodoMate

/// `todomate add`
struct AddCommand: Command {
    private static let content = Positional("content", as: .content, help: "What to do, in one line.")
    private static let date = Option(
        "date",
        short: "d",
        as: ValueParser<CalendarDate>(describe: { _ in "today" }, parse: ValueParser.day.parse),
        default: CalendarDate(Date(), in: .current),
        valueName: "day",
        help: "The day it is for: \(SpokenDay.forms)."
    )
    private static let detail = Option("detail", as: .detail, default: "", valueName: "text", help: "More about it.")
    private static let status = Option(
        "status",
        as: .choice(of: TodoStatus.self),
        default: .todo,
        valueName: "status",
        help: "How far it has come."
    )
    private static let id = Option<String?>(
        "id",
        as: .todoID,
        valueName: "id",
        help: "An id of your own: adding the same todo again under it adds nothing."
    )

    static let spec = CommandSpec(
        name: "add",
        summary: "Add a todo.",
        positionals: [TodoArguments.user, content],
        options: [date, detail, status, id, TodoArguments.visibility, TodoArguments.json] + RedisOptions.all,
        examples: [
            .init("todomate add alice \"Buy milk\""),
            .init("todomate add alice \"Call mum\" --date 2026-11-20 --detail \"after six\""),
        ]
    )

    private let user: String
    private let draft: TodoDraft
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.user]
        draft = TodoDraft(
            id: try arguments[Self.id],
            date: try arguments[Self.date],
            content: try arguments[Self.content],
            detail: try arguments[Self.detail],
            status: try arguments[Self.status],
            visibility: try arguments[TodoArguments.visibility]
        )
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let todo = try await redis.withService { try await $0.create(draft, for: user) }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
