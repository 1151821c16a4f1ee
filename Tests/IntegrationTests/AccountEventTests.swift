import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("What happened to an account, over HTTP and in the terminal", .serialized)
@LoopActor
struct AccountEventTests {
    private static let path = "/v1/users/alice/events"

    private struct List: Decodable {
        struct Entry: Decodable {
            var at: Date
            var kind: String
            var from: String?
            var name: String?
            var audience: String?
        }

        var events: [Entry]
    }

    private func events(_ gateway: any HTTPGateway, _ client: SignedInClient) async throws -> [List.Entry] {
        let answer = try await gateway.ask("GET \(Self.path)", client.cookie)
        #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"])
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(List.self, from: Data(answer.body.utf8)).events
    }

    @Test("is told to its owner", arguments: Backing.allCases)
    func lists(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            for user in ["alice", "alice", "nobody-\(GatewayProcess.unutterable)"] {
                let body = JSONObject(["user": user, "password": "wrong \(GatewayProcess.unutterable)"]).text
                #expect(try await gateway.ask("POST /v1/session", body: body).status == 401)
            }
            let wish = #"{"name":"a script","scope":"read","days":1}"#
            let token = try gateway.client(
                in: try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: wish)
            )
            try await gateway.write("DELETE /v1/users/alice/sessions/\(token.token.id)", with: alice.cookie)
            let profile = try await gateway.ask(
                "PATCH /v1/users/alice/profile",
                alice.cookie,
                body: #"{"audience":"private"}"#
            )
            #expect(profile.status == 200)
            try await eventually("the wrong password is told") {
                try await events(gateway, alice).contains { $0.kind == "refused" }
            }
            let all = try await events(gateway, alice)
            #expect(all.count { $0.kind == "refused" } == 1, "once a minute at most")
            #expect(all.first { $0.kind == "refused" }?.from == "127.0.0.0/24")
            let others = all.filter { $0.kind != "refused" && $0.kind != "password-changed" }
            // The backing in memory has an account before, which was made for a token.
            #expect(
                others.prefix(4).map(\.kind) == ["audience-changed", "token-ended", "token-made", "sign-in"]
            )
            #expect(others[0].audience == "private" && others[1].name == "a script")
            let text = try await gateway.ask("GET \(Self.path)", alice.cookie).body
            #expect(!text.contains(GatewayProcess.unutterable) && !text.contains(token.text))
            #expect(try await events(gateway, alice).map(\.at) == all.map(\.at), "reading is no event")
            for (fields, status) in [([], 401), (bob.cookie, 403), (token.bearer, 403)] {
                let answer = try await gateway.ask("GET \(Self.path)", fields)
                #expect(answer.status == status && !answer.body.contains("sign-in"))
            }
            #expect(try await gateway.ask("GET \(Self.path)?x=1", alice.cookie).status == 422)
        }
    }

    @Test("is told by the command as well", arguments: RedisKind.allCases)
    func command(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let nobody = try await server.todomate("user", "events", "alice")
            #expect(nobody.ending == .exit(65) && nobody.errors.contains("user add alice"))
            _ = try await server.todomate("library", "load")
            #expect(try await server.call("todomate_enroll", "alice", GatewayProcess.passwordHash) == "1")
            _ = try await server.call("todomate_refused", "alice", "192.0.2.0/24")
            let draft = #"{"id":"Zm9vYmFyYmF6cXV4cXV1eA","kind":"token","seconds":60,"name":"a script","scope":"feed"}"#
            _ = try await server.call("todomate_begin_session", "alice", draft)
            let lines = try await server.todomate("user", "events", "alice")
            #expect(lines.ending == .exit(0), "\(lines.errors)")
            let words = lines.output.split(separator: "\n").map {
                $0.split(separator: " ").dropFirst().joined(separator: " ")
            }
            #expect(words == ["token-made a script feed Zm9vYmFy", "refused 192.0.2.0/24"])
            let json = try await server.todomate("user", "events", "alice", "--json")
            #expect(
                json.output.contains(
                    #""kind":"token-made","session":"Zm9vYmFyYmF6cXV4cXV1eA","name":"a script","scope":"feed"}"#
                )
            )
            for bad in ["", "x y", String(repeating: "1", count: 65), "\"}"] {
                let answer = try await server.call("todomate_refused", "alice", bad)
                #expect(answer.contains("TODOMATE_INVALID"), "\(answer)")
            }
            // What somebody else has put there is left out.
            _ = try await server.cli("XADD", "todomate:{alice}:events", "*", "other", "x")
            _ = try await server.cli("XADD", "todomate:{alice}:events", "*", "event", "no JSON")
            let after = try await server.todomate("user", "events", "alice")
            #expect(after.ending == .exit(0) && after.output == lines.output)
        }
    }
}
