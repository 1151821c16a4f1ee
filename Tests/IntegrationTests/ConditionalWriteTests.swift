import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A condition on a todo, after Redis lost its latest writes", .serialized)
@LoopActor
struct ConditionalWriteTests {
    private static let keys = ["todos", "days", "log", "open"].map { "todomate:{alice}:\($0)" }
    private static let path = "/v1/users/alice/todos/t1"

    /// Writes revision 2 twice: as one branch, then, after Redis went back to revision 1, as another. Returns the ETags.
    private func branch(_ server: any TestRedis, _ gateway: GatewayProcess) async throws -> (lost: String, now: String)
    {
        try await server.add("alice", "one", id: "t1")
        for key in Self.keys { try await server.cli("COPY", key, "\(key):saved") }
        try await server.call("todomate_update", "alice", "t1", #"{"content":"lost"}"#)
        let lost = try #require(try await tag(gateway))
        for key in Self.keys { try await server.cli("COPY", "\(key):saved", key, "REPLACE") }
        try await server.call("todomate_update", "alice", "t1", #"{"content":"now"}"#)
        return (lost, try #require(try await tag(gateway)))
    }

    private func tag(_ gateway: GatewayProcess) async throws -> String? {
        try await gateway.ask("GET \(Self.path)", as: "alice").fields("ETag").first
    }

    @Test("is not met by the same revision of another branch, whichever verb asks", arguments: RedisKind.allCases)
    func branches(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            let (lost, now) = try await branch(server, gateway)
            #expect(lost.hasPrefix("\"2-") && now.hasPrefix("\"2-") && lost != now)
            let alice = try GatewayProcess.bearer("alice")
            let read = try await gateway.ask("GET \(Self.path)", alice, "If-None-Match: \(lost)")
            #expect(read.status == 200 && read.body.contains(#""content":"now""#))
            #expect(try await gateway.ask("GET \(Self.path)", alice, "If-None-Match: \(now)").status == 304)
            let put = #"{"content":"mine","date":"2026-11-20"}"#
            for (verb, body) in [("PATCH", #"{"content":"mine"}"#), ("PUT", put), ("DELETE", nil)]
                as [(String, String?)]
            {
                // A plain revision, as older clients build it, is that of any history: it is good for nothing any more.
                for stale in [lost, "\"2\"", "\"1\"", "\"2-deadbeef\""] {
                    let length = body == nil ? ["Content-Length: 0"] : []
                    let answer = try await gateway.ask(
                        "\(verb) \(Self.path)",
                        [alice, "If-Match: \(stale)"] + length,
                        body: body
                    )
                    #expect(answer.status == 412, "\(verb) \(stale)")
                    #expect(answer.body.contains(#""content":"now""#) && answer.fields("ETag") == [now])
                }
            }
            #expect(try await server.log(of: "alice").count == 2, "nothing was written")
            let patch = try await gateway.ask(
                "PATCH \(Self.path)",
                [alice, "If-Match: \(now)"],
                body: #"{"content":"mine"}"#
            )
            #expect(patch.status == 200 && patch.fields("ETag").first?.hasPrefix("\"3-") == true)
        }
    }

    @Test(
        "is not met at the functions and the command either, unless it is the revision alone",
        arguments: RedisKind.allCases
    )
    func functions(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            let (lost, now) = try await branch(server, gateway)
            let (stale, fresh) = (lost.trimmingCharacters(in: ["\""]), now.trimmingCharacters(in: ["\""]))
            for call in [["todomate_update", #"{"content":"mine"}"#], ["todomate_remove"]] {
                let answer = try await server.call(call[0], "alice", ["t1"] + call.dropFirst() + [stale])
                #expect(
                    answer.hasPrefix("TODOMATE_CONFLICT the todo is now at revision 2 of another history"),
                    "\(answer)"
                )
            }
            let refused = try await server.todomate("edit", "alice", "t1", "--content", "mine", "--expect", stale)
            #expect(refused.ending == .exit(65) && refused.errors.contains("revision 2 of another history"))
            let written = try await server.todomate("edit", "alice", "t1", "--content", "mine", "--expect", fresh)
            #expect(written.ending == .exit(0))
            // Whoever asks for a revision of any history gets that.
            #expect(
                try await server.call("todomate_update", "alice", "t1", #"{"content":"x"}"#, "3").contains(
                    #""type":"modified""#
                )
            )
        }
    }

    @Test("of an older version's todo is its revision, until somebody writes it anew", arguments: RedisKind.allCases)
    func older(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await server.add("alice", "one", id: "t1")
            let stored = try await server.cli("HGET", Self.keys[0], "t1").replacing(/"micros":\d+,/, with: "")
            try await server.cli("HSET", Self.keys[0], "t1", stored)
            #expect(try await tag(gateway) == "\"1\"")
            let alice = try GatewayProcess.bearer("alice")
            #expect(try await gateway.ask("GET \(Self.path)", alice, #"If-None-Match: "1""#).status == 304)
            func ask(_ content: String) async throws -> Answer {
                let body = #"{"content":"\#(content)"}"#
                return try await gateway.ask("PATCH \(Self.path)", [alice, #"If-Match: "1""#], body: body)
            }
            #expect(try await ask("two").status == 200)
            #expect(try await ask("three").status == 412)
        }
    }
}
