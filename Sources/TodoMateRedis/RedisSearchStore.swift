package import EventLoop
import RedisClient
package import TodoMate

/// Finds todos in Redis, in parts that each hold Redis for a moment only: the function leaves out what cannot be meant, and what it
/// answers is looked at here.
@LoopActor
package final class RedisSearchStore: SearchStoreType {
    /// What the function takes; more words are looked at here alone.
    private static let wordsMost = 32
    /// How many bytes of todos are read before others have the loop.
    private static let run = 32 * 1024

    private let functions: TodoFunctions
    private let bulk: BulkConnection

    init(_ functions: TodoFunctions, _ bulk: BulkConnection) { (self.functions, self.bulk) = (functions, bulk) }

    package func search(
        _ search: TodoSearch,
        of owner: String,
        for viewer: String,
        after place: SearchPlace?,
        limit: Int
    ) async throws(TodoError) -> FoundTodos? {
        try TodoBounds.uid(viewer)
        try search.check()
        let (found, filters) = (try await access(of: viewer, to: owner), search.json)
        guard found != .none else { return nil }
        var (part, place, weight, lookedAt) = (FoundTodos(), place?.description, 0, 0)
        var seen: Set<String> = []
        repeat {
            let words = [viewer, found.rawValue, filters] + (place.map { [$0] } ?? [])
            let reply = try await bulk.functions.call(
                "todomate_search",
                owner,
                words,
                readsOnly: true,
                isRepeatable: true
            )
            guard let answer = reply.array, answer.count >= 2, let next = answer[0].string,
                let looked = answer[1].integer
            else { throw .broken("todomate_search answered something that was not found") }
            lookedAt += looked
            part.looked = lookedAt
            for (index, stored) in answer[2...].enumerated() {
                let record = try TodoJSON.stored(stored, "of \(owner)")
                // A part may begin its day anew.
                if search.matches(record.todo), seen.insert(record.todo.id).inserted { part.todos.append(record) }
                if part.todos.count == limit, index < answer.count - 3 || !next.isEmpty {
                    part.next = SearchPlace(record.todo)
                    return part
                }
                // What is short takes its time as well.
                weight += 500 + record.todo.content.utf8.count + record.todo.detail.utf8.count
                if weight >= Self.run {
                    weight = 0
                    await LoopActor.shareTurn()
                }
            }
            place = next.isEmpty ? nil : next
        } while place != nil && lookedAt < FoundTodos.lookedMost
        part.next = place.flatMap { SearchPlace($0) }
        return part
    }

    /// What the two sides let the viewer see; the function looks at the owner's again.
    private func access(of viewer: String, to owner: String) async throws(TodoError) -> Access {
        guard viewer != owner else { return .own }
        let stance = functions.stanceTask(of: viewer, toward: owner)
        let words = try await functions.call("todomate_access", owner, [viewer], readsOnly: true, isRepeatable: true)
        guard let granted = words.array?.first?.string.flatMap(Access.init) else {
            throw .broken("todomate_access answered something that is no access")
        }
        return PairAccess(granted: granted, stance: try await stance.value.get()).access
    }
}

extension TodoSearch {
    /// The filters as JSON, as the function takes them.
    fileprivate var json: String {
        let words = words?.words.filter { $0.unicodeScalars.count <= TodoBounds.contentLength }.prefix(32)
        return JSONObject([
            "words": words.map(Array.init), "status": status?.rawValue, "goal": goal, "from": from?.description,
            "to": to?.description, "notes": isForNotes ? true : nil,
        ]).text
    }
}
