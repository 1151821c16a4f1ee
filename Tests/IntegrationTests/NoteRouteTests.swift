import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Notes of days over HTTP", .serialized)
@LoopActor
struct NoteRouteTests {
    private static let notes = "/v1/users/alice/notes"
    private static let note = notes + "/2026-11-20"

    private func put(
        _ gateway: any HTTPGateway,
        _ body: String,
        _ fields: String...,
        to target: String = note
    ) async throws -> Answer {
        try await gateway.ask("PUT \(target)", [try GatewayProcess.bearer("alice")] + fields, body: body)
    }

    @Test("are written, read, listed and taken away, and stand in lists of todos", arguments: Backing.allCases)
    func routes(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            #expect(try await gateway.ask("GET \(Self.note)", as: "alice").status == 404)
            let made = try await put(gateway, #"{"detail":"Rain.\nTea."}"#)
            #expect(made.status == 201 && made.fields("Location") == [Self.note], "\(made.text)")
            let start =
                #"{"id":"note-of-2026-11-20","uid":"alice","date":"2026-11-20","content":"📔","detail":"Rain.\nTea.","#
            #expect(made.body.hasPrefix(start) && made.body.contains(#""visibility":"private""#), "\(made.body)")
            let tag = try #require(made.fields("ETag").first)
            let read = try await gateway.ask("GET \(Self.note)", as: "alice")
            #expect(read.status == 200 && read.body == made.body && read.fields("ETag") == [tag])
            #expect(
                try await gateway.ask("GET \(Self.note)", GatewayProcess.bearer("alice"), "If-None-Match: \(tag)")
                    .status == 304
            )
            let shown = try await put(gateway, #"{"visibility":"followers"}"#)
            #expect(shown.status == 200 && shown.body.contains(#""detail":"Rain.\nTea.","#), "\(shown.text)")
            #expect(try await put(gateway, #"{"detail":"More"}"#, to: Self.notes + "/2026-11-22").status == 201)
            let list = try await gateway.ask("GET /v1/users/alice/todos?date=2026-11-20", as: "alice")
            #expect(list.body.contains(shown.body), "\(list.body)")
            for (query, days) in [
                ("", ["22", "20"]), ("?from=2026-11-21", ["22"]), ("?to=2026-11-21", ["20"]), ("?limit=1", ["22"]),
                ("?from=2026-11-21&to=2026-11-21", []),
            ] {
                let answer = try await gateway.ask("GET \(Self.notes)\(query)", as: "alice")
                let found = answer.body.matches(of: /{"id":"note-of-2026-11-(\d\d)"/).map { String($0.1) }
                #expect(answer.status == 200 && found == days, "\(query): \(answer.text)")
            }
            let emptied = try await put(gateway, #"{"detail":" \n"}"#)
            #expect(emptied.status == 204 && emptied.body.isEmpty, "\(emptied.text)")
            #expect(try await gateway.ask("GET \(Self.note)", as: "alice").status == 404)
            #expect(try await gateway.ask("DELETE \(Self.notes)/2026-11-22", as: "alice").status == 204)
            #expect(try await gateway.ask("DELETE \(Self.notes)/2026-11-22", as: "alice").status == 404)
        }
    }

    /// What is there, what is said to be there, and what becomes of a write.
    @Test("do not overwrite what was written meanwhile", arguments: [Backing.memory, .redis])
    func conditions(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for tag in ["*", "\"7\""] {
                let answer = try await put(gateway, #"{"detail":"x"}"#, "If-Match: \(tag)")
                #expect(answer.status == 404, "\(answer.text)")
            }
            let first = try await put(gateway, #"{"detail":"one"}"#, "If-None-Match: *")
            #expect(first.status == 201)
            let tag = try #require(first.fields("ETag").first)
            let twice = try await put(gateway, #"{"detail":"two"}"#, "If-None-Match: *")
            #expect(twice.status == 412 && twice.body.contains(#""detail":"one""#), "\(twice.text)")
            #expect(try await put(gateway, #"{"detail":"two"}"#, "If-Match: \(tag)").status == 200)
            for body in [#"{"detail":"three"}"#, #"{"detail":""}"#, #"{"visibility":"public"}"#] {
                let stale = try await put(gateway, body, "If-Match: \(tag)")
                #expect(stale.status == 412 && stale.body.contains(#""detail":"two""#), "\(stale.text)")
            }
            #expect(
                try await gateway.ask("DELETE \(Self.note)", GatewayProcess.bearer("alice"), "If-Match: \(tag)").status
                    == 412
            )
            #expect(try await put(gateway, #"{"detail":"three"}"#, "If-Match: *").status == 200)
            #expect(try await gateway.ask("GET \(Self.note)", as: "alice").body.contains(#""detail":"three""#))
        }
    }

    @Test("are their writer's to write, and refuse what they cannot be", arguments: [Backing.memory, .redis])
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let long = String(repeating: "x", count: 10_001)
            for (line, who, body, status) in [
                ("PUT \(Self.note)", "bob", #"{"detail":"x"}"#, 403), ("DELETE \(Self.note)", "bob", nil, 403),
                ("GET \(Self.note)", "bob", nil, 404), ("PUT \(Self.note)", "alice", "{}", 422),
                ("PUT \(Self.note)", "alice", #"{"detail":7}"#, 422),
                ("PUT \(Self.note)", "alice", #"{"detail":null}"#, 422),
                ("PUT \(Self.note)", "alice", #"{"text":"x"}"#, 422), ("PUT \(Self.note)", "alice", "x", 400),
                ("PUT \(Self.note)", "alice", #"{"detail":"x","visibility":"all"}"#, 422),
                ("PUT \(Self.note)", "alice", #"{"detail":"a\u0000b"}"#, 422),
                ("PUT \(Self.note)", "alice", #"{"detail":"\#(long)"}"#, 422),
                ("PUT \(Self.note)?x=1", "alice", #"{"detail":"x"}"#, 422),
                ("PUT \(Self.notes)/2026-02-30", "alice", #"{"detail":"x"}"#, 422),
                ("PUT \(Self.notes)/today", "alice", #"{"detail":"x"}"#, 422),
                ("GET \(Self.notes)/3000-01-01", "alice", nil, 422),
                ("GET \(Self.notes)?date=2026-11-20", "alice", nil, 422),
                ("GET \(Self.notes)?from=2026-11-21&to=2026-11-20", "alice", nil, 422),
                ("GET \(Self.notes)?limit=101", "alice", nil, 422), ("GET \(Self.notes)?after=x", "alice", nil, 422),
                (
                    "POST /v1/users/alice/todos", "alice",
                    #"{"id":"note-of-2026-11-20","content":"x","date":"2026-11-20"}"#, 422
                ),
            ] as [(String, String, String?, Int)] {
                let answer = try await gateway.ask(line, as: who, body: body)
                #expect(answer.status == status, "\(line) \(body?.prefix(60) ?? ""): \(answer.text)")
            }
            #expect(try await gateway.ask("GET /v1/users/alice/todos", as: "alice").body == #"{"id":"0-0","todos":[]}"#)
        }
    }
}
