import CommandArguments
import EventLoop
import TodoMate

/// `todomate move`
struct MoveCommand: Command {
    static let about = CommandDescription(
        name: "move",
        summary: "Move a todo to another day or place.",
        examples: [
            .init("todomate move alice 0Xb2 --date tomorrow"),
            .init("todomate move alice 0Xb2 --before 9kQ1"),
        ]
    )

    @Positional(.user) private var user: String
    @Positional(.todoID) private var id: String
    @Option("date", short: "d", as: .day, valueName: "day", help: "To the end of this day: \(RelativeDay.forms).")
    private var date: CalendarDate?
    @Option("before", as: .todoID, valueName: "id", help: "Right before this todo, on its day.")
    private var before: String?
    @Option("after", as: .todoID, valueName: "id", help: "Right after this todo, on its day.")
    private var after: String?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        guard [date != nil, before != nil, after != nil].count(where: { $0 }) == 1 else {
            throw CommandError.usage("give one of --date, --before and --after")
        }
        let todo = try await places.place().withService { service in
            guard let other = before ?? after else {
                return try await service.withTodo(id, of: user) { id throws(TodoError) in
                    try await service.update(id, of: user, with: TodoPatch(date: date))
                }
            }
            // Both todos may be named by the beginnings of their ids.
            let id = try await service.wholeID(id, of: user)
            let whole = try await service.wholeID(other, of: user)
            return try await service.move(id, of: user, to: before == nil ? .after(whole) : .before(whole))
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
