import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("Somebody who answers in the server's place", .serialized)
@LoopActor
struct ForeignAnswerTests {
    private let today = CalendarDate("2026-11-20")!

    /// A captive portal's page, one without a type, and what another program says in JSON.
    private nonisolated static let answers = [
        StrangeServer.page(200), HTTPResponse(status: 200, body: Array("<h1>Welcome</h1>".utf8)),
        .json(#"{"welcome":true}"#), .json("[]"),
    ]

    @Test("takes the place of nothing that is kept, and of no write", arguments: answers.indices)
    func kept(_ index: Int) async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let path = folder + "/alice.sqlite"
                _ = try await gateway.stores.goals.set(GoalPatch(id: "g", name: "Work"), of: "alice")
                let client = try gateway.client("alice", keepingIn: path)
                try await eventually("it is live") { client.status == .live }
                @LoopActor func goals(_ client: TodoClient) async throws -> [String] {
                    try await client.stores.relations.profile(of: "alice").settings.goals.map(\.name)
                }
                #expect(try await goals(client) == ["Work"])
                #expect(try await client.stores.relations.following(of: "alice").isEmpty)
                await gateway.stop()

                let stranger = try StrangeServer(port: gateway.port, Self.answers[index])
                #expect(try await goals(client) == ["Work"], "what is kept stands in")
                #expect(try await client.stores.relations.following(of: "alice").isEmpty)
                try await client.container.todoService.create(
                    TodoDraft(id: "a", date: today, content: "x"),
                    for: "alice"
                )
                _ = await client.refresh(within: .milliseconds(300))
                #expect(client.status != .live && client.pendingChanges.map { $0.isRefused } == [false])
                client.close()
                stranger.close()

                let other = try gateway.client("alice", keepingIn: path)
                defer { other.close() }
                #expect(try await goals(other) == ["Work"], "without a network as well")
                try gateway.start()
                other.hurry()
                try await eventually("what waited is sent") { other.pendingChanges.isEmpty }
                #expect(try await gateway.stores.todos.todo("a", of: "alice").content == "x")
            }
        }
    }

    @Test("names nobody whose name would be a path", arguments: ["../x", "a/b", "", "a b"])
    func names(_ uid: String) async throws {
        let stranger = try StrangeServer(.json(#"{"signIn":true,"uid":"\#(uid)"}"#))
        defer { stranger.close() }
        await #expect(throws: SignInError.self) {
            _ = try await TodoClient.holder(of: "a-token", at: URL(string: "http://127.0.0.1:\(stranger.port)")!)
        }
    }

    @Test("is not believed where nothing is kept, and is said to be in the way")
    func unkept() async throws {
        let stranger = try StrangeServer(StrangeServer.page(200))
        defer { stranger.close() }
        let url = try #require(URL(string: "http://127.0.0.1:\(stranger.port)"))
        let client = TodoClient(server: url, uid: "alice", zone: .gmt, credentials: FixedToken("t"))
        defer { client.close() }
        await #expect {
            try await client.container.todoService.todos(of: "alice", in: nil)
        } throws: {
            if case TodoError.unavailable(let text) = $0 { text.contains("text/html") } else { false }
        }
    }

    @Test("is read no further than makes sense")
    func bounded() {
        for (status, isWhole) in [(200, true), (403, false)] {
            var answer = ServerAnswer(status: status, fields: [:], body: Data())
            for _ in 0..<3 { answer.append(Data(count: 700_000)) }
            #expect(answer.body.count == (isWhole ? 2_100_000 : ServerAnswer.mostRefusedBytes))
        }
    }
}
