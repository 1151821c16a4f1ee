import CommandArguments
import TodoMate

/// `todomate remove`
struct RemoveCommand: Command {
    static let about = CommandDescription(
        name: "remove",
        summary: "Remove a todo.",
        discussion:
            "Ids of fewer than \(Todo.longID) characters must be written in full here: once t1 is removed, a second "
            + "'todomate remove t1' must not mean t10. "
            + "'todomate recover' brings back what was removed by mistake.",
        examples: [.init("todomate remove alice 0Xb2"), .init("todomate remove alice \"buy milk\"")]
    )

    private let write = TodoWrite()

    func run() async throws -> ExitCode { try await write.remove() }
}
