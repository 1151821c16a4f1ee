import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("Who tries to see on a board what they may not", .serialized)
@LoopActor
struct BoardAttackTests {
    /// Returns the id of the first change.
    @discardableResult
    private func prepare(_ gateway: any HTTPGateway) async throws -> ChangeID {
        try await gateway.add("bob", GatewayProcess.unutterable, id: "followers", visibility: .followers)
        let first = try await gateway.latest(of: "bob")
        try await gateway.add("bob", GatewayProcess.unutterable, id: "private", visibility: .private)
        try await gateway.add("bob", "open", id: "o", visibility: .public)
        return first
    }

    @Test("gets nothing by naming themselves as somebody else, in any place", arguments: Backing.allCases)
    func names(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await prepare(gateway)
            let paths = [
                "GET following", "GET followers", "GET followers?state=blocked", "GET feed", "GET badges",
                "PUT following/carol", "DELETE following/carol", "PUT followers/alice", "DELETE followers/carol",
                "PUT blocked/carol", "DELETE blocked/alice", "PUT todos/o/reactions/bob",
                "DELETE todos/o/reactions/bob",
            ]
            for path in paths {
                let line = path.replacing(" ", with: " /v1/users/bob/")
                let body = path.contains("PUT todos") ? #"{"emoji":"👍"}"# : nil
                let answer = try await gateway.ask(line, as: "alice", body: body)
                #expect(answer.status == 403 && answer.isProblem, "\(line): \(answer.text)")
            }
            let settings = #"{"audience":"public"}"#
            #expect(try await gateway.ask("PATCH /v1/users/bob/profile", as: "alice", body: settings).status == 403)
            #expect(
                try await gateway.ask("PUT /v1/users/bob/feed/seen", as: "alice", body: #"{"seen":1}"#).status == 403
            )
            for path in ["users/bob/todos", "users/bob/todos/private", "users/bob/changes", "changes?users=bob"] {
                let sign = path.contains("?") ? "&" : "?"
                let answer = try await gateway.ask("GET /v1/\(path)\(sign)viewer=bob", as: "alice")
                #expect(answer.status == 403 && !answer.text.contains(GatewayProcess.unutterable))
            }
            let profile = try await gateway.ask("GET /v1/users/bob/profile", as: "alice")
            #expect(profile.body == #"{"uid":"bob","audience":"followers"}"#)
            #expect(try await gateway.latest(of: "bob").version == 3, "nothing was written")
        }
    }

    @Test("gets nothing by a cursor that claims more than they may see", arguments: Backing.allCases)
    func cursors(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let id = try await prepare(gateway)
            let latest = try await gateway.latest(of: "bob")
            for access in [Access.own, .followers, .public] {
                for place in [ChangeID.zero, id, latest] {
                    var cursor = BoardCursor(users: ["bob"])
                    cursor.set(0, access, place)
                    let text = String(decoding: cursor.text, as: UTF8.self)
                    let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice", since: text)
                    let stream = try BoardReader(gateway.port, "/v1/users/bob/changes", as: "alice", since: "\(place)")
                    let body = #"{"content":"\#(access) \#(place)"}"#
                    try await gateway.write("PATCH /v1/users/bob/todos/o", as: "bob", body)
                    for reader in [board, stream] {
                        try await eventually("it is told") { reader.text.contains("\(access) \(place)") }
                        #expect(
                            !reader.text.contains(GatewayProcess.unutterable) && !reader.text.contains("\"private\"")
                        )
                        reader.close()
                    }
                }
            }
        }
    }

    @Test("gets nothing by messages that say they follow, published by hand", arguments: RedisKind.allCases)
    func forged(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await prepare(gateway)
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice")
            try await board.expect("snapshot bob public: open")
            let relation =
                #""type":"relation","relation":{"uid":"bob","with":"alice","following":"none","follower":"following","blocked":false}}"#
            let next = "4-\(Int(Date().timeIntervalSince1970 * 1_000_000) + 60_000_000)"
            for message in [
                #"{\#(relation)"#, #"{"id":"4-1",\#(relation)"#, #"{"id":"9-9999999999999999",\#(relation)"#,
                #"{"id":"\#(next)",\#(relation)"#,
            ] {
                try await server.publish(Array(message.utf8), to: "bob")
            }
            _ = try await server.call("todomate_update", "bob", "private", #"{"detail":"more"}"#)
            _ = try await server.call("todomate_update", "bob", "o", #"{"content":"later"}"#)
            try await eventually("what is open is told") { board.text.contains("later") }
            #expect(!board.text.contains(GatewayProcess.unutterable))
        }
    }

    @Test("learns from a refusal only that there is one", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await prepare(gateway)
            try await gateway.write("PATCH /v1/users/carol/profile", as: "carol", #"{"audience":"private"}"#)
            try await gateway.write("PUT /v1/users/dave/blocked/alice", as: "dave")
            var texts: Set<String> = []
            for owner in ["carol", "dave"] {
                for line in [
                    "PUT /v1/users/alice/following/\(owner)", "GET /v1/users/\(owner)/todos",
                    "GET /v1/users/\(owner)/profile",
                ] {
                    texts.insert(try await gateway.ask(line, as: "alice").body.replacing(owner, with: "X"))
                }
            }
            #expect(texts.count == 3, "private and blocked look the same: \(texts)")
            try await gateway.add("dave", "x", id: "there", visibility: .public)
            let there = try await gateway.ask("GET /v1/users/dave/todos/there", as: "alice")
            let nowhere = try await gateway.ask("GET /v1/users/dave/todos/nowhere", as: "alice")
            #expect(there.status == 403 && there.body == nowhere.body, "who is blocked learns of no todo there is")
            let hidden = try await gateway.ask("GET /v1/users/bob/todos/private", as: "alice")
            let missing = try await gateway.ask("GET /v1/users/bob/todos/missing", as: "alice")
            #expect(hidden.body == missing.body.replacing("missing", with: "private") && hidden.status == 404)
        }
    }
}
