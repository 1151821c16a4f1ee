import CommandArguments
import Foundation
import TodoMate

/// `todomate add`
struct AddCommand: Command {
    static let about = CommandDescription(
        name: "add",
        summary: "Add a todo.",
        examples: [
            .init("todomate add alice \"Buy milk\""),
            .init("todomate add alice \"Call mum\" --date 2026-11-20 --detail \"after six\""),
        ]
    )

    @Positional(.user) private var user: String
    @Positional("content", as: .content, help: "What to do, in one line.") private var content: String
    @Option(
        "date",
        short: "d",
        as: ValueParser(describe: { _ in "today" }, parse: ValueParser.day.parse),
        default: CalendarDate(Date(), in: .current),
        valueName: "day",
        help: "The day: \(RelativeDay.forms)."
    )
    private var date: CalendarDate
    @Option("detail", as: .detail, default: "", valueName: "text", help: "Details.") private var detail: String
    @Option(
        "status",
        as: .choice(of: TodoStatus.self),
        default: .todo,
        valueName: "status",
        help: "The status."
    )
    private var status: TodoStatus
    @Option(
        "id",
        as: .todoID,
        valueName: "id",
        help: "Your own id: adding the same todo again with it adds nothing."
    )
    private var id: String?
    @Option(.visibility) private var visibility: Visibility?
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let draft = TodoDraft(
            id: id,
            date: date,
            content: content,
            detail: detail,
            status: status,
            visibility: visibility
        )
        let todo = try await redis.place().withService { try await $0.create(draft, for: user) }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
