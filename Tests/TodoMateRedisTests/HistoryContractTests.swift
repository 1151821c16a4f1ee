import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("What became of a todo", .serialized)
@LoopActor
struct HistoryContractTests {
    private let today = CalendarDate("2026-11-20")!

    private func draft(_ id: String, _ content: String = "milk", detail: String = "") -> TodoDraft {
        TodoDraft(id: id, date: today, content: content, detail: detail)
    }

    @discardableResult
    private func add(_ stores: Stores, _ id: String, _ content: String = "milk") async throws -> Todo {
        try await stores.todos.add(draft(id, content), for: "alice").todo
    }

    @discardableResult
    private func update(_ stores: Stores, _ id: String, _ patch: TodoPatch) async throws -> Todo {
        try await stores.todos.update(id, of: "alice", with: patch, expecting: nil).todo
    }

    private func remove(_ stores: Stores, _ id: String) async throws {
        _ = try await stores.todos.remove(id, of: "alice", expecting: nil)
    }

    private func history(_ stores: Stores, _ id: String, before: ChangeID? = nil) async throws -> TodoHistory {
        try await stores.histories.history(of: id, of: "alice", before: before)
    }

    /// Each change as its kind and what the todo was about then.
    private func words(_ history: TodoHistory) -> [String] { history.entries.map { "\($0.kind) \($0.todo.content)" } }

    private func removed(_ stores: Stores) async throws -> [String] {
        let found = try await stores.histories.removed(of: "alice", before: nil)
        #expect(found.todo == nil && found.entries.allSatisfy { $0.kind == .removed })
        return found.entries.map(\.todo.id)
    }

    @Test("is nothing before there was one, and all that the log knows from then on", arguments: StoresKind.allCases)
    func states(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            #expect(try await removed(stores) == [])
            #expect(try await stores.histories.removed(of: "alice", before: nil).reach == .whole)
            await expect("notFound", "never existed") { _ = try await history(stores, "a") }

            let first = try await add(stores, "a")
            var found = try await history(stores, "a")
            #expect(found.todo == first && words(found) == ["added milk"] && found.reach == .whole && !found.hasMore)
            #expect(
                found.since == first.micros && found.entries[0].id == ChangeID(version: 1, microseconds: first.micros)
            )
            await expect("notFound", "another one") { _ = try await history(stores, "b") }
            await expect("notFound", "another user's") {
                _ = try await stores.histories.history(of: "a", of: "bob", before: nil)
            }

            try await update(stores, "a", TodoPatch(content: "bread", status: .complete))
            try await add(stores, "b", "else")
            try await update(stores, "a", TodoPatch(detail: "fresh"))
            found = try await history(stores, "a")
            #expect(words(found) == ["modified bread", "modified bread", "added milk"])
            #expect(found.todo?.detail == "fresh" && found.entries[1].statusBefore == .todo)
            #expect(found.differences(at: 0) == [.detail])
            #expect(found.differences(at: 1) == [.content(from: "milk"), .status(from: .todo)])
            #expect(try await removed(stores) == [])

            try await remove(stores, "a")
            found = try await history(stores, "a")
            #expect(found.todo == nil && words(found).first == "removed bread" && found.entries.count == 4)
            #expect(found.entries[0].todo.detail == "fresh")
            #expect(try await removed(stores) == ["a"])

            let again = try await add(stores, "a", "another")
            found = try await history(stores, "a")
            #expect(found.todo == again && words(found).prefix(2) == ["added another", "removed bread"])
            #expect(try await removed(stores) == [], "it is there")
            try await remove(stores, "a")
            try await remove(stores, "b")
            #expect(try await removed(stores) == ["b", "a"], "each once, the last removal first")
        }
    }

    @Test("tells what others did to it, and not who", arguments: StoresKind.allCases)
    func reactions(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await add(stores, "a")
            try await update(stores, "a", TodoPatch(visibility: .public))
            try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            try await stores.feeds.react("🎉", to: "a", of: "alice", by: "bob")
            let found = try await history(stores, "a")
            #expect(found.entries.map(\.kind) == [.modified, .modified, .added], "settings are no change of a todo")
            #expect(found.differences(at: 0) == [.reactions])
            #expect(found.differences(at: 1) == [.visibility(from: .followers)])
            #expect(!found.json.contains("bob"))
        }
    }

    @Test("can be brought back as it was after any change, gone or not", arguments: StoresKind.allCases)
    func bringBack(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let service = TodoService(stores.todos)
            let first = try await add(stores, "a", "as it was")
            let other = CalendarDate("2026-12-24")!
            try await update(
                stores,
                "a",
                TodoPatch(
                    date: other,
                    time: .set(TimeOfDay("09:30")!),
                    content: "changed",
                    detail: "more",
                    status: .incomplete,
                    visibility: .private
                )
            )
            func bringBack(_ index: Int) async throws -> Todo {
                let found = try await history(stores, "a")
                return try await service.bringBack(found.entries[index].todo, from: found.todo)
            }
            func parts(_ todo: Todo) -> [String] {
                [
                    "\(todo.date)", todo.time?.description ?? "", todo.content, todo.detail, "\(todo.status)",
                    "\(todo.visibility)",
                ]
            }
            var now = try await bringBack(1)
            #expect(parts(now) == parts(first) && now.createdAt == first.createdAt && now.revision == 3)
            // From gone, under its id and at its place; and the state before that one, too.
            try await remove(stores, "a")
            now = try await bringBack(0)
            #expect(parts(now) == parts(first) && now.id == "a" && now.revision == 5)
            now = try await bringBack(3)
            #expect(parts(now) == ["2026-12-24", "09:30", "changed", "more", "incomplete", "private"])
            // What it is already is no change.
            let before = try await stores.todos.latestChangeID(of: "alice")
            _ = try await bringBack(0)
            #expect(try await stores.todos.latestChangeID(of: "alice") == before)

            // Nobody else's change is overwritten.
            let seen = try await history(stores, "a")
            try await update(stores, "a", TodoPatch(content: "by somebody else"))
            await expect("conflict", "changed since") {
                _ = try await service.bringBack(seen.entries[1].todo, from: seen.todo)
            }
            try await remove(stores, "a")
            await expect("notFound", "removed since") {
                _ = try await service.bringBack(seen.entries[1].todo, from: seen.todo)
            }
            let gone = try await history(stores, "a")
            try await add(stores, "a", "somebody else's")
            await expect("exists", "added again since") {
                _ = try await service.bringBack(gone.entries[0].todo, from: gone.todo)
            }
            #expect(try await stores.todos.todo("a", of: "alice").content == "somebody else's")
        }
    }

    @Test("reaches no further back than the log, and says so", arguments: StoresKind.allCases)
    func trimmed(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await add(stores, "old")
            try await add(stores, "kept")
            // A log drops what is over its length at each hundredth change, and keeps whole nodes of up to a hundred entries.
            for number in 1...1320 { try await update(stores, "kept", TodoPatch(content: "\(number)")) }
            let old = try await history(stores, "old")
            #expect(old.entries == [] && old.todo?.id == "old" && old.reach == .trimmed)
            let since = try #require(old.since)
            #expect(since > old.todo?.micros ?? .max)
            try await remove(stores, "old")

            // By answers of a hundred at most, all that the log has, each change once.
            var (all, last, first): ([TodoHistory.Entry], ChangeID?, Int?) = ([], nil, nil)
            repeat {
                let part = try await history(stores, "kept", before: last)
                #expect(
                    part.entries.count <= TodoHistory.most && part.hasMore == (part.entries.count == TodoHistory.most)
                )
                (all, first) = (all + part.entries, part.since)
                last = part.hasMore ? part.entries.last?.id : nil
            } while last != nil
            #expect((900...1250).contains(all.count))
            let latestFirst: [String] = (0..<all.count).map { number in String(1320 - number) }
            #expect(all.map(\.todo.content) == latestFirst)
            #expect(all.last?.id.microseconds == first)

            await expect("gone", "dropped") {
                _ = try await history(stores, "kept", before: ChangeID(version: 2, microseconds: 7))
            }
            await expect("gone", "to come") {
                _ = try await stores.histories.removed(of: "alice", before: ChangeID(version: 9999, microseconds: 1))
            }
            await expect("invalid", "no id") { _ = try await history(stores, "a b") }
            await expect("invalid", "no user") {
                _ = try await stores.histories.removed(of: "a b", before: nil)
            }
        }
    }

    @Test("fits into an answer, however long the notes are", arguments: StoresKind.allCases)
    func long(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await add(stores, "a")
            for number in 1...30 {
                let detail = String(repeating: "\(number % 10)\"", count: 5000)
                try await update(stores, "a", TodoPatch(detail: detail))
            }
            let first = try await history(stores, "a")
            #expect(first.hasMore && (10...20).contains(first.entries.count), "\(first.entries.count)")
            let second = try await history(stores, "a", before: first.entries.last?.id)
            #expect(!second.hasMore && first.entries.count + second.entries.count == 31)
            #expect(second.todo == first.todo && second.entries.last?.kind == .added)
        }
    }
}

@Suite("What became of a todo, in Redis", .serialized)
@LoopActor
struct HistoryInRedisTests {
    private func withStores(_ body: @escaping @LoopActor (Stores, RedisServer) async throws -> Void) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            try await body(repository.stores, server)
        }
    }

    private func add(_ stores: Stores, _ id: String, detail: String = "") async throws {
        let draft = TodoDraft(id: id, date: CalendarDate("2026-11-20")!, content: id, detail: detail)
        _ = try await stores.todos.add(draft, for: "alice")
    }

    @Test("knows nothing of what was only published")
    func published() async throws {
        try await withStores { stores, server in
            let todo = #"{"id":"shown","uid":"alice","date":"2026-11-20","content":"x"}"#
            try await server.cli("PUBLISH", "todomate:{alice}:changes", #"{"type":"added","todo":\#(todo)}"#)
            await expect("notFound") { _ = try await stores.histories.history(of: "shown", of: "alice", before: nil) }
        }
    }

    @Test("ends where a log was lost, before and after a new one begins")
    func lostLog() async throws {
        try await withStores { stores, server in
            try await add(stores, "a")
            try await server.cli("DEL", "todomate:{alice}:log")
            var found = try await stores.histories.history(of: "a", of: "alice", before: nil)
            #expect(found.entries == [] && found.since == nil && found.reach == .lost && found.todo?.id == "a")
            await expect("notFound") { _ = try await stores.histories.history(of: "b", of: "alice", before: nil) }
            try await add(stores, "b")
            found = try await stores.histories.history(of: "a", of: "alice", before: nil)
            #expect(found.entries == [] && found.reach == .lost && found.since != nil)
            found = try await stores.histories.history(of: "b", of: "alice", before: nil)
            #expect(found.entries.map(\.kind) == [.added] && found.reach == .lost)
        }
    }

    @Test("begins with an import")
    func imported() async throws {
        try await withStores { stores, server in
            let line =
                #"{"id":"a","uid":"alice","date":"2026-11-20","content":"old","createdAt":"2020-01-01T00:00:00Z"}"#
            try await server.cli("FCALL", "todomate_import", "1", "todomate:{alice}", "add", line)
            try await server.cli(
                "FCALL",
                "todomate_import",
                "1",
                "todomate:{alice}",
                "replace",
                line.replacing("old", with: "new")
            )
            let found = try await stores.histories.history(of: "a", of: "alice", before: nil)
            #expect(found.entries.map(\.todo.content) == ["new", "old"] && found.reach == .whole)
        }
    }

    @Test("is read a little at a time, and from its end again where the log is replaced meanwhile")
    func parts() async throws {
        try await withStores { stores, server in
            for number in 1...40 { try await add(stores, "t\(number)", detail: String(repeating: "x", count: 9900)) }
            let answer = try await server.cli("FCALL_RO", "todomate_history", "1", "todomate:{alice}", "t1")
            let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 4, "the first part does not reach it")
            let place = try #require(lines.last.flatMap { ChangeID($0) })
            #expect((20...30).contains(place.version))
            let found = try await stores.histories.history(of: "t1", of: "alice", before: nil)
            #expect(found.entries.map(\.id.version) == [1])

            try await server.cli("DEL", "todomate:{alice}:log")
            try await add(stores, "new")
            let gone = try await server.cli("FCALL_RO", "todomate_history", "1", "todomate:{alice}", "t1", "\(place)")
            #expect(gone.contains("TODOMATE_GONE the log does not have the change \(place)"))
            for (words, code) in [
                (["a b"], "INVALID"), (["t1", "x"], "USAGE"), (["t1", "1-99999999999999999"], "USAGE"),
                (["", "7-"], "USAGE"),
            ] {
                let refused = try await server.cli(["FCALL_RO", "todomate_history", "1", "todomate:{alice}"] + words)
                #expect(refused.contains("TODOMATE_\(code) "), "\(words): \(refused)")
            }
        }
    }

    @Test("brings back without its goal what was for one that is gone")
    func goalGone() async throws {
        try await withStores { stores, server in
            try await stores.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
            let draft = TodoDraft(id: "a", date: CalendarDate("2026-11-20")!, content: "a", goal: "g1")
            _ = try await stores.todos.add(draft, for: "alice")
            let patch = TodoPatch(content: "b", goal: "")
            _ = try await stores.todos.update("a", of: "alice", with: patch, expecting: nil)
            try await server.cli("HDEL", "todomate:{alice}:goals", "g1")
            let service = TodoService(stores.todos)
            let found = try await stores.histories.history(of: "a", of: "alice", before: nil)
            let past = try #require(found.entries.last?.todo)
            let changed = try await service.bringBack(past, from: found.todo)
            #expect(past.goal == "g1" && changed.content == "a" && changed.goal == nil)
            _ = try await stores.todos.remove("a", of: "alice", expecting: nil)
            let added = try await service.bringBack(past, from: nil)
            #expect(added.id == "a" && added.content == "a" && added.goal == nil)
        }
    }

    @Test("can be read while memory is full; to bring back more than is there has to wait")
    func full() async throws {
        try await withStores { stores, server in
            try await add(stores, "a")
            _ = try await stores.todos.remove("a", of: "alice", expecting: nil)
            try await server.cli("CONFIG", "SET", "maxmemory", "100kb", "maxmemory-policy", "noeviction")
            let found = try await stores.histories.history(of: "a", of: "alice", before: nil)
            let past = try #require(found.entries.last)
            let service = TodoService(stores.todos)
            await expect("unavailable") { _ = try await service.bringBack(past.todo, from: nil) }
            try await server.cli("CONFIG", "SET", "maxmemory", "0")
            let now = try await service.bringBack(past.todo, from: nil)
            #expect(now.content == "a")
        }
    }
}
