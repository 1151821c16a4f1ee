import CommandArguments
import EventLoop
import Foundation
import TodoMate

/// What `start`, `done` and `reopen` have in common: one todo, named by its id or its words, that gets a status.
struct StatusWrite: Sendable {
    @Positional(.user) private var user: String
    @Positional(
        "todo",
        as: .todoName,
        help: "The todo's id, its first characters, or words that no other todo has which this could change."
    )
    private var name: String
    @Option(.expected) private var revision: ExpectedRevision?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run(_ status: TodoStatus) async throws -> ExitCode {
        let today = CalendarDate(Date(), in: .current)
        let todo = try await places.place().withStores { stores in
            let service = TodoService(stores.todos)
            return try await service.withTodo(
                named: name,
                of: user,
                on: today,
                among: { () throws(TodoError) in try await stores.nameable(of: user, today: today) },
                where: { $0.status != status }
            ) { id throws(TodoError) in
                try await service.update(id, of: user, with: TodoPatch(status: status), expecting: revision)
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
