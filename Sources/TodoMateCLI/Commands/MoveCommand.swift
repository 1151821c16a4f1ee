import CommandArguments
import EventLoop
import Foundation
import TodoMate

/// `todomate move`
struct MoveCommand: Command {
    static let about = CommandDescription(
        name: "move",
        summary: "Move a todo to another day or place.",
        examples: [
            .init("todomate move alice 0Xb2 --date tomorrow"),
            .init("todomate move alice \"buy milk\" --before 9kQ1"),
        ]
    )

    @Positional(.user) private var user: String
    @Positional(.todo) private var name: String
    @Option("date", short: "d", as: .day, valueName: "day", help: "To the end of this day: \(RelativeDay.forms).")
    private var date: CalendarDate?
    @Option("before", as: .todoName, valueName: "todo", help: "Right before this todo, on its day.")
    private var before: String?
    @Option("after", as: .todoName, valueName: "todo", help: "Right after this todo, on its day.")
    private var after: String?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        guard [date != nil, before != nil, after != nil].count(where: { $0 }) == 1 else {
            throw CommandError.usage("give one of --date, --before and --after")
        }
        let today = CalendarDate(Date(), in: .current)
        let todo = try await places.place().withStores { stores in
            let service = TodoService(stores.todos)
            @LoopActor @Sendable func all() async throws(TodoError) -> [Todo] {
                try await stores.nameable(of: user, today: today)
            }
            guard let other = before ?? after else {
                return try await service.withTodo(
                    named: name,
                    of: user,
                    on: today,
                    isCautious: true,
                    among: all
                ) { id throws(TodoError) in try await service.update(id, of: user, with: TodoPatch(date: date)) }
            }
            var ids: [String] = []
            // Both todos may be named by the beginnings of their ids, or by words.
            for text in [name, other] {
                ids.append(
                    try await service.withTodo(named: text, of: user, on: today, isCautious: true, among: all) {
                        id throws(TodoError) in
                        try await service.todo(id, of: user).id
                    }
                )
            }
            return try await service.move(ids[0], of: user, to: before == nil ? .after(ids[1]) : .before(ids[1]))
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
