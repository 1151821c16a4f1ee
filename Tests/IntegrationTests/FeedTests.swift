import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The feed", .serialized)
@LoopActor
struct FeedTests {
    private struct Page: Decodable {
        struct Item: Decodable, Equatable {
            var id: String
            var type: String
        }
        var items: [Item]
        var next: String?
    }

    private func say(_ gateway: any HTTPGateway, _ line: String, as uid: String, _ body: String? = nil) async throws {
        let answer = try await gateway.ask(line, as: uid, body: body)
        try #require([200, 201].contains(answer.status ?? 0), "\(line): \(answer.body)")
    }

    private func add(_ gateway: any HTTPGateway, _ id: String, _ visibility: String) async throws {
        let body = #"{"id":"\#(id)","content":"x","date":"\#(NoonZone.today)","visibility":"\#(visibility)"}"#
        try await say(gateway, "POST /v1/users/bob/todos", as: "bob", body)
    }

    private func page(_ gateway: any HTTPGateway, _ query: String) async throws -> Page {
        let answer = try await gateway.ask("GET /v1/users/alice/feed?\(NoonZone.query)\(query)", as: "alice")
        return try JSONDecoder().decode(Page.self, from: Data(answer.body.utf8))
    }

    private func befriend(_ gateway: any HTTPGateway) async throws {
        try await say(gateway, "PUT /v1/users/alice/following/bob", as: "alice")
        try await say(gateway, "PUT /v1/users/bob/followers/alice", as: "bob")
    }

    @Test(
        "tells the last time only that a todo was finished, also when it is read part by part",
        arguments: Backing.allCases
    )
    func parts(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await befriend(gateway)
            try await add(gateway, "b1", "followers")
            for status in ["complete", "todo", "complete"] {
                try await say(gateway, "PATCH /v1/users/bob/todos/b1", as: "bob", #"{"status":"\#(status)"}"#)
            }
            try await add(gateway, "b2", "followers")
            let whole = try await page(gateway, "")
            #expect(whole.items.map(\.type) == ["added", "finished", "added"] && whole.next == nil)
            var (items, next): ([Page.Item], String?) = ([], nil)
            repeat {
                let part = try await page(gateway, "&limit=1" + (next.map { "&before=\($0)" } ?? ""))
                items += part.items
                next = part.next
            } while next != nil && items.count < 10
            #expect(items == whole.items)
        }
    }

    @Test(
        "is that of one owner where one is named, as far as that owner lets the viewer see it",
        arguments: Backing.allCases
    )
    func ofOne(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await befriend(gateway)
            for (id, visibility) in [("b1", "followers"), ("b2", "private"), ("b3", "public")] {
                try await add(gateway, id, visibility)
            }
            try await say(gateway, "PATCH /v1/users/bob/todos/b1", as: "bob", #"{"status":"complete"}"#)
            let whole = try await page(gateway, "&owner=bob&since=0")
            #expect(whole.items.map(\.type) == ["finished", "added", "added"] && whole.next == nil)
            #expect(try await page(gateway, "&owner=bob").items == whole.items, "all of that was today")
            #expect(try await page(gateway, "&owner=bob&since=9007199254740991").items == [])
            for owner in ["alice", "nobody"] { #expect(try await page(gateway, "&owner=\(owner)").items == []) }
            var (items, next): ([Page.Item], String?) = ([], nil)
            repeat {
                let part = try await page(gateway, "&owner=bob&since=0&limit=2" + (next.map { "&before=\($0)" } ?? ""))
                items += part.items
                next = part.next
            } while next != nil && items.count < 10
            #expect(items == whole.items)
            // Who is not let in by the owner sees what anybody may see, and nobody asks in another's name.
            let other = try await gateway.ask("GET /v1/users/carol/feed?owner=bob&since=0", as: "carol").body
            #expect(!other.contains("b1") && !other.contains("b2"), "\(other)")
            try await say(gateway, "PUT /v1/users/bob/blocked/alice", as: "bob")
            #expect(try await page(gateway, "&owner=bob&since=0").items == [])
            for (query, status) in [
                ("since=0", 422), ("owner=b%20b", 422), ("owner=bob&since=-1", 422), ("owner=bob&since=1.5", 422),
                ("owner=bob&since=9007199254740992", 422), ("owner=bob&until=1", 422), ("owner=bob&before=1", 422),
                ("owner=bob&limit=101", 422), ("owner=", 422),
            ] {
                let answer = try await gateway.ask("GET /v1/users/alice/feed?\(query)", as: "alice")
                #expect(answer.status == status, "\(query): \(answer.text)")
            }
            #expect(try await gateway.ask("GET /v1/users/bob/feed?owner=bob", as: "alice").status == 403)
        }
    }

    @Test(
        "counts on the board what is counted when asked, however many private todos come in between",
        arguments: Backing.allCases
    )
    func counts(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await befriend(gateway)
            try await add(gateway, "shared", "followers")
            for number in 0..<201 { try await add(gateway, "own\(number)", "private") }
            let expected = #"{"today":0,"feed":1,"requests":0,"more":0}"#
            #expect(try await gateway.ask("GET /v1/users/alice/badges?\(NoonZone.query)", as: "alice").body == expected)
            let board = try BoardReader(gateway.port, "/v1/changes?users=alice&\(NoonZone.query)", as: "alice")
            try await eventually("the board counts the same") { board.lines.last == "badges \(expected)" }
        }
    }

    @Test("keeps the board's number right without asking Redis again at each change", arguments: RedisKind.allCases)
    func noReads(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await befriend(gateway)
            let board = try BoardReader(gateway.port, "/v1/changes?users=alice&\(NoonZone.query)", as: "alice")
            @LoopActor func counts(_ number: Int) async throws {
                let expected = #"{"today":0,"feed":\#(number),"requests":0,"more":0}"#
                try await eventually("the board counts \(number)") { board.lines.last == "badges \(expected)" }
            }
            try await add(gateway, "b0", "followers")
            try await counts(1)
            try await server.cli("CONFIG", "SET", "slowlog-log-slower-than", "0", "slowlog-max-len", "100000")
            try await server.cli("SLOWLOG", "RESET")
            for number in 1...5 {
                try await add(gateway, "b\(number)", "followers")
                try await counts(1 + number)
            }
            try await say(gateway, "PATCH /v1/users/bob/todos/b1", as: "bob", #"{"status":"complete"}"#)
            try await counts(7)
            try await say(gateway, "PATCH /v1/users/bob/todos/b1", as: "bob", #"{"status":"todo"}"#)
            try await counts(6)
            try await say(gateway, "PATCH /v1/users/bob/todos/b2", as: "bob", #"{"visibility":"private"}"#)
            try await counts(5)
            // The first reading may have been under way when the first todo came, and is then repeated.
            let before = try await reads(server)
            #expect(before <= 1)
            // Whose todo comes to light has to be asked for.
            try await say(gateway, "PATCH /v1/users/bob/todos/b2", as: "bob", #"{"visibility":"followers"}"#)
            try await counts(6)
            #expect(try await reads(server) > before)
        }
    }

    /// How often a feed was read since `CONFIG SET slowlog-log-slower-than 0`.
    private func reads(_ server: any TestRedis) async throws -> Int {
        try await server.cli("SLOWLOG", "GET", "-1").components(separatedBy: "todomate_events\n").count - 1
    }
}
