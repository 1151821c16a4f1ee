import CommandArguments
import EventLoop
import TodoMate

/// What `edit` and `remove` have in common: one todo, which they write and print.
struct TodoWrite: Sendable {
    @Positional(.user) private var user: String
    @Positional(.todoID) private var id: String
    @Option(.expected) private var revision: ExpectedRevision?
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    /// Changes the todo.
    func run(_ patch: TodoPatch) async throws -> ExitCode {
        try await run { service, id throws(TodoError) in
            try await service.update(id, of: user, with: patch, expecting: revision)
        }
    }

    /// Removes the todo, named by as much of its id as cannot mean another one by accident.
    func remove() async throws -> ExitCode {
        try await run(idsFrom: Todo.longID) { service, id throws(TodoError) in
            try await service.remove(id, of: user, expecting: revision)
        }
    }

    private func run(
        idsFrom shortest: Int = 1,
        _ write: @LoopActor (any TodoServiceType, String) async throws(TodoError) -> Todo
    ) async throws -> ExitCode {
        let todo = try await redis.place().withService { service in
            try await service.withTodo(id, of: user, idsFrom: shortest) { id throws(TodoError) in
                try await write(service, id)
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
