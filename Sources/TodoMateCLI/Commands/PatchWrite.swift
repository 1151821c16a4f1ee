import CommandArguments
import TodoMate

/// The change of one todo that `edit`, `start`, `done` and `reopen` come down to.
struct PatchWrite: Sendable {
    private let user: String
    private let id: String
    private let patch: TodoPatch
    private let revision: ExpectedRevision?
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments, _ patch: TodoPatch) throws {
        user = try arguments[TodoArguments.user]
        id = try arguments[TodoArguments.id]
        self.patch = patch
        revision = try arguments[TodoArguments.revision]
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    /// Writes the change and prints the todo.
    func run() async throws -> ExitCode {
        let todo = try await redis.withService { service in
            try await service.withTodo(id, of: user) { id throws(TodoError) in
                try await service.update(id, of: user, with: patch, expecting: revision)
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
