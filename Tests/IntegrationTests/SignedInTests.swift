import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("Where somebody is signed in, over HTTP", .serialized)
@LoopActor
struct SignedInTests {
    /// What the list tells of a session.
    private struct Entry: Decodable {
        var id: String
        var kind: String
        var made: Date
        var expires: Date
        var from: String?
        var device: String?
        var name: String?
        var lastUsed: Date?
        var isCurrent: Bool
    }

    private struct List: Decodable { var sessions: [Entry] }

    private static let path = "/v1/users/alice/sessions"
    private static let firefox = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

    private func list(_ gateway: any HTTPGateway, _ client: SignedInClient) async throws -> [Entry] {
        let answer = try await gateway.ask("GET \(Self.path)", client.cookie)
        #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"])
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(List.self, from: Data(answer.body.utf8)).sessions
    }

    @Test("is listed, with the one that asks and when each was used", arguments: Backing.allCases)
    func lists(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.giveAccount("alice")
            let body = JSONObject(["user": "alice", "password": GatewayProcess.password]).text
            let here = try gateway.client(in: try await gateway.ask("POST /v1/session", Self.firefox, body: body))
            let there = try await gateway.signIn("alice")
            let entries = try await list(gateway, here)
            #expect(entries.map(\.isCurrent).count { $0 } == 1)
            let own = try #require(entries.first { $0.isCurrent })
            #expect(own.id == here.token.id && own.kind == "sign-in" && own.device == "Firefox on Linux")
            #expect(own.from == "127.0.0.0/24" && own.made < own.expires)
            #expect(Set(entries.map(\.id)) == [here.token.id, there.token.id])
            try await eventually("the use is noted") {
                try await list(gateway, here).first(where: \.isCurrent)?.lastUsed != nil
            }
            #expect(
                try await list(gateway, here).first { !$0.isCurrent }?.lastUsed == nil,
                "the other one was not used"
            )
        }
    }

    @Test("ends elsewhere, in a moment and with what is open there", arguments: Backing.allCases)
    func ends(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            try await gateways[0].giveAccount("alice")
            let here = try await gateways[0].signIn("alice")
            let there = try await gateways[1].signIn("alice")
            let third = try await gateways[1].signIn("alice")
            let stream = try RawConnection(port: gateways[1].port)
            stream.send("GET /v1/users/alice/changes HTTP/1.1\r\nHost: h\r\n\(there.bearer[0])\r\n\r\n")
            try await eventually("it is open") { stream.text.contains("event: snapshot") }
            let ended = try await gateways[0].ask("DELETE \(Self.path)/\(there.token.id)", here.cookie)
            #expect(ended.status == 204)
            try await eventually("the stream has ended") { stream.isEnded }
            try await eventually("it opens nothing") {
                try await gateways[1].ask("GET /v1/users/alice/todos", there.bearer).status == 401
            }
            let again = try await gateways[0].ask("DELETE \(Self.path)/\(there.token.id)", here.cookie)
            #expect(again.status == 404 && again.isProblem)
            #expect(try await gateways[1].ask("GET /v1/users/alice/todos", third.bearer).status == 200)
            let others = try await gateways[0].ask("DELETE \(Self.path)", here.cookie)
            #expect(others.status == 200 && others.body == #"{"ended":1}"#)
            try await eventually("the others open nothing") {
                try await gateways[1].ask("GET /v1/users/alice/todos", third.bearer).status == 401
            }
            for gateway in gateways {
                #expect(try await gateway.ask("GET /v1/users/alice/todos", here.bearer).status == 200)
            }
        }
    }

    @Test("is told to whoever is signed in elsewhere, and not to programs", arguments: Backing.allCases)
    func tells(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            for uid in ["alice", "bob"] { try await gateways[0].giveAccount(uid) }
            let (here, bob) = (try await gateways[0].signIn("alice"), try await gateways[0].signIn("bob"))
            let wish = #"{"name":"a script","scope":"write","days":1}"#
            let program = try gateways[0].client(
                in: try await gateways[0].ask("POST /v1/users/alice/tokens", here.cookie, body: wish)
            )
            let streams = try [here, program, bob].map { client in
                let stream = try RawConnection(port: gateways[0].port)
                let target = "/v1/changes?users=\(client.token.uid)"
                stream.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(client.bearer[0])\r\n\r\n")
                return stream
            }
            for stream in streams { try await eventually("it is open") { stream.text.contains("event: snapshot") } }
            let there = try await gateways[1].signIn("alice")
            let event = "event: session\ndata: {\"begun\":\"\(there.token.id)\"}\n\n"
            try await eventually("it is told") { streams[0].text.contains(event) }
            // A token is told as well, but not to who has made it.
            var begun: [String] = []
            for (gateway, maker) in [(gateways[0], here), (gateways[1], there)] {
                let answer = try await gateway.ask("POST /v1/users/alice/tokens", maker.cookie, body: wish)
                begun.append("{\"begun\":\"\(try gateways[0].client(in: answer).token.id)\"}")
            }
            try await eventually("a token is told") { streams[0].text.contains(begun[1]) }
            let list = try await gateways[0].ask("GET /v1/users/alice/sessions", here.cookie).body
            #expect(
                list.matches(of: /"kind":"token","made":"[^"]+","expires":"[^"]+","from":"127.0.0.0\/24"/).count == 3
            )
            // What comes later has come, so what did not come before does not come.
            for (stream, uid) in zip(streams, ["alice", "alice", "bob"]) {
                let line = "POST /v1/users/\(uid)/todos"
                let client = uid == "alice" ? here : bob
                let body = "{\"content\":\"later\",\"date\":\"2026-11-20\"}"
                #expect(try await gateways[0].ask(line, client.bearer, body: body).status == 201)
                try await eventually("it goes on") { stream.text.contains("later") }
            }
            #expect(!streams[0].text.contains(begun[0]), "who made it knows")
            #expect(!streams[1].text.contains("event: session") && !streams[2].text.contains("event: session"))
        }
    }

    @Test("is for the owner alone", arguments: Backing.allCases)
    func refuses(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            for (who, fields, status) in [
                ("nobody", [], 401), ("bob", bob.cookie, 403),
                ("the page of another site", [alice.cookie[0], "Origin: https://evil.example"], 403),
            ] {
                for line in ["DELETE \(Self.path)", "DELETE \(Self.path)/\(alice.token.id)"] {
                    #expect(try await gateway.ask(line, fields).status == status, "\(who): \(line)")
                }
            }
            for (fields, status) in [([], 401), (bob.cookie, 403)] {
                let answer = try await gateway.ask("GET \(Self.path)", fields)
                #expect(answer.status == status && !answer.body.contains(alice.token.id))
            }
            // The id of somebody else's session is nobody's here.
            let foreign = try await gateway.ask("DELETE /v1/users/bob/sessions/\(alice.token.id)", bob.cookie)
            #expect(foreign.status == 404)
            for id in ["x", "%20", "..%2F", String(repeating: "A", count: 500), "%22%7D"] {
                let answer = try await gateway.ask("DELETE \(Self.path)/\(id)", alice.cookie)
                #expect(answer.status == 404, "\(id.prefix(10))")
            }
            #expect(try await gateway.ask("GET \(Self.path)?x=1", alice.cookie).status == 422)
            #expect(try await gateway.ask("GET /v1/users/alice/todos", alice.cookie).status == 200)
        }
    }
}
