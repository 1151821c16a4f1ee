import CommandArguments
import TodoMate

/// `todomate edit`
struct EditCommand: Command {
    private static let content = Option<String?>("content", as: .content, valueName: "text", help: "Other words.")
    private static let detail = Option<String?>(
        "detail",
        as: .detail,
        valueName: "text",
        help: "Another detail text; empty for none."
    )
    private static let status = Option<TodoStatus?>(
        "status",
        as: .choice(of: TodoStatus.self),
        valueName: "status",
        help: "Another status."
    )

    static let spec = CommandSpec(
        name: "edit",
        summary: "Change the words, the detail, the status or the visibility of a todo.",
        positionals: [TodoArguments.user, TodoArguments.id],
        options: [content, detail, status, TodoArguments.visibility, TodoArguments.revision, TodoArguments.json]
            + RedisOptions.all,
        examples: [.init("todomate edit alice 0Xb2 --content \"Buy oat milk\"")]
    )

    private let write: PatchWrite

    init(_ arguments: ParsedArguments) throws {
        let patch = TodoPatch(
            content: try arguments[Self.content],
            detail: try arguments[Self.detail],
            status: try arguments[Self.status],
            visibility: try arguments[TodoArguments.visibility]
        )
        guard patch != TodoPatch() else {
            throw CommandError.usage("give one of --content, --detail, --status and --visibility")
        }
        write = try PatchWrite(arguments, patch)
    }

    func run() async throws -> ExitCode { try await write.run() }
}
