import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// A pair's history, and what an open board says of the owner after each of its steps.
private struct History: CustomTestStringConvertible {
    var testDescription: String
    /// Who asks for what, and the last line about bob then.
    var steps: [(who: String, line: String, last: String)]

    private static let public_ = "snapshot bob public: for all"
    private static let followers = "snapshot bob followers: for all, for followers"

    static let all = [
        History(
            testDescription: "unfollow",
            steps: [("alice", "DELETE /v1/users/alice/following/bob", public_)]
        ),
        History(
            testDescription: "block and unblock by the viewer",
            steps: [
                ("alice", "PUT /v1/users/alice/blocked/bob", "closed bob"),
                ("alice", "DELETE /v1/users/alice/blocked/bob", public_),
            ]
        ),
        History(
            testDescription: "block and unblock by the owner",
            steps: [
                ("bob", "PUT /v1/users/bob/blocked/alice", "closed bob"),
                ("bob", "DELETE /v1/users/bob/blocked/alice", public_),
            ]
        ),
        History(
            testDescription: "block by both, unblock by one after the other",
            steps: [
                ("alice", "PUT /v1/users/alice/blocked/bob", "closed bob"),
                ("bob", "PUT /v1/users/bob/blocked/alice", "closed bob"),
                ("alice", "DELETE /v1/users/alice/blocked/bob", "closed bob"),
                ("bob", "DELETE /v1/users/bob/blocked/alice", public_),
            ]
        ),
        History(
            testDescription: "unfollow, ask again and be accepted",
            steps: [
                ("alice", "DELETE /v1/users/alice/following/bob", public_),
                ("alice", "PUT /v1/users/alice/following/bob", public_),
                ("bob", "PUT /v1/users/bob/followers/alice", followers),
            ]
        ),
        History(
            testDescription: "be removed, ask again and be accepted",
            steps: [
                ("bob", "DELETE /v1/users/bob/followers/alice", public_),
                ("alice", "PUT /v1/users/alice/following/bob", public_),
                ("bob", "PUT /v1/users/bob/followers/alice", followers),
            ]
        ),
        History(
            testDescription: "block, unblock, ask again and be accepted",
            steps: [
                ("alice", "PUT /v1/users/alice/blocked/bob", "closed bob"),
                ("alice", "DELETE /v1/users/alice/blocked/bob", public_),
                ("alice", "PUT /v1/users/alice/following/bob", public_),
                ("bob", "PUT /v1/users/bob/followers/alice", followers),
            ]
        ),
    ]
}

@Suite("An open board shows what a new one does", .serialized)
@LoopActor
struct ShareHistoryTests {
    private func add(_ gateway: any HTTPGateway, _ id: String, _ content: String, _ visibility: Visibility) async throws
    {
        try await gateway.add("bob", content, id: id, visibility: visibility)
    }

    private func befriend(_ gateway: any HTTPGateway) async throws {
        #expect(try await gateway.ask("PUT /v1/users/alice/following/bob", as: "alice").status == 200)
        #expect(try await gateway.ask("PUT /v1/users/bob/followers/alice", as: "bob").status == 200)
    }

    /// The last that a board says of bob.
    private func last(_ board: BoardReader) -> String? {
        board.lines.last { $0.hasPrefix("snapshot bob") || $0 == "closed bob" }
    }

    @Test("after each step between two people", arguments: History.all, Backing.allCases)
    fileprivate func history(_ history: History, _ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let (gateway, other) = (gateways[0], gateways[1])
            try await befriend(gateway)
            try await add(gateway, "b1", "for all", .public)
            try await add(gateway, "b2", "for followers", .followers)
            try await add(gateway, "b3", "unutterable", .private)
            let boards = try [gateway, other].map { try BoardReader($0.port, "/v1/changes?users=bob", as: "alice") }
            for board in boards { try await board.expect("snapshot bob followers: for all, for followers") }
            for step in history.steps {
                #expect(try await gateway.ask(step.line, as: step.who).status == 200)
                for board in boards {
                    try await eventually("\(step.line): \(step.last)") { last(board) == step.last }
                    if last(board) != step.last { print(board.lines) }
                }
                let fresh = try BoardReader(other.port, "/v1/changes?users=bob", as: "alice")
                try await eventually("a new board has begun") { !fresh.events.isEmpty }
                #expect(fresh.lines.first == step.last, "\(step.line)")
                fresh.close()
            }
            // Whoever is shown anything goes on live; nobody is told of anything twice.
            try await add(gateway, "b4", "later", .public)
            for board in boards where last(board) != "closed bob" { try await board.expect("added bob: later") }
            for board in boards {
                #expect(!board.text.contains("unutterable"))
                let told = board.lines.filter { $0.hasPrefix("snapshot bob") || $0 == "closed bob" }
                let steps = [told.first ?? ""] + history.steps.map(\.last)
                #expect(told == zip(steps, [""] + steps).filter { $0 != $1 }.map(\.0), "nothing is told twice")
            }
        }
    }

    @Test("to who has blocked the owner: nothing, at every door, also after coming back", arguments: Backing.allCases)
    func blocker(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await add(gateway, "b1", "for all", .public)
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice")
            let single = try BoardReader(gateway.port, "/v1/users/bob/changes", as: "alice")
            try await board.expect("snapshot bob public: for all")
            try await eventually("the other stream is open too") { !single.events.isEmpty }
            let cursor = try #require(board.cursor)
            #expect(try await gateway.ask("PUT /v1/users/alice/blocked/bob", as: "alice").status == 200)
            try await board.expect("closed bob")
            try await eventually("the other stream ended") { single.isEnded }
            try await add(gateway, "b2", "unutterable", .public)
            for since in [nil, cursor, board.cursor] {
                let again = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice", since: since)
                try await again.expect("closed bob")
                #expect(again.lines == ["closed bob"])
            }
            let reaction = #"{"emoji":"👍"}"#
            for (line, body, status) in [
                ("GET /v1/users/bob/todos", nil, 403), ("GET /v1/users/bob/todos/b2", nil, 403),
                ("GET /v1/users/bob/changes", nil, 403), ("GET /v1/users/bob/todos/b2/reactions", nil, 404),
                ("PUT /v1/users/bob/todos/b2/reactions/alice", reaction, 404),
            ] {
                let answer = try await gateway.ask(line, as: "alice", body: body)
                #expect(answer.status == status && !answer.text.contains("unutterable"), "\(line): \(answer.text)")
            }
            #expect(!board.text.contains("unutterable"))
            #expect(try await gateway.ask("DELETE /v1/users/alice/blocked/bob", as: "alice").status == 200)
            try await board.expect("snapshot bob public: for all, unutterable")
        }
    }

    @Test(
        "to who left: no more than strangers see, at every door, though the owner's side has not heard of it",
        arguments: RedisKind.allCases
    )
    func leaver(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await befriend(gateway)
            try await add(gateway, "b1", "for all", .public)
            try await add(gateway, "b2", "unutterable", .followers)
            let single = try BoardReader(gateway.port, "/v1/users/bob/changes", as: "alice")
            try await eventually("the stream is open") { !single.events.isEmpty }
            // As when whoever said so died right after.
            _ = try await server.call("todomate_unfollow", "alice", "bob")
            try await eventually("the stream ended") { single.isEnded }
            let reaction = #"{"emoji":"👍"}"#
            for (line, body, status) in [
                ("GET /v1/users/bob/todos", nil, 200), ("GET /v1/users/bob/todos/b1", nil, 200),
                ("GET /v1/users/bob/todos/b2", nil, 404), ("GET /v1/users/bob/todos/b2/reactions", nil, 404),
                ("PUT /v1/users/bob/todos/b2/reactions/alice", reaction, 404),
                ("PUT /v1/users/bob/todos/b1/reactions/alice", reaction, 200),
            ] {
                let answer = try await gateway.ask(line, as: "alice", body: body)
                #expect(answer.status == status && !answer.text.contains("unutterable"), "\(line): \(answer.text)")
            }
            #expect(try await server.call("todomate_access", "bob", "alice").contains("followers"), "not heard yet")
            let again = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice")
            try await again.expect("snapshot bob public: for all")
        }
    }

    @Test(
        "to who comes back with a place from before, though nothing in the owner's log tells of the change",
        arguments: RedisKind.allCases
    )
    func resume(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await befriend(gateway)
            try await add(gateway, "b1", "for all", .public)
            try await add(gateway, "b2", "for followers", .followers)
            @LoopActor
            func stream(_ place: String?) throws -> BoardReader {
                try BoardReader(gateway.port, "/v1/users/bob/changes", as: "alice", since: place)
            }
            let first = try stream(nil)
            try await eventually("it has begun") { first.shown == ["for all", "for followers"] }
            // As when whoever said so died right after: bob's side has not heard.
            _ = try await server.call("todomate_unfollow", "alice", "bob")
            try await eventually("it ended") { first.isEnded }
            let second = try stream(first.cursor)
            try await eventually("it begins anew") { second.shown == ["for all"] }
            #expect(try await gateway.ask("PUT /v1/users/alice/following/bob", as: "alice").status == 200)
            try await eventually("it ended as well") { second.isEnded }
            let third = try stream(second.cursor)
            try await eventually("it begins anew once more") { third.shown == ["for all", "for followers"] }
            third.close()
            // Where nothing has changed, nothing is told again; a change id alone is no place.
            try await add(gateway, "b3", "later", .public)
            let fourth = try stream(third.cursor)
            try await eventually("what was missed comes") { fourth.events.map(\.name) == ["added"] }
            let id = try #require(fourth.cursor?.prefixMatch(of: /\d+-\d+/)).0
            let fifth = try stream(String(id))
            try await eventually("it begins") { fifth.events.map(\.name) == ["snapshot"] }
        }
    }

    @Test(
        "to who was told that a share has ended, and comes back when it is open again: a snapshot, not the changes alone",
        arguments: Backing.allCases
    )
    func closedMeanwhile(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await add(gateway, "b1", "for all", .public)
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob,alice", as: "alice")
            try await eventually("both are there") { board.events.count >= 2 }
            // Neither leaves a trace in the owner's log, and strangers see afterwards what they saw before.
            let blocked = try await gateway.ask("PUT /v1/users/alice/blocked/bob", as: "alice")
            #expect(blocked.status == 200)
            try await eventually("it is closed") { board.lines.contains("closed bob") }
            let cursor = try #require(board.cursor)
            board.close()
            let unblocked = try await gateway.ask("DELETE /v1/users/alice/blocked/bob", as: "alice")
            #expect(unblocked.status == 200)
            try await add(gateway, "b2", "later", .public)
            let again = try BoardReader(gateway.port, "/v1/changes?users=bob,alice", as: "alice", since: cursor)
            try await eventually("later is there") { again.text.contains("later") }
            let ofBob = again.lines.filter { $0.hasPrefix("snapshot bob") || $0.contains(" bob:") }
            #expect(ofBob == ["snapshot bob public: for all, later"])
        }
    }
}
