import CommandArguments
import TodoMate

/// `todomate remove`
struct RemoveCommand: Command {
    static let spec = CommandSpec(
        name: "remove",
        summary: "Remove a todo.",
        discussion:
            "Ids of fewer than \(TodoArguments.longID) characters are to be written whole here: once t1 is removed, a second "
            + "'todomate remove t1' must not mean t10.",
        positionals: [TodoArguments.user, TodoArguments.id],
        options: [TodoArguments.revision, TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate remove alice 0Xb2")]
    )

    private let user: String
    private let id: String
    private let revision: ExpectedRevision?
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.user]
        id = try arguments[TodoArguments.id]
        revision = try arguments[TodoArguments.revision]
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let todo = try await redis.withService { service in
            try await service.withTodo(id, of: user, idsFrom: TodoArguments.longID) { id throws(TodoError) in
                try await service.remove(id, of: user, expecting: revision)
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
