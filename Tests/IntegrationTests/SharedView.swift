import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// What somebody has of one owner's todos: an access with the todos' JSON by id, or nothing.
enum SharedView: Equatable, CustomStringConvertible {
    case open(String, [String: String])
    case closed

    /// The same text for the same JSON, however it was spelled.
    static func canonical(_ object: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// The same text for a todo as for its JSON.
    static func canonical(_ todo: Todo) -> String {
        canonical((try? JSONSerialization.jsonObject(with: Data(TodoDTO(todo).json.utf8))) ?? [:])
    }

    var todos: [String: String] { if case .open(_, let todos) = self { todos } else { [:] } }

    var description: String {
        switch self {
        case .open(let access, let todos): "\(access): \(todos.values.sorted().joined(separator: ", "))"
        case .closed: "closed"
        }
    }

    /// What a reader has of each owner after all these events, as the documents say how to read them.
    static func views(after events: some Sequence<BoardReader.Event>, from before: [String: SharedView] = [:])
        -> [String: SharedView]
    {
        var views = before
        for event in events {
            let json = event.json
            switch event.name {
            case "snapshot":
                let todos = (json["todos"] as? [[String: Any]] ?? []).map { ($0["id"] as? String ?? "", canonical($0)) }
                views[json["uid"] as? String ?? ""] =
                    .open(json["access"] as? String ?? "", Dictionary(todos) { $1 })
            case "closed": views[json["uid"] as? String ?? ""] = .closed
            case "added", "modified", "removed":
                // The snapshot of one user's stream does not say whose it is.
                guard let (id, uid, _) = event.todo, let key = [uid, ""].first(where: { views[$0] != nil }),
                    case .open(let access, var todos)? = views[key]
                else { continue }
                todos[id] = event.name == "removed" ? nil : json["todo"].map { canonical($0) }
                views[key] = .open(access, todos)
            default: break
            }
        }
        return views
    }
}

/// Keeps an owner's todos as an observer of this process is told of them.
@LoopActor
final class ViewedList: TodoChangeObserver {
    private let owner: String
    private let service: any TodoRealtimeServiceType
    private var join = SnapshotJoin<TodoChange>(id: \.id)
    private var reads = 0
    /// Nil while it is read.
    private(set) var todos: [String: String]?
    private(set) var resets = 0

    init(_ owner: String, _ service: any TodoRealtimeServiceType) {
        self.owner = owner
        self.service = service
        service.addObserver(self, for: owner)
        read()
    }

    private func read() {
        join.restart()
        todos = nil
        reads += 1
        let number = reads
        Task {
            do throws(TodoError) {
                let snapshot = try await service.snapshot(of: owner, in: nil)
                guard number == reads else { return }
                todos = Dictionary(uniqueKeysWithValues: snapshot.todos.map { ($0.id, SharedView.canonical($0)) })
                for change in join.join(at: snapshot.id) { apply(change) }
                if join.needsSnapshot { read() }
            } catch {
                if number == reads { todos = [:] }
            }
        }
    }

    private func apply(_ change: TodoChange) {
        todos?[change.todo.id] = change.kind == .removed ? nil : SharedView.canonical(change.todo)
    }

    func receive(_ change: TodoChange) {
        if join.receive(change) { apply(change) } else if join.needsSnapshot { read() }
    }
    func todosReset(for uid: String) {
        resets += 1
        read()
    }
}
