import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A write that finds everything as it should be", .serialized)
@LoopActor
struct UnchangedTests {
    private nonisolated static let todo = #"{"id":"t1","content":"x","date":"2026-11-20"}"#

    private nonisolated static let writes: [(line: String, body: String?, status: Int)] = [
        ("POST /v1/users/alice/todos", todo, 201), ("PUT /v1/users/alice/todos/t1", todo, 200),
        ("PATCH /v1/users/alice/todos/t1", #"{"content":"x"}"#, 200),
        ("DELETE /v1/users/alice/todos/t1/reactions/alice", nil, 200),
        ("PUT /v1/users/alice/todos/t2/reactions/alice", #"{"emoji":"👍"}"#, 200),
        ("PUT /v1/users/alice/following/bob", nil, 200), ("DELETE /v1/users/alice/following/carol", nil, 200),
        ("PUT /v1/users/alice/blocked/dave", nil, 200), ("DELETE /v1/users/alice/blocked/carol", nil, 200),
        ("PATCH /v1/users/alice/profile", #"{"audience":"public"}"#, 200),
    ]

    @Test(
        "is answered as such, and writes nothing, whatever there is of a log",
        arguments: [nil, ["DEL"], ["XTRIM", "MAXLEN", "0"]] as [[String]?],
        RedisKind.allCases
    )
    func repeats(_ loss: [String]?, _ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            for id in ["t1", "t2"] {
                try await server.call("todomate_add", "alice", Self.todo.replacing("t1", with: id))
            }
            for (line, body, _) in Self.writes.dropFirst(4) where !line.contains("carol") {
                let answer = try await gateway.ask(line, as: "alice", body: body)
                #expect([200, 201].contains(answer.status ?? 0), "\(line): \(answer.body)")
            }
            if let loss {
                _ = try await server.cli([loss[0], "todomate:{alice}:log"] + loss.dropFirst())
            }
            let length = try await server.cli("XLEN", "todomate:{alice}:log")
            let stored = try await server.cli("HGETALL", "todomate:{alice}:todos")
            for (line, body, status) in Self.writes {
                let answer = try await gateway.ask(line, as: "alice", body: body)
                #expect(answer.status == status, "\(line): \(answer.text)")
            }
            let again = try await server.todomate("add", "alice", "x", "--date", "2026-11-20", "--id", "t1")
            #expect(again.ending == .exit(0), "\(again.errors)")
            #expect(try await server.cli("XLEN", "todomate:{alice}:log") == length, "nothing was written")
            #expect(try await server.cli("HGETALL", "todomate:{alice}:todos") == stored)
        }
    }

    @Test(
        "has a form of its own at the functions: no type of a change, and no id that is another change's",
        arguments: [
            ["add", todo], ["update", "t1", #"{"content":"x"}"#], ["update", "t1", "{}"], ["react", "t1", "alice", ""],
            ["follow", "bob"], ["unfollow", "carol"], ["block", "dave"], ["unblock", "carol"], ["dismiss", "carol"],
            ["settings", #"{"audience":"public"}"#], ["settings", "{}"],
        ]
    )
    func form(_ call: [String]) async throws {
        try await withFunctions { functions, server in
            for first in [
                ["add", Self.todo], ["follow", "bob"], ["block", "dave"], ["settings", #"{"audience":"public"}"#],
            ] { _ = await functions(first[0], Array(first.dropFirst())) }
            let length = try await server.cli("XLEN", "todomate:{alice}:log")
            let answer = await functions(call[0], Array(call.dropFirst()))
            #expect(answer.contains(/^\{"type":"unchanged","(todo|relation|settings)":\{/), "\(answer)")
            #expect(try await server.cli("XLEN", "todomate:{alice}:log") == length)
        }
    }
}
