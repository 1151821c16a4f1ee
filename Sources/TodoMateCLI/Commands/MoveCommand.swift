import CommandArguments
import EventLoop
import TodoMate

/// `todomate move`
struct MoveCommand: Command {
    private enum Goal {
        case day(CalendarDate)
        case before(String)
        case after(String)
    }

    private static let date = Option<CalendarDate?>(
        "date",
        short: "d",
        as: .day,
        valueName: "day",
        help: "To the end of this day: \(SpokenDay.forms)."
    )
    private static let before = Option<String?>(
        "before",
        as: .todoID,
        valueName: "id",
        help: "Right before this todo, on its day."
    )
    private static let after = Option<String?>(
        "after",
        as: .todoID,
        valueName: "id",
        help: "Right after this todo, on its day."
    )

    static let spec = CommandSpec(
        name: "move",
        summary: "Move a todo to another day or place.",
        positionals: [TodoArguments.user, TodoArguments.id],
        options: [date, before, after, TodoArguments.json] + RedisOptions.all,
        examples: [
            .init("todomate move alice 0Xb2 --date tomorrow"),
            .init("todomate move alice 0Xb2 --before 9kQ1"),
        ]
    )

    private let user: String
    private let id: String
    private let goal: Goal
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.user]
        id = try arguments[TodoArguments.id]
        switch (try arguments[Self.date], try arguments[Self.before], try arguments[Self.after]) {
        case (let date?, nil, nil): goal = .day(date)
        case (nil, let other?, nil): goal = .before(other)
        case (nil, nil, let other?): goal = .after(other)
        default: throw CommandError.usage("give one of --date, --before and --after")
        }
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let todo = try await redis.withService { service in
            switch goal {
            case .day(let date):
                try await service.withTodo(id, of: user) { id throws(TodoError) in
                    try await service.update(id, of: user, with: TodoPatch(date: date), expecting: nil)
                }
            case .before(let other): try await place(service, other) { .before($0) }
            case .after(let other): try await place(service, other) { .after($0) }
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }

    /// Both todos may be named by the beginnings of their ids.
    @LoopActor
    private func place(
        _ service: any TodoServiceType,
        _ other: String,
        _ place: @LoopActor (String) -> TodoPlace
    ) async throws -> Todo {
        let whole = try await service.wholeID(id, of: user)
        return try await service.place(whole, of: user, place(try await service.wholeID(other, of: user)))
    }
}
