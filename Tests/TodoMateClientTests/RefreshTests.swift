import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("A connection that only seems to be there", .serialized)
@LoopActor
struct RefreshTests {
    private let today = CalendarDate("2026-11-20")!

    /// Runs `body` with a client that is live, behind a proxy that can hold everything up.
    private func with(
        heartbeat: Duration = .seconds(10),
        _ body: @LoopActor (ClientGateway, TodoClient, TodosInMonthViewModel, TCPProxy) async throws -> Void
    ) async throws {
        try await withClientGateway { gateway in
            let proxy = try TCPProxy(port: try freePort(), to: .port(gateway.port))
            defer { proxy.close() }
            let client = TodoClient(
                server: try #require(URL(string: "http://127.0.0.1:\(proxy.port)")),
                uid: "alice",
                zone: .gmt,
                heartbeat: heartbeat,
                credentials: FixedToken(gateway.token("alice"))
            )
            defer { client.close() }
            let model = TodosInMonthViewModel(
                service: client.container.todoRealtimeService,
                uid: "alice",
                month: CalendarMonth("2026-11")!
            )
            model.onAppear()
            try await eventually("it is live") { model.phase == .live && client.status == .live }
            try await body(gateway, client, model, proxy)
            model.onDisappear()
        }
    }

    private func add(_ ids: [String], _ gateway: ClientGateway) async throws {
        for id in ids {
            _ = try await gateway.stores.todos.add(TodoDraft(id: id, date: today, content: id), for: "alice")
        }
    }

    @Test("counts as no answer to a refresh, and the one after it has what came meanwhile when it returns")
    func held() async throws {
        try await with { gateway, client, model, proxy in
            proxy.mode = .held
            try await add(["a"], gateway)
            #expect(await client.refresh(within: .seconds(1)) == false)
            #expect(client.status != .live && model.todos.isEmpty)
            proxy.mode = .open
            #expect(await client.refresh(within: .seconds(60)))
            #expect(client.status == .live && model.todos.map(\.id) == ["a"])
        }
    }

    @Test("is made anew by a refresh, which returns with all that it missed")
    func swallowed() async throws {
        try await with { gateway, client, model, proxy in
            for round in 0..<3 {
                proxy.swallowConnections()
                let ids = (0..<200).map { "\(round)-\($0)" }
                try await add(ids, gateway)
                #expect(await client.refresh(within: .seconds(60)))
                #expect(model.todos.count == 200 * (round + 1))
            }
        }
    }

    @Test("is made anew where somebody hurries after more silence than a live one has")
    func hurried() async throws {
        try await with(heartbeat: .seconds(4)) { gateway, client, model, proxy in
            var statuses: [ConnectionStatus] = []
            client.observeStatus { statuses.append($0) }
            client.hurry()
            #expect(statuses == [.live], "it has just been heard")
            proxy.swallowConnections()
            try await add(["a"], gateway)
            try await eventually("it goes on from its place") {
                client.hurry()
                return model.todos.map(\.id) == ["a"]
            }
            #expect(statuses.prefix(3) == [.live, .connecting, .live], "nobody waited for the silence to be noticed")
        }
    }
}
