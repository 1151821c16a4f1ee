import EventLoop
import Foundation
import TestServers
import Testing

/// The command is tried on one Redis: what it makes of its words is the same whatever Redis there is.
@Suite("Searching over HTTP and by command", .serialized)
@LoopActor
struct SearchRouteTests {
    private static let search = "/v1/users/alice/search"

    private func add(_ gateway: any HTTPGateway, _ id: String, _ content: String, _ more: String = "") async throws {
        let body = #"{"id":"\#(id)","content":"\#(content)","date":"2026-11-20"\#(more)}"#
        let answer = try await gateway.ask("POST /v1/users/alice/todos", as: "alice", body: body)
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func ids(_ answer: String) -> [String] {
        answer.matches(of: /{"id":"([a-z0-9]+)","uid"/).map { String($0.1) }
    }

    @Test("finds one's own, and of others' what one may see", arguments: Backing.allCases)
    func find(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            _ = try await gateway.ask("PUT /v1/users/alice/goals/g1", as: "alice", body: #"{"name":"Work"}"#)
            try await add(gateway, "a", "Buy milk", #","goal":"g1","visibility":"public""#)
            try await add(gateway, "b", "우유 milk", #","status":"complete""#)
            try await add(gateway, "c", "Rent")
            for (query, who, expected) in [
                ("words=MILK", "alice", ["b", "a"]), ("words=milk&status=complete", "alice", ["b"]),
                ("words=%EC%9A%B0%EC%9C%A0", "alice", ["b"]), ("goal=g1", "alice", ["a"]),
                ("goal=", "alice", ["c", "b"]),
                ("from=2026-11-20&to=2026-11-20", "alice", ["c", "b", "a"]), ("to=2026-11-19", "alice", []),
                ("words=milk", "bob", ["a"]), ("status=todo", "bob", ["a"]), ("goal=", "bob", []),
            ] {
                let answer = try await gateway.ask("GET \(Self.search)?\(query)", as: who)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(ids(answer.body) == expected, "\(query) as \(who): \(answer.body)")
                // Who counts what is looked at counts what is hidden.
                #expect(answer.body.contains("looked") == (who == "alice"), "\(query) as \(who): \(answer.body)")
            }
            let part = try await gateway.ask("GET \(Self.search)?words=milk&limit=1", as: "alice").body
            #expect(ids(part) == ["b"] && part.contains(#""next":"20261120.b""#), "\(part)")
            let rest = try await gateway.ask("GET \(Self.search)?words=milk&after=20261120.b", as: "alice").body
            #expect(ids(rest) == ["a"] && !rest.contains("next"), "\(rest)")
        }
    }

    @Test("refuses what says nothing, or nothing that there is", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let long = String(repeating: "x", count: 201)
            for (query, text) in [
                ("", "say what to look for"), ("limit=9", "say what to look for"),
                ("words=", "words must be one or more"),
                ("words=%20", "words must be one or more"), ("words=\(long)", "at most 200 characters"),
                ("word=x", "'word' is not known here"), ("status=done", "status must be todo"),
                ("goal=a%20b", "goal must be the id of a goal"), ("from=today", "from must be a real day"),
                ("to=2026-02-30", "to must be a real day"),
                ("from=2026-11-21&to=2026-11-20", "from must not be later than to"),
                ("words=x&limit=101", "limit must be a whole number from 1 to 100"),
                ("words=x&after=x", "after must be"),
                ("words=x&after=20261120.a%20b", "after must be"), ("words=x&after=20261340.a", "after must be"),
            ] {
                let answer = try await gateway.ask("GET \(Self.search)?\(query)", as: "alice")
                #expect(answer.status == 422 && answer.body.contains(text), "\(query): \(answer.text)")
            }
            _ = try await gateway.ask("PATCH /v1/users/alice/profile", as: "alice", body: #"{"audience":"private"}"#)
            #expect(try await gateway.ask("GET \(Self.search)?words=x", as: "bob").status == 403)
            #expect(try await gateway.ask("GET \(Self.search)?words=x").status == 401)
        }
    }

    @Test("finds by command what others share, and says what is wrong")
    func command() async throws {
        try await withRedis { server in
            _ = try await server.todomate("goal", "set", "alice", "일 목록")
            _ = try await server.todomate(
                "add",
                "alice",
                "milk",
                "--id",
                "a1",
                "--goal",
                "일 목록",
                "--date",
                "2026-11-20"
            )
            _ = try await server.todomate(
                "add",
                "bob",
                "milk",
                "--id",
                "b1",
                "--visibility",
                "public",
                "--date",
                "2026-11-20"
            )
            _ = try await server.todomate("follow", "alice", "bob")
            _ = try await server.todomate("accept", "bob", "alice")
            #expect(try await server.todomate("search", "alice", "", "--goal", "일 목록", "--plain").output.contains("a1"))
            #expect(!(try await server.todomate("search", "alice", "milk", "--plain").output.contains("b1")))
            let shared = try await server.todomate("search", "alice", "milk", "--shared", "--plain").output
            #expect(shared.contains("a1") && shared.contains("b1"))
            for (words, reason) in [
                (["", "--plain"], "say what to look for"), (["milk", "--goal", "Nothing"], "has no goal 'Nothing'"),
                (["milk", "--from", "2026-11-21", "--to", "2026-11-20"], "--from must not be later than --to"),
                (["milk", "--from", "2026-11-21", "--month", "2026-11"], "give one of --month"),
                (["milk", "--from", "someday"], "'someday' is no day"), (["milk", "--status", "done"], "done"),
            ] {
                let refused = try await server.todomate(["search", "alice"] + words)
                #expect(refused.ending != .exit(0) && refused.errors.contains(reason), "\(words): \(refused.errors)")
            }
        }
    }
}
