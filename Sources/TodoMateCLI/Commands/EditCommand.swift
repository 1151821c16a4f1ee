import CommandArguments
import TodoMate

/// `todomate edit`
struct EditCommand: Command {
    static let about = CommandDescription(
        name: "edit",
        summary: "Change the text, the time, the details, the status, the visibility or the goal of a todo.",
        examples: [
            .init("todomate edit alice 0Xb2 --content \"Buy oat milk\""),
            .init("todomate edit alice \"buy milk\" --time 9:30"),
        ]
    )

    @Option("content", as: .content, valueName: "text", help: "The new text.") private var content: String?
    @Option(.time) private var time: TimeChange?
    @Option("detail", as: .detail, valueName: "text", help: "The new details; empty for none.")
    private var detail: String?
    @Option("status", as: .choice(of: TodoStatus.self), valueName: "status", help: "The new status.")
    private var status: TodoStatus?
    @Option(.visibility) private var visibility: Visibility?
    @Option(.goal) private var goal: String?
    private let write = TodoWrite()

    func run() async throws -> ExitCode {
        let patch = TodoPatch(time: time, content: content, detail: detail, status: status, visibility: visibility)
        guard patch != TodoPatch() || goal != nil else {
            throw CommandError.usage("give one of --content, --time, --detail, --status, --visibility and --goal")
        }
        return try await write.run(patch, goal: goal)
    }
}
