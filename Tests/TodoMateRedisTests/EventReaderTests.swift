import EventLoop
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateRedis

@Suite("Events of long todos, which come in parts")
@LoopActor
struct EventReaderTests {
    private let detail = String(repeating: "🎉", count: 9000)

    /// Bob's todos with details of 36 KB: each is added, finished, taken up again and finished again; then some are removed, hidden
    /// or written anew under the same id. Both repositories get the same.
    private func write(to repository: any TodoRepositoryType, _ relations: any RelationStoreType) async throws {
        _ = try await relations.set(AccountPatch(audience: .public, visibility: .public), of: "bob")
        let day = CalendarDate("2026-11-20")!
        for number in 0..<12 {
            let draft = TodoDraft(id: "t\(number)", date: day, content: "Buy milk", detail: detail, visibility: .public)
            _ = try await repository.add(draft, for: "bob")
        }
        for status in [TodoStatus.complete, .todo, .complete] {
            for number in 0..<10 {
                let patch = TodoPatch(status: status)
                _ = try await repository.update("t\(number)", of: "bob", with: patch, expecting: nil)
            }
        }
        _ = try await repository.remove("t1", of: "bob", expecting: nil)
        _ = try await repository.update("t2", of: "bob", with: TodoPatch(visibility: .private), expecting: nil)
        _ = try await repository.update("t3", of: "bob", with: TodoPatch(status: .todo), expecting: nil)
        _ = try await repository.remove("t4", of: "bob", expecting: nil)
        _ = try await repository.add(TodoDraft(id: "t4", date: day, content: "Anew", visibility: .public), for: "bob")
    }

    private func lines(_ items: [FeedItem]) -> [String] { items.map { "\($0.type) \($0.todo.toModel().id)" } }

    @Test("are each listed once, as in memory, from any time and up to any number")
    func once() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            let memory = InMemoryTodoRepository()
            for stores in [repository.stores, memory.stores] {
                try await write(to: stores.todos, stores.relations)
            }
            let (feeds, due) = (repository.stores.feeds, memory.stores.feeds)
            let all = try await feeds.feed(of: "bob", for: "alice", since: 0, limit: 200, before: nil)
            let dueItems = try await due.feed(of: "bob", for: "alice", since: 0, limit: 200, before: nil)
            #expect(lines(all) == lines(dueItems))
            #expect(all.count == 16)
            #expect(all.allSatisfy { $0.todo.toModel().detail == detail || $0.todo.toModel().id == "t4" })
            #expect(try await feeds.feedCount(of: "bob", for: "alice", since: 0) == 16)
            #expect(try await parts(server) >= 2 * 8)
            for (place, item) in all.enumerated() {
                let older = try await feeds.feed(of: "bob", for: "alice", since: 0, limit: 200, before: item.at)
                #expect(lines(older) == lines(all.filter { $0.at < item.at }))
                let newer = try await feeds.feed(of: "bob", for: "alice", since: item.at, limit: 200, before: nil)
                #expect(lines(newer) == lines(all.filter { $0.at >= item.at }))
                let few = try await feeds.feed(of: "bob", for: "alice", since: 0, limit: place, before: nil)
                #expect(lines(few) == lines(Array(all.prefix(place))))
            }
        }
    }

    /// How often Redis was asked for a part.
    private func parts(_ server: RedisServer) async throws -> Int {
        let line = try await server.cli("INFO", "commandstats").split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("cmdstat_fcall_ro:") }
        return line.flatMap { Int($0.drop { $0 != "=" }.dropFirst().prefix { $0 != "," }) } ?? 0
    }

    @Test(
        "are refused with advice for a place that is none",
        arguments: ["", "1", "0 + 0 -", "3 + 0 -", "1 (5-6 0", "1 5-6 0 -", "1 ( 0 -", "1 + x -", "1 + 0 - "]
    )
    func refused(_ place: String) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            let answer = try await server.cli(
                ["FCALL_RO", "todomate_events", "1", "todomate:{bob}", "alice", "0", "1", "todos", place]
            )
            #expect(answer.hasPrefix("TODOMATE_USAGE"), "\(answer)")
        }
    }
}
