import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// What goes wrong between a goal's visibility and its todos.
@Suite("The visibility of a goal, on its way to its todos", .serialized)
@LoopActor
struct GoalSpreadTests {
    /// Runs `body` with a public goal, and todos of it that are public: `a`, `b` and so on.
    private func withGoal(
        todos count: Int,
        detail: String = "",
        _ body: @escaping @LoopActor (Stores, RedisServer) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            let stores = repository.stores
            try await stores.goals.set(GoalPatch(id: "g1", name: "Work", visibility: .public), of: "alice")
            for number in 0..<count {
                let draft = TodoDraft(id: "t\(number)", date: Self.day, content: "x", detail: detail, goal: "g1")
                _ = try await stores.todos.add(draft, for: "alice")
            }
            try await body(stores, server)
        }
    }

    private static let day = CalendarDate("2026-11-20")!

    /// How many of the todos that can be read have this visibility.
    private func count(_ visibility: Visibility, _ server: RedisServer) async throws -> Int {
        try await server.cli("HVALS", "todomate:{alice}:todos").components(
            separatedBy: #""visibility":"\#(visibility)""#
        )
        .count - 1
    }

    @Test("passes over what was edited by hand, and says how many such there are")
    func broken() async throws {
        try await withGoal(todos: 5) { stores, server in
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .private), of: "alice")
            let text = try await server.cli("HGET", "todomate:{alice}:todos", "t2")
            let damaged = text.replacing(#""status":"todo""#, with: #""status":7"#)
            try await server.cli("HSET", "todomate:{alice}:todos", "t2", damaged)
            let done = try await stores.goals.spread(.private, to: "g1", of: "alice")
            #expect(done.changed == 4 && done.broken == 1 && done.seen == 5)
            #expect(try await count(.private, server) == 4)
        }
    }

    @Test("hides, and shows nothing, while memory is full")
    func memory() async throws {
        try await withGoal(todos: 5) { stores, server in
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .private), of: "alice")
            try await server.cli("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction")
            let done = try await stores.goals.spread(.private, to: "g1", of: "alice")
            #expect(done.changed == 5)
            try await server.cli("CONFIG", "SET", "maxmemory", "0")
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .public), of: "alice")
            try await server.cli("CONFIG", "SET", "maxmemory", "1")
            await expect("unavailable") { try await stores.goals.spread(.public, to: "g1", of: "alice") }
            try await server.cli("CONFIG", "SET", "maxmemory", "0")
            #expect(try await count(.private, server) == 5)
        }
    }

    @Test("hides what is as long as it may be, and shows it only where there is room")
    func room() async throws {
        try await withGoal(todos: 5) { stores, server in
            @LoopActor func limit(_ most: Int) async throws {
                let used = try await stores.relations.profile(of: "alice").counts.bytes
                try await server.cli("HSET", "todomate:{alice}:profile", "bytesMost", String(used + most))
            }
            // "private" is a letter longer than "public".
            try await limit(0)
            let patch = TodoPatch(visibility: .private)
            _ = try await stores.todos.update("t0", of: "alice", with: patch, expecting: nil)
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .private), of: "alice")
            #expect(try await stores.goals.spread(.private, to: "g1", of: "alice").changed == 4)
            #expect(try await count(.private, server) == 5)
            // And "followers" two letters longer than that.
            try await limit(5)
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .followers), of: "alice")
            await expect("full") { try await stores.goals.spread(.followers, to: "g1", of: "alice") }
            // A revision may have got one digit more.
            #expect((1...2).contains(try await count(.followers, server)), "as far as there is room")
        }
    }

    @Test("comes to long todos a few at a time")
    func long() async throws {
        try await withGoal(todos: 30, detail: String(repeating: "할", count: 10_000)) { stores, _ in
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .private), of: "alice")
            var (parts, last) = (0, 0)
            let done = try await stores.goals.spread(.private, to: "g1", of: "alice") { part in
                #expect(part.changed - last <= 5)
                (parts, last) = (parts + 1, part.changed)
            }
            #expect(done.changed == 30 && parts >= 6)
        }
    }

    @Test("is of somebody who has nothing but goals")
    func alone() async throws {
        try await withGoal(todos: 0) { stores, server in
            try await server.cli("UNLINK", "todomate:{alice}:log")
            let nobody = try await server.cli("FCALL_RO", "todomate_nobody", "1", "todomate:{alice}")
            #expect(nobody != "1", "whoever took the name would have the goals")
            let archive = RedisArchive(server.url)
            defer { archive.close() }
            #expect(try await archive.users(withProfiles: true) == ["alice"])
        }
    }
}
