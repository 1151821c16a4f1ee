// An observer that receives each change, and one that is notified that something changed and asks for what it needs.
//
//   swift run WritingAnObserver

import EventLoop
import Foundation
import Observing
import TodoMate

/// Push: receives each change.
@LoopActor
final class Journal: TodoObserver {
    func todoAdded(_ todo: Todo) { print("+ \(todo.content)") }
    func todoModified(_ todo: Todo) { print("~ \(todo.content)") }
    func todoRemoved(_ todo: Todo) { print("- \(todo.content)") }
    func todosReset(for uid: String) { print("! read all of \(uid)'s todos again") }
}

/// Knows which todos of a user are open, including those from before it was added, and notifies others.
@LoopActor
final class OpenTodos: TodoChangeObserver {
    static let topic = "open"
    let changed = Subject<String, Void>()
    private(set) var contents: [String: String] = [:]
    private var join = SnapshotJoin<TodoChange>(id: \.id)
    private let changes: any TodoRealtimeServiceType

    init(_ changes: any TodoRealtimeServiceType) { self.changes = changes }

    func follow(_ uid: String) async throws(TodoError) {
        changes.addObserver(self, for: uid)
        try await read(uid)
    }

    private func read(_ uid: String) async throws(TodoError) {
        join.restart()
        let snapshot = try await changes.snapshot(of: uid, in: nil)
        contents = [:]
        for todo in snapshot.todos { put(todo) }
        for change in join.join(at: snapshot.id) { apply(change) }
        changed.notify(Self.topic)
        if join.needsSnapshot { try await read(uid) }
    }

    func receive(_ change: TodoChange) {
        guard join.receive(change) else {
            if join.needsSnapshot { todosReset(for: change.uid) }
            return
        }
        apply(change)
        changed.notify(Self.topic)
    }

    func todosReset(for uid: String) {
        Task { try await read(uid) }
    }

    private func apply(_ change: TodoChange) {
        switch change.kind {
        case .added, .modified: put(change.todo)
        case .removed: contents[change.todo.id] = nil
        case .relation, .settings: break
        }
    }

    private func put(_ todo: Todo) {
        contents[todo.id] = [.todo, .inProgress].contains(todo.status) ? todo.content : nil
    }
}

/// Pull: asks for the one number that it shows.
@LoopActor
final class Badge: @LoopActor PullObserver {
    func update(from source: OpenTodos) { print("\(source.contents.count) open") }
}

@LoopActor
func run() async throws {
    let container = DIContainer(repository: InMemoryTodoRepository())
    let (todos, changes) = (container.todoService, container.todoRealtimeService)
    let today = CalendarDate(Date(), in: .current)
    try await todos.create(TodoDraft(date: today, content: "Water the plants"), for: "alice")

    let journal = Journal()
    changes.addObserver(journal, for: "alice")
    await changes.waitUntilFollowing("alice")

    let open = OpenTodos(changes)
    let badge = Badge()
    open.changed.add(badge, of: open, for: OpenTodos.topic)
    try await open.follow("alice")

    let milk = try await todos.create(TodoDraft(date: today, content: "Buy milk"), for: "alice")
    try await todos.update(milk.id, of: "alice", with: TodoPatch(status: .complete))
    changes.removeObserver(journal, for: "alice")
    try await todos.remove(milk.id, of: "alice")
    withExtendedLifetime((journal, open, badge)) {}
}

try await run()
