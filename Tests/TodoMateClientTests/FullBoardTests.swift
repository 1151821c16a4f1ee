import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("A board on which there is no room", .serialized)
@LoopActor
struct FullBoardTests {
    private func list(_ client: TodoClient, _ uid: String) -> TodosInMonthViewModel {
        let model = TodosInMonthViewModel(
            service: client.container.todoRealtimeService,
            uid: uid,
            month: CalendarMonth("2026-11")!
        )
        model.onAppear()
        return model
    }

    @Test("says so of whom it does not show, and shows them once there is room")
    func full() async throws {
        try await withClientGateway { gateway in
            let day = CalendarDate("2026-11-20")!
            let draft = TodoDraft(id: "a", date: day, content: "hello", visibility: .public)
            _ = try await gateway.stores.todos.add(draft, for: "bob")
            let client = gateway.client("alice")
            defer { client.close() }
            let others = (0..<100).map { list(client, "u\($0)") }
            let bob = list(client, "bob")
            try await eventually("there is no room") {
                if case .failed(.full(let text)) = bob.phase { text.contains("bob") } else { false }
            }
            #expect(!client.container.todoRealtimeService.isFollowing("bob"))
            // One who was not shown either goes first.
            let late = list(client, "late")
            late.onDisappear()
            others[7].onDisappear()
            try await eventually("he is shown") { bob.phase == .live && bob.todos.map(\.content) == ["hello"] }
            let change = TodoPatch(content: "changed")
            _ = try await gateway.stores.todos.update("a", of: "bob", with: change, expecting: nil)
            try await eventually("and lives") { bob.todos.map(\.content) == ["changed"] }
        }
    }
}
