import CommandArguments
import TodoMate

extension CommandDescription {
    fileprivate init(statusCommand name: String, summary: String) {
        self.init(
            name: name,
            summary: summary,
            examples: [.init("todomate \(name) alice 0Xb2"), .init("todomate \(name) alice \"buy milk\"")]
        )
    }
}

/// `todomate start`
struct StartCommand: Command {
    static let about = CommandDescription(statusCommand: "start", summary: "Mark a todo as in progress.")
    private let write = StatusWrite()
    func run() async throws -> ExitCode { try await write.run(.inProgress) }
}

/// `todomate done`
struct DoneCommand: Command {
    static let about = CommandDescription(statusCommand: "done", summary: "Mark a todo as complete.")
    private let write = StatusWrite()
    func run() async throws -> ExitCode { try await write.run(.complete) }
}

/// `todomate reopen`
struct ReopenCommand: Command {
    static let about = CommandDescription(statusCommand: "reopen", summary: "Mark a todo as not started again.")
    private let write = StatusWrite()
    func run() async throws -> ExitCode { try await write.run(.todo) }
}
