import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("A device on which nothing is known yet", .serialized)
@LoopActor
struct NewDeviceTests {
    private let today = CalendarDate("2026-11-20")!

    @Test("sends what was typed although its stream is refused, and goes on by the stream later")
    func refusedStream() async throws {
        try await withClientGateway(streamsPerUser: 1) { gateway in
            try await withFolder { folder in
                let store = gateway.stores.todos
                _ = try await store.add(TodoDraft(id: "a", date: today, content: "before"), for: "alice")
                let other = gateway.client("alice")
                defer { other.close() }
                let model = TodosInMonthViewModel(
                    service: other.container.todoRealtimeService,
                    uid: "alice",
                    month: CalendarMonth("2026-11")!
                )
                model.onAppear()
                try await eventually("another one has the only stream") { other.status == .live }

                let client = try gateway.client("alice", keepingIn: folder + "/alice.sqlite")
                defer { client.close() }
                let service = client.container.todoService
                try await service.create(TodoDraft(id: "b", date: today, content: "typed"), for: "alice")
                try await eventually("it is sent") { try await store.snapshot(of: "alice", in: nil).todos.count == 2 }
                #expect(client.status != .live)
                // What is edited goes on from what was read.
                try await eventually("what was there is shown") { client.pendingChanges.isEmpty }
                try await service.update("a", of: "alice", with: TodoPatch(content: "edited"))
                try await eventually("so is this") { try await store.todo("a", of: "alice").content == "edited" }
                model.onDisappear()
                other.close()
                _ = try await store.add(TodoDraft(id: "c", date: today, content: "elsewhere"), for: "alice")
                try await eventually("it is live") {
                    client.hurry()
                    return client.status == .live
                }
                let shown = try await service.todos(of: "alice", in: nil)
                #expect(shown.map(\.content) == ["edited", "typed", "elsewhere"])
            }
        }
    }
}
