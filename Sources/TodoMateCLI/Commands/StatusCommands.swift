import CommandArguments
import TodoMate

extension CommandSpec {
    /// What `start`, `done` and `reopen` have in common.
    fileprivate init(statusCommand name: String, summary: String) {
        self.init(
            name: name,
            summary: summary,
            positionals: [TodoArguments.user, TodoArguments.id],
            options: [TodoArguments.revision, TodoArguments.json] + RedisOptions.all,
            examples: [.init("todomate \(name) alice 0Xb2")]
        )
    }
}

/// `todomate start`
struct StartCommand: Command {
    static let spec = CommandSpec(statusCommand: "start", summary: "Mark a todo as in progress.")
    private let write: PatchWrite
    init(_ arguments: ParsedArguments) throws { write = try PatchWrite(arguments, TodoPatch(status: .inProgress)) }
    func run() async throws -> ExitCode { try await write.run() }
}

/// `todomate done`
struct DoneCommand: Command {
    static let spec = CommandSpec(statusCommand: "done", summary: "Mark a todo as complete.")
    private let write: PatchWrite
    init(_ arguments: ParsedArguments) throws { write = try PatchWrite(arguments, TodoPatch(status: .complete)) }
    func run() async throws -> ExitCode { try await write.run() }
}

/// `todomate reopen`
struct ReopenCommand: Command {
    static let spec = CommandSpec(statusCommand: "reopen", summary: "Mark a todo as not begun again.")
    private let write: PatchWrite
    init(_ arguments: ParsedArguments) throws { write = try PatchWrite(arguments, TodoPatch(status: .todo)) }
    func run() async throws -> ExitCode { try await write.run() }
}
