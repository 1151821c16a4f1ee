import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// What the page does when it is opened: it reads the user's list, and has the stream go on from there.
@Suite("A stream that goes on from a list", .serialized)
@LoopActor
struct ListThenStreamTests {
    @Test(
        "begins with what has changed since the list, of one's own account too, and with snapshots of others",
        arguments: Backing.allCases
    )
    func goesOn(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.write("PUT /v1/users/alice/following/bob", as: "alice")
            try await gateway.write("PUT /v1/users/bob/followers/alice", as: "bob")
            try await gateway.add("bob", "of bob", id: "b1")
            try await gateway.add("alice", "listed", id: "a1")
            let list = try await gateway.latest(of: "alice")
            try await gateway.add("alice", "since", id: "a2")
            try await gateway.write("PUT /v1/users/alice/blocked/carol", as: "alice")
            let board = try BoardReader(gateway.port, "/v1/changes?users=alice,bob&since=\(list)", as: "alice")
            try await eventually("all is there") { board.lines.count == 3 }
            #expect(
                board.lines.sorted() == [
                    "added alice: since", "relation carol none none", "snapshot bob followers: of bob",
                ]
            )
            try await gateway.add("alice", "live", id: "a3")
            try await board.expect("added alice: live")
        }
    }

    @Test("begins with a snapshot where the id is not of the user's log, or not of their own todos")
    func unknown() async throws {
        try await withGateways(on: .redis) { gateways in
            let gateway = gateways[0]
            try await gateway.add("alice", "there", id: "a1")
            try await gateway.write("PATCH /v1/users/bob/profile", as: "bob", #"{"audience":"public"}"#)
            try await gateway.add("bob", "of bob", id: "b1", visibility: .public)
            for since in ["9-1763677123456789", "0-1", "1-1"] {
                let board = try BoardReader(gateway.port, "/v1/changes?users=alice&since=\(since)", as: "alice")
                try await board.expect("snapshot alice own: there")
            }
            let others = try await gateway.latest(of: "bob")
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob&since=\(others)", as: "alice")
            try await board.expect("snapshot bob public: of bob")
        }
    }

    @Test("is compressed for those who take that, where it is neither short nor long")
    func compressed() async throws {
        try await withGateways(on: .redis) { gateways in
            let gateway = gateways[0]
            let list = "GET /v1/users/alice/todos"
            let bearer = try GatewayProcess.bearer("alice")
            try await gateway.add("alice", "short", id: "a1")
            #expect(try await gateway.ask(list, bearer, "Accept-Encoding: gzip").fields("Content-Encoding") == [])
            for number in 2...20 { try await gateway.add("alice", "longer", id: "a\(number)") }
            let plain = try await gateway.ask(list, bearer)
            #expect(plain.fields("Content-Encoding") == [] && plain.fields("Vary").contains("Accept-Encoding"))
            let packed = try await gateway.ask(list, bearer, "Accept-Encoding: br, gzip")
            #expect(packed.fields("Content-Encoding") == ["gzip"])
            let lengths = [plain, packed].map { Int($0.fields("Content-Length").first ?? "") ?? 0 }
            #expect(lengths[1] > 0 && lengths[1] * 3 < lengths[0], "\(lengths)")
            let refused = try await gateway.ask(list, bearer, "Accept-Encoding: gzip;q=0")
            #expect(refused.fields("Content-Encoding") == [])
        }
    }
}
