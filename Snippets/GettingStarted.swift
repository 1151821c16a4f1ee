// A view model follows a user's day, without Redis: the way to try things out, and to test.
//
//   swift run GettingStarted

import EventLoop
import Foundation
import Observation
import TodoMate

@LoopActor
func run() async throws {
    let container = DIContainer(repository: InMemoryTodoRepository())
    let list = TodoListViewModel(service: container.todoRealtimeService, uid: "alice")
    list.onAppear()
    for await phase in Observations({ list.phase }) where phase == .live { break }

    let draft = TodoDraft(date: list.date, content: "Buy milk")
    let milk = try await container.todoService.create(draft, for: "alice")
    for await todos in Observations({ list.todos }) where todos == [milk] { break }
    print("The list shows:", list.todos.map(\.content))

    do throws(TodoError) {
        let bread = TodoPatch(content: "Buy bread")
        try await container.todoService.update(milk.id, of: "alice", with: bread, expecting: 99)
    } catch {
        print("Refused:", error)
    }
    list.onDisappear()
}

try await run()
