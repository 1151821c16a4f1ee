import CommandArguments
import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// What `edit` and `remove` have in common: one todo, which they write and print.
struct TodoWrite: Sendable {
    @Positional(.user) private var user: String
    @Positional(.todo) private var name: String
    @Option(.expected) private var revision: ExpectedRevision?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    /// Changes the todo.
    ///
    /// - Parameter goal: names another goal that it is for; empty for none, nil for the one that it has.
    func run(_ patch: TodoPatch, goal: String? = nil) async throws -> ExitCode {
        try await run { stores, id throws(TodoError) in
            var patch = patch
            if let goal { patch.goal = try await stores.goalID(named: goal, of: user) }
            return try await TodoService(stores.todos).update(id, of: user, with: patch, expecting: revision)
        }
    }

    /// Removes the todo, named by its words, or by as much of its id as cannot mean another one by accident.
    func remove() async throws -> ExitCode {
        try await run(idsFrom: Todo.longID) { stores, id throws(TodoError) in
            do throws(TodoError) {
                return try await TodoService(stores.todos).remove(id, of: user, expecting: revision)
            } catch .notFound(let reason) where Routine.parts(ofID: id) != nil {
                throw .notFound("\(reason); 'todomate routine skip' leaves out a day of a routine")
            }
        }
    }

    private func run(
        idsFrom shortest: Int = 1,
        _ write: @LoopActor (PersonalStores, String) async throws(TodoError) -> Todo
    ) async throws -> ExitCode {
        let today = CalendarDate(Date(), in: .current)
        let todo = try await places.place().withStores { stores in
            try await TodoService(stores.todos).withTodo(
                named: name,
                of: user,
                on: today,
                idsFrom: shortest,
                isCautious: true,
                among: { () throws(TodoError) in try await stores.nameable(of: user, today: today) }
            ) { id throws(TodoError) in try await write(stores, id) }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
