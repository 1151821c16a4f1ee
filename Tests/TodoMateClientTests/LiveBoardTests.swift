import EventLoop
import Foundation
import Synchronization
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("View models over HTTP", .serialized)
@LoopActor
struct LiveBoardTests {
    private let today = CalendarDate("2026-11-20")!

    private func list(_ client: TodoClient, _ uid: String) -> TodosInMonthViewModel {
        TodosInMonthViewModel(
            service: client.container.todoRealtimeService,
            uid: uid,
            month: CalendarMonth("2026-11")!
        )
    }

    private func contents(_ model: LiveTodosViewModel) -> [String] { model.todos.map(\.content) }

    @Test("show what there is and what becomes of it, whoever writes")
    func follows() async throws {
        try await withClientGateway { gateway in
            _ = try await gateway.stores.todos.add(TodoDraft(id: "a", date: today, content: "first"), for: "alice")
            let client = gateway.client("alice")
            defer { client.close() }
            let model = list(client, "alice")
            model.onAppear()
            try await eventually("the list is live") { model.phase == .live && contents(model) == ["first"] }
            #expect(client.status == .live)
            try await client.container.todoService.create(
                TodoDraft(id: "b", date: today, content: "by the client"),
                for: "alice"
            )
            _ = try await gateway.stores.todos.add(
                TodoDraft(id: "c", date: today, content: "elsewhere"),
                for: "alice"
            )
            try await eventually("both came") { contents(model) == ["first", "by the client", "elsewhere"] }
            try await client.container.todoService.update("a", of: "alice", with: TodoPatch(content: "changed"))
            try await client.container.todoService.remove("b", of: "alice")
            try await eventually("both came") { contents(model) == ["changed", "elsewhere"] }
            model.onDisappear()
            try await eventually("nothing is watched") { client.status == .idle }
        }
    }

    @Test("show others' todos as far as these let them, and no further")
    func shares() async throws {
        try await withClientGateway { gateway in
            let stores = gateway.stores
            let client = gateway.client("bob")
            defer { client.close() }
            for (id, visibility) in [("p", Visibility.public), ("f", .followers), ("x", .private)] {
                let draft = TodoDraft(id: id, date: today, content: id, visibility: visibility)
                _ = try await stores.todos.add(draft, for: "alice")
            }
            let (own, hers) = (list(client, "bob"), list(client, "alice"))
            own.onAppear()
            hers.onAppear()
            try await eventually("strangers see what is public") { hers.phase == .live && contents(hers) == ["p"] }
            _ = try await client.stores.relations.follow("alice", by: "bob")
            _ = try await stores.relations.accept("bob", by: "alice")
            try await eventually("followers see more") { contents(hers) == ["p", "f"] }
            let change = TodoPatch(visibility: .private)
            _ = try await stores.todos.update("f", of: "alice", with: change, expecting: nil)
            try await eventually("what is hidden goes") { contents(hers) == ["p"] }
            _ = try await stores.todos.update("x", of: "alice", with: TodoPatch(visibility: .followers), expecting: nil)
            try await eventually("what is shown comes") { contents(hers) == ["p", "x"] }
            _ = try await stores.relations.block("bob", by: "alice")
            try await eventually("nothing is left") {
                if case .failed(.notFound) = hers.phase { contents(hers) == [] } else { false }
            }
            #expect(own.phase == .live)
        }
    }

    @Test("go on where they were when the server comes back, with all that they missed")
    func restarts() async throws {
        try await withClientGateway { gateway in
            let client = gateway.client("alice")
            defer { client.close() }
            let model = list(client, "alice")
            model.onAppear()
            try await eventually("the list is live") { model.phase == .live && client.status == .live }
            var statuses: [ConnectionStatus] = []
            client.observeStatus { statuses.append($0) }
            for round in 0..<3 {
                await gateway.stop()
                try await eventually("the client knows") { client.status != .live }
                for number in 0..<3 {
                    let draft = TodoDraft(date: today, content: "\(round) \(number)")
                    _ = try await gateway.stores.todos.add(draft, for: "alice")
                }
                try gateway.start()
                client.hurry()
                try await eventually("all came") { model.todos.count == 3 * (round + 1) }
                try await eventually("it is live") { client.status == .live }
            }
            #expect(statuses.contains { if case .waiting = $0 { true } else { false } })
            #expect(model.phase == .live, "a view does not notice")
        }
    }

    /// Gives out tokens one after the other.
    private final class Tokens: CredentialSource {
        private let tokens: Mutex<[String]>
        let refused = Mutex<[String?]>([])
        init(_ tokens: [String]) { self.tokens = Mutex(tokens) }
        func offer(_ token: String) { tokens.withLock { $0.append(token) } }
        func token(inPlaceOf refused: String?) async -> String? {
            self.refused.withLock { $0.append(refused) }
            return tokens.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    @Test("ask for another token when one is not taken any more, and say when there is none")
    func tokens() async throws {
        try await withClientGateway { gateway in
            let tokens = Tokens(["nonsense", gateway.token("alice")])
            let client = TodoClient(server: gateway.url, uid: "alice", zone: .gmt, credentials: tokens)
            defer { client.close() }
            let model = list(client, "alice")
            model.onAppear()
            try await eventually("the second one is taken") { client.status == .live }
            #expect(tokens.refused.withLock { $0 } == [nil, "nonsense"])
            // All her sessions end, this one included.
            try await gateway.stores.sessions.endAll(of: "alice")
            try await eventually("she is signed out") {
                if case .signedOut = client.status { true } else { false }
            }
            await #expect { try await client.container.todoService.todos(of: "alice", in: nil) } throws: {
                if case TodoError.refused = $0 { true } else { false }
            }
        }
    }

    @Test("read what is not watched, and say plainly what they cannot have")
    func unwatched() async throws {
        try await withClientGateway { gateway in
            _ = try await gateway.stores.todos.add(TodoDraft(id: "a", date: today, content: "x"), for: "alice")
            let client = gateway.client("alice")
            defer { client.close() }
            let service = client.container.todoRealtimeService
            #expect(try await service.snapshot(of: "alice", in: nil).todos.map(\.id) == ["a"])
            await #expect(throws: TodoError.self) { try await service.snapshot(of: "no one", in: nil) }
            await #expect {
                try await client.container.todoService.create(TodoDraft(date: today, content: "x"), for: "bob")
            } throws: {
                if case TodoError.refused(let text) = $0 { text.contains("alice") } else { false }
            }
            await gateway.stop()
            await #expect { try await client.container.todoService.todo("a", of: "alice") } throws: {
                if case TodoError.unavailable = $0 { true } else { false }
            }
        }
    }

    @Test("have the numbers of the tabs")
    func badges() async throws {
        try await withClientGateway { gateway in
            let client = gateway.client("alice")
            defer { client.close() }
            let model = list(client, "alice")
            model.onAppear()
            let day = CalendarDate(Date(), in: .gmt)
            _ = try await gateway.stores.todos.add(TodoDraft(date: day, content: "x"), for: "alice")
            try await eventually("one is left for today") { client.badges?.today == 1 }
        }
    }

    @Test("take part in what others do")
    func services() async throws {
        try await withClientGateway { gateway in
            let (alice, bob) = (gateway.client("alice"), gateway.client("bob"))
            defer {
                alice.close()
                bob.close()
            }
            var badges: [Badges] = []
            let model = list(alice, "alice")
            model.onAppear()
            alice.observeBadges { badges.append($0) }
            #expect(try await bob.people.follow("alice").following == .requested)
            try await eventually("it is told") { badges.last?.requests == 1 }
            let requests = try await alice.people.followers(in: .requested)
            #expect(requests.followers.map(\.uid) == ["bob"] && requests.count == 1)
            #expect(try await alice.people.accept("bob").follower == .following)
            #expect(try await alice.settings.change(visibility: .followers, name: "Alice").preferences.name == "Alice")
            #expect(try await bob.people.called(["alice"])["alice"]?.name == "Alice")
            let day = CalendarDate(Date(), in: .gmt)
            let goal = try await alice.settings.set(GoalPatch(id: "g", name: "Home"))
            let draft = TodoDraft(id: "milk", date: day, content: "Buy milk", status: .complete, goal: goal.id)
            try await alice.container.todoService.create(draft, for: "alice")
            let page = try await bob.feed.page(limit: 1)
            #expect(page.items.map { $0.todo.toModel().content } == ["Buy milk"])
            try await bob.feed.react("🎉", to: "milk", of: "alice")
            #expect(try await alice.feed.reactions(to: "milk", of: "alice").map(\.emoji) == ["🎉"])
            #expect(try await bob.past.search("milk", of: "alice").map(\.id) == ["milk"])
            #expect(try await alice.past.history(of: "milk").entries.last?.kind == .added)
            #expect(try await alice.feed.week(until: day).streak == 1)
            try await alice.past.note("good", on: day)
            #expect(try await alice.feed.earlier(before: day).isEmpty)
            try await alice.settings.removeGoal("g")
            #expect(try await alice.settings.read().goals.isEmpty)
            #expect(try await alice.people.block("bob").blocked)
            await #expect(throws: TodoError.self) { try await bob.feed.page(after: "nonsense") }
            #expect(try await bob.past.search("milk", of: "alice").isEmpty)
            #expect(await alice.refresh(within: .seconds(30)))
        }
    }

    @Test("sign in, and tell the reasons apart for which that fails")
    func signIn() async throws {
        try await withClientGateway { gateway in
            await #expect {
                _ = try await TodoClient.signIn(to: gateway.url, as: "alice", password: "wrong")
            } throws: {
                if case SignInError.wrong = $0 { true } else { false }
            }
            await gateway.stop()
            await #expect {
                _ = try await TodoClient.signIn(to: gateway.url, as: "alice", password: "x")
            } throws: {
                if case SignInError.unavailable = $0 { true } else { false }
            }
        }
    }
}
