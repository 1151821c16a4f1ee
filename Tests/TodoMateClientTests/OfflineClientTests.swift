import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("A client with a file", .serialized)
@LoopActor
struct OfflineClientTests {
    private let today = CalendarDate("2026-11-20")!

    private func list(_ client: TodoClient) -> TodosInMonthViewModel {
        let model = TodosInMonthViewModel(
            service: client.container.todoRealtimeService,
            uid: "alice",
            month: CalendarMonth("2026-11")!
        )
        model.onAppear()
        return model
    }

    private func contents(_ model: LiveTodosViewModel) -> [String] { model.todos.map(\.content) }

    @Test("shows what was seen without a network, and sends what was done meanwhile, also after it was killed")
    func offline() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let path = folder + "/alice.sqlite"
                _ = try await gateway.stores.todos.add(TodoDraft(id: "a", date: today, content: "seen"), for: "alice")
                let client = try gateway.client("alice", keepingIn: path)
                let model = list(client)
                try await eventually("it is live") { client.status == .live && contents(model) == ["seen"] }
                await gateway.stop()
                try await client.container.todoService.create(
                    TodoDraft(id: "b", date: today, content: "typed in a tunnel"),
                    for: "alice"
                )
                try await client.container.todoService.update("a", of: "alice", with: TodoPatch(status: .complete))
                try await eventually("the view shows it at once") {
                    contents(model) == ["seen", "typed in a tunnel"] && model.todos.first?.status == .complete
                }
                #expect(client.pendingChanges.map(\.kind) == [.added, .edited])
                client.close()

                let other = try gateway.client("alice", keepingIn: path)
                defer { other.close() }
                let again = list(other)
                try await eventually("without a network it is there") {
                    contents(again) == ["seen", "typed in a tunnel"] && again.phase == .live
                }
                #expect(other.pendingChanges.count == 2)
                try gateway.start()
                other.hurry()
                try await eventually("all is sent") { other.pendingChanges.isEmpty }
                let stored = try await gateway.stores.todos.snapshot(of: "alice", in: nil).todos
                #expect(stored.map(\.content) == ["seen", "typed in a tunnel"] && stored[0].status == .complete)
                try await eventually("and shown as it is stored") { again.todos == stored }
            }
        }
    }

    @Test("shows goals, people and what is left from earlier days without a network, and reads them again with one")
    func besides() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let path = folder + "/alice.sqlite"
                _ = try await gateway.stores.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
                _ = try await gateway.stores.todos.add(TodoDraft(id: "a", date: today, content: "a"), for: "alice")
                @LoopActor func settings(_ client: TodoClient) -> SettingsViewModel {
                    let model = SettingsViewModel(
                        service: client.container.todoRealtimeService,
                        relations: client.stores.relations,
                        uid: "alice"
                    )
                    model.onAppear()
                    return model
                }
                let client = try gateway.client("alice", keepingIn: path)
                let first = settings(client)
                try await eventually("the goals are read") { first.goals.map(\.name) == ["Work"] }
                // What is told of is kept as well, for a run that begins without a network.
                _ = try await gateway.stores.goals.set(GoalPatch(id: "g2", name: "Home"), of: "alice")
                try await eventually("the other one is told") { first.goals.count == 2 }
                _ = try await client.stores.relations.person("bob", asKnownTo: "alice")
                try await eventually("and kept") {
                    let kept = try? await client.stores.relations.profile(of: "alice").settings.goals
                    return kept?.count == 2
                }
                client.close()
                await gateway.stop()

                let other = try gateway.client("alice", keepingIn: path)
                defer { other.close() }
                let again = settings(other)
                try await eventually("they are there") { again.goals.map(\.name).sorted() == ["Home", "Work"] }
                #expect(try await other.stores.relations.person("bob", asKnownTo: "alice").uid == "bob")
                try await other.container.todoService.update("a", of: "alice", with: TodoPatch(content: "mine"))
                let earlier = try await other.stores.feeds.earlier(of: "alice", before: today.adding(days: 1))
                #expect(earlier.todos.map { $0.toModel().content } == ["mine"])
                #expect(try await other.stores.feeds.earlier(of: "alice", before: today).count == 0)
                // What was never asked is not there.
                await #expect(throws: TodoError.self) {
                    _ = try await other.stores.feeds.week(of: "alice", until: today)
                }
                #expect(other.nextAttempt != nil || other.status == .connecting)

                _ = try await gateway.stores.goals.remove("g1", of: "alice", from: nil)
                try gateway.start()
                other.hurry()
                try await eventually("they are as they are now") { again.goals.map(\.name) == ["Home"] }
                #expect(other.nextAttempt == nil)
            }
        }
    }

    @Test("keeps its file for its owner, tells what waits in it, and takes all of it away")
    func removal() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let path = folder + "/alice.sqlite"
                #expect(try TodoClient.pendingChanges(keptIn: path, of: "alice", at: gateway.url).isEmpty)
                #expect(!FileManager.default.fileExists(atPath: path), "looking makes none")
                let client = try gateway.client("alice", keepingIn: path)
                let facts = try FileManager.default.attributesOfItem(atPath: path)
                #expect(facts[.posixPermissions] as? Int == 0o600)
                await gateway.stop()
                try await client.container.todoService.create(TodoDraft(date: today, content: "typed"), for: "alice")
                #expect(throws: TodoError.self) {
                    _ = try TodoClient.pendingChanges(keptIn: path, of: "alice", at: gateway.url)
                }
                client.close()
                let waiting = try TodoClient.pendingChanges(keptIn: path, of: "alice", at: gateway.url)
                #expect(waiting.map(\.todo.content) == ["typed"])
                #expect(throws: TodoError.self) {
                    _ = try TodoClient.pendingChanges(keptIn: path, of: "bob", at: gateway.url)
                }
                for _ in 0..<2 { try TodoClient.removeFile(path) }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            }
        }
    }

    @Test("keeps what the server refuses where it is seen, and sends the rest")
    func refusals() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                _ = try await gateway.stores.todos.add(TodoDraft(id: "a", date: today, content: "a"), for: "alice")
                let client = try gateway.client("alice", keepingIn: folder + "/alice.sqlite")
                defer { client.close() }
                let model = list(client)
                try await eventually("it is live") { client.status == .live && contents(model) == ["a"] }
                await gateway.stop()
                try await client.container.todoService.update("a", of: "alice", with: TodoPatch(content: "mine"))
                try await client.container.todoService.create(
                    TodoDraft(id: "g", date: today, content: "of no goal", goal: "nowhere"),
                    for: "alice"
                )
                try await client.container.todoService.create(
                    TodoDraft(id: "c", date: today, content: "fine"),
                    for: "alice"
                )
                // Somebody removes what was edited here.
                _ = try await gateway.stores.todos.remove("a", of: "alice", expecting: nil)
                try gateway.start()
                client.hurry()
                try await eventually("one is there, two are refused") {
                    contents(model) == ["fine"] && client.pendingChanges.count == 2
                        && client.pendingChanges.allSatisfy { if case .refused = $0.state { true } else { false } }
                }
                let gone = try #require(client.pendingChanges.first { $0.todoID == "a" })
                #expect(gone.kind == .edited && gone.todo.content == "mine")
                guard case .refused(.notFound) = gone.state else { throw TodoError.broken("\(gone.state)") }
                try client.retry(gone)
                try await eventually("what was written comes back") { contents(model).contains("mine") }
                let other = try #require(client.pendingChanges.first { $0.todoID == "g" })
                guard case .refused(.invalid) = other.state else { throw TodoError.broken("\(other.state)") }
                try client.discard(other)
                try await eventually("nothing waits") { client.pendingChanges.isEmpty }
            }
        }
    }

    @Test("merges field by field, and tells what it has overwritten")
    func merges() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let store = gateway.stores.todos
                _ = try await store.add(TodoDraft(id: "a", date: today, content: "a", detail: "d"), for: "alice")
                let client = try gateway.client("alice", keepingIn: folder + "/alice.sqlite")
                defer { client.close() }
                let model = list(client)
                try await eventually("it is live") { client.status == .live && contents(model) == ["a"] }
                await gateway.stop()
                try await client.container.todoService.update(
                    "a",
                    of: "alice",
                    with: TodoPatch(content: "mine", status: .complete)
                )
                _ = try await store.update(
                    "a",
                    of: "alice",
                    with: TodoPatch(content: "theirs", detail: "theirs"),
                    expecting: nil
                )
                try gateway.start()
                client.hurry()
                try await eventually("it is sent") { client.pendingChanges.isEmpty }
                let todo = try await store.todo("a", of: "alice")
                #expect((todo.content, todo.detail, todo.status) == ("mine", "theirs", .complete))
                #expect(client.overwritten.map(\.field) == ["content"])
                #expect(client.overwritten.first?.theirs == "theirs" && client.overwritten.first?.mine == "mine")
                try client.acknowledgeOverwritten()
                #expect(client.overwritten == [])
            }
        }
    }

    @Test("follows at once again where a write was taken while it waited to")
    func woken() async throws {
        try await withClientGateway(streamsPerUser: 1) { gateway in
            try await withFolder { folder in
                let first = try gateway.client("alice", keepingIn: folder + "/alice.sqlite")
                try await eventually("it knows the todos") { first.status == .live }
                first.close()
                func areOpen(_ count: Int) async throws -> Bool {
                    try await gateway.client("alice").allowance()[.streams]?.used == count
                }
                try await eventually("its stream is over") { try await areOpen(0) }
                let other = gateway.client("alice")
                let model = list(other)
                try await eventually("another one has the only stream") { other.status == .live }

                let client = try gateway.client("alice", keepingIn: folder + "/alice.sqlite")
                defer { client.close() }
                var due = ContinuousClock.now
                try await eventually("it waits for long") {
                    due = client.nextAttempt ?? .now
                    return due > .now + .seconds(5)
                }
                model.onDisappear()
                other.close()
                try await eventually("there is room again") { try await areOpen(0) }
                try await client.container.todoService.create(TodoDraft(date: today, content: "x"), for: "alice")
                try await eventually("it follows") { client.status == .live }
                #expect(ContinuousClock.now < due)
            }
        }
    }

    @Test("takes no file of somebody else, and none that is in use")
    func files() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let path = folder + "/alice.sqlite"
                let client = try gateway.client("alice", keepingIn: path)
                #expect(throws: TodoError.self) { _ = try gateway.client("alice", keepingIn: path) }
                client.close()
                #expect(throws: TodoError.self) {
                    _ = try gateway.client("alice", keepingIn: folder + "/nowhere/alice.sqlite")
                }
                try Data("no database at all, but long enough to be looked at as one".utf8).write(
                    to: URL(fileURLWithPath: folder + "/text")
                )
                #expect(throws: TodoError.self) { _ = try gateway.client("alice", keepingIn: folder + "/text") }
            }
        }
    }
}
