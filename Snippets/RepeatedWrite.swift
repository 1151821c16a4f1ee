// A write that is said again, because its answer might have been lost, is done once.
//
//   swift run RepeatedWrite

import EventLoop
import TodoMate

@LoopActor
func addOnce(_ draft: TodoDraft, to repository: any TodoRepositoryType) async throws {
    let write = RepeatableWrite(OperationID())
    let todo = try await write.run { () throws(TodoError) in try await repository.add(draft, for: "alice") }
    let again = try await write.run { () throws(TodoError) in try await repository.add(draft, for: "alice") }
    print(todo.todo == again.todo, write.isRepetition)
}

try await addOnce(TodoDraft(date: .earliest, content: "Buy milk"), to: await InMemoryTodoRepository())
