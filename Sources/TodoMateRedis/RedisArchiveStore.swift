package import EventLoop
import RedisClient
package import TodoMate

/// What people take along of what Redis holds of them, read over a connection of its own, a little at a time.
@LoopActor
package final class RedisArchiveStore: ArchiveStoreType {
    private let bulk: BulkConnection
    private let deletions: RedisDeletionStore

    init(_ bulk: BulkConnection, _ deletions: RedisDeletionStore) { (self.bulk, self.deletions) = (bulk, deletions) }

    package func read(of uid: String, _ take: @escaping @LoopActor ([UInt8]) async -> Bool) async throws(TodoError) {
        try TodoBounds.uid(uid)
        try await ArchiveReading(uid, RedisArchive(bulk.functions), deletions, ArchiveParts(take)).run()
    }

    package func write(
        _ todos: [[UInt8]],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> [ArchiveOutcome] {
        try TodoBounds.uid(uid)
        return try await RedisArchive(bulk.functions).importTodos(todos, of: uid, replacing: replacing)
    }
}

/// One user's archive under way.
@LoopActor
private final class ArchiveReading {
    private static let todosAtOnce = 100

    private let uid: String
    private let archive: RedisArchive
    private let deletions: RedisDeletionStore
    private let parts: ArchiveParts
    /// The todos that have reactions.
    private var reacted: Set<String> = []

    init(_ uid: String, _ archive: RedisArchive, _ deletions: RedisDeletionStore, _ parts: ArchiveParts) {
        (self.uid, self.archive, self.deletions, self.parts) = (uid, archive, deletions, parts)
    }

    func run() async throws(TodoError) {
        // A password's hash is no memory of anything, and worth guessing at to whoever finds the file.
        let profile = try await archive.profile(of: uid).filter { $0.key != "password" }
        if !profile.isEmpty { await parts.add(ArchiveLine.text(ofProfile: profile, of: uid).utf8) }
        if try await archive.counts(of: [uid])[0] > RedisArchive.atOnce {
            try await addPages()
        } else {
            try await addInOrder()
        }
        for list in ArchiveLink.List.allCases where list != .reactions { try await addLinks(in: list) }
        for todo in reacted.sorted() { try await addLinks(in: .reactions, of: todo) }
        await parts.end()
    }

    /// In list order; each todo is read once, wherever it is moved meanwhile.
    private func addInOrder() async throws(TodoError) {
        let ids = try await archive.ids(of: uid)
        var held: [StoredTodo] = []
        for first in stride(from: 0, to: ids.count, by: Self.todosAtOnce) where parts.isWanted {
            let some = ids[first..<min(first + Self.todosAtOnce, ids.count)]
            held += read(try await archive.todos(some, of: uid))
            held.sort { Todo.isInListOrder($0.todo, $1.todo) }
            // The last day may go on in the next part.
            let last = held.last?.todo.date
            let whole = some.endIndex == ids.count ? held.count : held.firstIndex { $0.todo.date == last } ?? 0
            await add(held[..<whole])
            held.removeFirst(whole)
        }
    }

    /// By pages of any order, as an export of more than it reads at one moment.
    private func addPages() async throws(TodoError) {
        let pages = archive.pages(of: uid)
        while parts.isWanted, let page = try await pages.next() { await add(read(page.map(\.value))[...]) }
    }

    private func addLinks(in list: ArchiveLink.List, of todo: String? = nil) async throws(TodoError) {
        let pages = archive.links(of: uid, in: list, todo: todo)
        while parts.isWanted, let links = try await pages.next() {
            // Who is leaving is gone to others, here as in the list of who reacted.
            let people = list == .reactions ? links.map(\.with) : []
            let (gone, unknown) = try await deletions.leaving(among: people)
            if let person = unknown.first { throw .unavailable("the node of \(person), who reacted, does not answer") }
            for link in links where !gone.contains(link.with) { await parts.add(ArchiveLine.text(of: link).utf8) }
        }
    }

    private func read(_ values: [[UInt8]]) -> [StoredTodo] { values.compactMap { StoredTodo($0, id: nil, uid: uid) } }

    private func add(_ todos: ArraySlice<StoredTodo>) async {
        for todo in todos {
            if !todo.todo.reactions.isEmpty { reacted.insert(todo.todo.id) }
            await parts.add(todo.json)
        }
    }
}
