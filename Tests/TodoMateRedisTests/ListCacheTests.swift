import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

private let today = CalendarDate("2026-11-20")!
private let tomorrow = CalendarDate("2026-11-21")!

/// What a list says, for comparing.
private struct Listed: Decodable, Equatable {
    struct Item: Decodable, Equatable {
        var id: String
        var content: String
    }
    var id: String
    var todos: [Item]
}

@Suite("A list that was read before")
@LoopActor
struct ListCacheTests {
    /// Runs `body` with two repositories in one Redis, as two workers have them: what one remembers, the other changes.
    private func withTwo(
        _ body: @escaping @LoopActor (RedisTodoRepository, RedisTodoRepository, RedisServer) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let (reader, writer) = (RedisTodoRepository(server.url), RedisTodoRepository(server.url))
            defer {
                reader.close()
                writer.close()
            }
            try await body(reader, writer, server)
        }
    }

    private func list(
        _ repository: RedisTodoRepository,
        _ days: ClosedRange<CalendarDate>? = nil
    ) async throws -> Listed {
        let text = try await repository.list(of: "alice", in: days)
        let list = try JSONDecoder().decode(Listed.self, from: Data(text.json))
        #expect(list.id == text.id.description)
        return list
    }

    private func contents(
        _ repository: RedisTodoRepository,
        _ days: ClosedRange<CalendarDate>? = nil
    ) async throws -> [String] {
        try await list(repository, days).todos.map(\.content)
    }

    /// How often Redis has read todos for a list.
    private func reads(_ server: RedisServer) async throws -> Int {
        let line = try await server.cli("INFO", "commandstats").split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("cmdstat_hmget:") || $0.hasPrefix("cmdstat_hvals:") }
        return line.flatMap { Int($0.drop { $0 != "=" }.dropFirst().prefix { $0 != "," }) } ?? 0
    }

    @Test("is handed out again while nothing has changed, without reading its todos")
    func reuses() async throws {
        try await withTwo { reader, writer, server in
            _ = try await writer.add(TodoDraft(date: today, content: "milk"), for: "alice")
            let first = try await list(reader, today...today)
            let before = try await reads(server)
            #expect(before > 0)
            let again = try await list(reader, today...today)
            #expect(again == first && again.todos.map(\.content) == ["milk"])
            let after = try await reads(server)
            #expect(after == before)
        }
    }

    @Test("is never older than the question, whatever another worker does")
    func neverStale() async throws {
        try await withTwo { reader, writer, server in
            let added = try await writer.add(TodoDraft(id: "a", date: today, content: "one"), for: "alice")
            #expect(try await contents(reader) == ["one"])
            let changed = try await writer.update("a", of: "alice", with: TodoPatch(content: "two"), expecting: nil)
            #expect(try await contents(reader) == ["two"])
            #expect(changed.change?.id?.version == (added.change?.id?.version ?? 0) + 1)
            _ = try await writer.update("a", of: "alice", with: TodoPatch(date: tomorrow), expecting: nil)
            #expect(try await contents(reader, today...today).isEmpty)
            #expect(try await contents(reader, tomorrow...tomorrow) == ["two"])
            _ = try await writer.remove("a", of: "alice", expecting: nil)
            #expect(try await contents(reader, tomorrow...tomorrow).isEmpty)
            #expect(try await contents(reader).isEmpty)
            // Another user's list, or other days, are other lists.
            _ = try await writer.add(TodoDraft(date: today, content: "bob's"), for: "bob")
            #expect(try await contents(reader).isEmpty)
            _ = try await server.cli("FLUSHALL")
            #expect(try await list(reader) == Listed(id: "0-0", todos: []))
        }
    }

    @Test("is not taken for the list of another history with as many changes")
    func otherHistory() async throws {
        try await withTwo { reader, writer, server in
            _ = try await writer.add(TodoDraft(date: today, content: "before"), for: "alice")
            let before = try await list(reader)
            _ = try await server.cli("FLUSHALL")
            _ = try await writer.add(TodoDraft(date: today, content: "after"), for: "alice")
            let after = try await list(reader)
            #expect(before.id.hasPrefix("1-") && after.id.hasPrefix("1-") && before.id != after.id)
            #expect(after.todos.map(\.content) == ["after"])
        }
    }

    @Test("is not remembered when there is no log to compare it with")
    func noLog() async throws {
        try await withTwo { reader, writer, server in
            for content in ["one", "two"] {
                _ = try await writer.add(TodoDraft(date: today, content: content), for: "alice")
                _ = try await server.cli("DEL", "todomate:{alice}:log")
                #expect(try await contents(reader).contains(content))
            }
        }
    }

    @Test("knows of every write that was answered before it was asked for, however reads and writes interleave")
    func races() async throws {
        try await withTwo { reader, writer, _ in
            _ = try await writer.add(TodoDraft(id: "a", date: today, content: "0"), for: "alice")
            var answered = 1
            let readers = (0..<4).map { _ in
                Task { @LoopActor in
                    while answered < 200 {
                        let known = answered
                        let text = try await reader.list(of: "alice", in: nil)
                        let list = try JSONDecoder().decode(Listed.self, from: Data(text.json))
                        // The todo's text counts the writes: id and content are of one moment, and not of an earlier one.
                        #expect(text.id.version >= known)
                        #expect(list.todos.map(\.content) == ["\(text.id.version - 1)"])
                    }
                }
            }
            for number in 1..<200 {
                _ = try await writer.update("a", of: "alice", with: TodoPatch(content: "\(number)"), expecting: nil)
                answered = number + 1
            }
            for reader in readers { try await reader.value }
        }
    }
}
