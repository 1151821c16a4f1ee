import EventLoop

/// What the logs of this process say became of todos.
@LoopActor
final class InMemoryHistoryStore: HistoryStoreType {
    private let database: InMemoryDatabase

    init(_ database: InMemoryDatabase) { self.database = database }

    func history(of id: String, of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory {
        try TodoBounds.id(id)
        var found = try history(of: uid, before: change) { $0.kind.isOfTodo && $0.todo.id == id }
        found.todo = database[uid].todos[id]
        guard change != nil || found.todo != nil || !found.entries.isEmpty else { throw .unknown(id, of: uid) }
        return found
    }

    func removed(of uid: String, before change: ChangeID?) async throws(TodoError) -> TodoHistory {
        var seen: Set<String> = []
        return try history(of: uid, before: change) { change in
            change.kind == .removed && database[uid].todos[change.todo.id] == nil
                && seen.insert(change.todo.id).inserted
        }
    }

    private func history(
        of uid: String,
        before change: ChangeID?,
        _ isWanted: (TodoChange) -> Bool
    ) throws(TodoError) -> TodoHistory {
        try TodoBounds.uid(uid)
        var log = database[uid].log[...]
        var history = TodoHistory(
            since: log.first?.id?.microseconds,
            reach: log.first.map { $0.id?.version == 1 } ?? true ? .whole : .trimmed
        )
        if let change {
            guard let index = log.firstIndex(where: { $0.id == change }) else { throw .gone(change, of: uid) }
            log = log[..<index]
        }
        var bytes = 0
        for change in log.reversed() where isWanted(change) {
            guard history.entries.count < TodoHistory.most, bytes < TodoHistory.bytesMost else {
                history.hasMore = true
                break
            }
            let device = change.id.flatMap { database[uid].devices[$0] }
            if let entry = TodoHistory.Entry(change, by: device) { history.entries.append(entry) }
            bytes += change.message.count
        }
        return history
    }
}
