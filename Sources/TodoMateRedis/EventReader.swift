import EventLoop
import RedisClient
import TodoMate

/// Reads what a user added and finished of late, in parts that each hold Redis for a moment only, whatever the todos weigh.
@LoopActor
struct EventReader {
    /// Something that happened to a todo.
    struct Event {
        let type: FeedItem.Event
        let todoID: String
        let change: String
        /// In microseconds since 1970.
        let at: Int
        /// The todo as it is now; `1` where marks were asked for, and empty where it happened too late to be listed.
        let todo: [UInt8]

        /// The event as feeds list it.
        func item(of owner: String) throws(TodoError) -> FeedItem {
            FeedItem(id: change, type: type, at: at, todo: try StoredJSON.read(todo, of: owner))
        }
    }

    private let bulk: BulkConnection

    init(_ bulk: BulkConnection) { self.bulk = bulk }

    /// Calls `take` with each event that the viewer may know of, newest first, until it answers false.
    ///
    /// - Parameters:
    ///   - owner: whose todos.
    ///   - viewer: who looks.
    ///   - since: the earliest, in microseconds since 1970.
    ///   - before: the time that all must be before.
    ///   - marksOnly: whether the todos are not needed.
    ///   - take: what to do with an event; whether it wants more.
    func read(
        of owner: String,
        for viewer: String,
        since: Int,
        before: Int,
        marksOnly: Bool = false,
        _ take: (Event) throws(TodoError) -> Bool
    ) async throws(TodoError) {
        let words = [viewer, String(since), String(before), marksOnly ? "marks" : "todos"]
        var seen: Set<[String]> = []
        var place: [String] = []
        repeat {
            let reply = try await bulk.functions.call(
                "todomate_events",
                owner,
                words + place,
                readsOnly: true,
                isRepeatable: true
            )
            let part = reply.array ?? []
            for index in stride(from: 1, to: part.count, by: 5) {
                let event = try Self.event(part[index..<min(index + 5, part.count)])
                // Parts do not know of one another: what a newer change said counts.
                guard seen.insert([event.todoID, event.type.rawValue]).inserted else { continue }
                if event.type == .added { seen.insert([event.todoID, FeedItem.Event.finished.rawValue]) }
                guard !event.todo.isEmpty else { continue }
                guard try take(event) else { return }
                await LoopActor.shareTurn()
            }
            place = [part.first?.string ?? ""]
        } while place != [""]
    }

    private static func event(_ words: ArraySlice<RedisValue>) throws(TodoError) -> Event {
        let words = Array(words)
        guard words.count == 5, let type = words[0].string.flatMap(FeedItem.Event.init),
            let id = words[1].string, let change = words[2].string, let at = words[3].string.flatMap({ Int($0) })
        else { throw .broken("todomate_events answered something that is no event") }
        return Event(type: type, todoID: id, change: change, at: at, todo: words[4].bytes ?? [])
    }
}
