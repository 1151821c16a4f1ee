import EventLoop
import Foundation
import RedisClient
import TodoMate
import TodoMateRedis

@LoopActor
final class Printer: TodoObserver {
    func todoAdded(_ todo: Todo) { print("added:", todo.content) }
    func todoModified(_ todo: Todo) { print("now \(todo.status):", todo.content) }
    func todoRemoved(_ todo: Todo) { print("removed:", todo.content) }
}

@LoopActor
func run() async throws {
    let url = try RedisURL(ProcessInfo.processInfo.environment["TODOMATE_REDIS"] ?? "redis://127.0.0.1:6379")
    let container = DIContainer(repository: RedisTodoRepository(url))
    let (todos, changes) = (container.todoService, container.todoRealtimeService)
    let printer = Printer()
    changes.addObserver(printer, for: "alice")
    await changes.waitUntilFollowing("alice")

    let milk = TodoDraft(date: CalendarDate(Date(), in: .current), content: "Buy milk")
    let id = try await todos.create(milk, for: "alice").id
    try await todos.update(id, of: "alice", with: TodoPatch(status: .complete))

    await LoopTimer.sleep(for: .seconds(86_400))  // Until Ctrl-C.
    withExtendedLifetime((changes, printer)) {}  // Observers are held weakly.
}

try await run()
