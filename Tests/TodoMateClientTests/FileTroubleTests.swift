import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("A file that cannot be written", .serialized)
@LoopActor
struct FileTroubleTests {
    @Test("is told of as long as it lasts, and then what waits is sent")
    func told() async throws {
        try await withClient { client, gateway in
            let draft = TodoDraft(date: CalendarDate("2026-11-20")!, content: "x")
            try await client.container.todoService.create(draft, for: "alice")
            try await eventually("the server is away") { client.status != .live }
            var told: [TodoError?] = []
            client.observeFileTrouble { told.append($0) }
            #expect(told.isEmpty && client.fileTrouble == nil)
            let storage = try #require(client.offline?.storage)
            storage.beforeCommit = { () throws(TodoError) in throw .unavailable("the disk is full") }
            try gateway.start()
            try await eventually("it is told") {
                client.hurry()
                return told.last == .unavailable("the disk is full")
            }
            #expect(client.fileTrouble == .unavailable("the disk is full"))
            storage.beforeCommit = { () throws(TodoError) in }
            try await eventually("it is sent") {
                client.hurry()
                return client.pendingChanges.isEmpty
            }
            #expect(client.fileTrouble == nil && told.last == .some(nil))
        }
    }

    @Test("may be answered at once by an app that is told that it is over")
    func answered() async throws {
        try await withClient { client, _ in
            let todos = try #require(client.offline?.todos)
            let draft = TodoDraft(date: CalendarDate("2026-11-20")!, content: "x")
            todos.onTrouble = { trouble in
                guard trouble == nil else { return }
                _ = try? todos.perform { (outbox) throws(TodoError) in
                    try outbox.add(draft, "second", key: "k2", at: Date())
                }
            }
            todos.note(.unavailable("the disk is full"))
            try todos.perform { (outbox) throws(TodoError) in
                try outbox.add(draft, "first", key: "k1", at: Date())
            }
            let storage = try #require(client.offline?.storage)
            #expect(todos.outbox.entries.map(\.todo) == ["first", "second"])
            #expect(try storage.outbox().entries.map(\.todo) == ["first", "second"])
        }
    }

    /// A client that keeps its todos, and whose server has gone.
    private func withClient(_ body: @LoopActor (TodoClient, ClientGateway) async throws -> Void) async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let client = try gateway.client("alice", keepingIn: folder + "/alice.sqlite")
                defer { client.close() }
                try await eventually("it is live") { client.status == .live }
                await gateway.stop()
                try await body(client, gateway)
            }
        }
    }
}
