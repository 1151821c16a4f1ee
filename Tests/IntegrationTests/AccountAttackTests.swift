import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

extension AttackTests {
    /// What mallory tries about alice's account, with whatever came into mallory's hands.
    enum AccountAttack: String, CaseIterable, Sendable {
        case fixation, foreignOrigin, noOrigin, sessionOfOther, listOfOther, tokenMakesToken, tokenEndsSessions
        case tokenChangesPassword, tokenReadsEvents, oldGeneration, endedToken, endedStream, headOfAccount
    }

    @Suite("Accounts that are attacked by those who hold something of them", .serialized)
    @LoopActor
    struct AccountAttackTests {
        private static let wish = #"{"name":"evil","scope":"write","days":30}"#
        private static let change = JSONObject(["current": GatewayProcess.password, "password": "evil password"]).text

        @Test("change nothing", arguments: Backing.dealt(AccountAttack.allCases))
        func attack(_ attack: AccountAttack, _ backing: Backing) async throws {
            try await withGateways(on: backing) { gateways in
                let gateway = gateways[0]
                for uid in ["alice", "mallory"] { try await gateway.giveAccount(uid) }
                let (alice, mallory) = (try await gateway.signIn("alice"), try await gateway.signIn("mallory"))
                let made = try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: Self.wish)
                let token = try gateway.client(in: made)
                try await run(attack, gateway, alice: alice, mallory: mallory, token: token)
                guard attack != .oldGeneration else { return }
                // Alice is who she was, and with the same password.
                #expect(try await gateway.ask("GET /v1/users/alice/sessions", alice.cookie).status == 200)
                _ = try await gateway.signIn("alice")
            }
        }

        private func run(
            _ attack: AccountAttack,
            _ gateway: any HTTPGateway,
            alice: SignedInClient,
            mallory: SignedInClient,
            token: SignedInClient
        ) async throws {
            let account = "/v1/users/alice"
            let evil = [alice.cookie[0], "Origin: https://evil.example"]
            switch attack {
            case .fixation:
                // Who signs in with a cookie of mallory's choice gets another one, and that one stays mallory's.
                let body = JSONObject(["user": "alice", "password": GatewayProcess.password]).text
                let answer = try await gateway.ask("POST /v1/session", mallory.cookie, body: body)
                let after = try gateway.client(in: answer)
                #expect(after.token.id != mallory.token.id && after.token.uid == "alice")
                let who = try await gateway.ask("GET /v1/session", mallory.bearer)
                #expect(who.body.contains("mallory") && !who.body.contains("alice"))
                #expect(try await gateway.ask("GET \(account)/sessions", mallory.cookie).status == 403)
            case .foreignOrigin, .noOrigin:
                for (line, body) in [
                    ("POST \(account)/password", Self.change), ("POST \(account)/tokens", Self.wish),
                    ("DELETE \(account)/sessions", nil), ("DELETE \(account)/sessions/\(alice.token.id)", nil),
                ] {
                    let fields = attack == .noOrigin ? [alice.cookie[0]] : evil
                    let answer = try await gateway.ask(line, fields, body: body)
                    #expect(answer.status == 403 && answer.fields("Set-Cookie").isEmpty, "\(line)")
                }
                #expect(try await gateway.ask("GET \(account)/events", evil).status == 403)
            case .sessionOfOther:
                for line in [
                    "DELETE /v1/users/mallory/sessions/\(alice.token.id)",
                    "DELETE /v1/users/mallory/sessions/\(token.token.id)",
                ] {
                    #expect(try await gateway.ask(line, mallory.cookie).status == 404)
                }
                #expect(try await gateway.ask("DELETE /v1/users/mallory/sessions", mallory.cookie).status == 200)
                #expect(try await gateway.ask("GET \(account)/todos", token.bearer).status == 200)
            case .listOfOther:
                for (line, body) in [
                    ("GET \(account)/sessions", nil), ("GET \(account)/events", nil),
                    ("DELETE \(account)/sessions", nil),
                    ("POST \(account)/tokens", Self.wish), ("POST \(account)/password", Self.change),
                ] {
                    let answer = try await gateway.ask(line, mallory.cookie, body: body)
                    #expect(answer.status == 403 && !answer.body.contains(alice.token.id), "\(line)")
                }
            case .tokenMakesToken: try await refused("POST \(account)/tokens", Self.wish)
            case .tokenEndsSessions:
                try await refused("DELETE \(account)/sessions", nil)
                try await refused("DELETE \(account)/sessions/\(alice.token.id)", nil)
                try await refused("GET \(account)/sessions", nil)
            case .tokenChangesPassword: try await refused("POST \(account)/password", Self.change)
            case .tokenReadsEvents: try await refused("GET \(account)/events", nil)
            case .headOfAccount:
                try await refused("HEAD \(account)/events", nil)
                try await refused("HEAD \(account)/sessions", nil)
            case .oldGeneration:
                #expect(
                    try await gateway.ask("POST \(account)/password", alice.cookie, body: Self.change).status == 201
                )
                for client in [alice, token] {
                    for line in ["GET \(account)/todos", "GET \(account)/feed?zone=UTC"] {
                        #expect(try await gateway.ask(line, client.bearer).status == 401)
                    }
                }
                #expect(try await gateway.ask("POST \(account)/tokens", alice.cookie, body: Self.wish).status == 401)
            case .endedToken:
                try await gateway.write("DELETE \(account)/sessions/\(token.token.id)", with: alice.cookie)
                for fields in [token.bearer, token.cookie] {
                    for line in ["GET \(account)/todos", "GET \(account)/feed?zone=UTC", "GET /v1/changes?users=alice"]
                    {
                        #expect(try await gateway.ask(line, fields).status == 401, "\(line)")
                    }
                }
            case .endedStream:
                let stream = try RawConnection(port: gateway.port)
                stream.send("GET \(account)/changes HTTP/1.1\r\nHost: h\r\n\(token.bearer[0])\r\n\r\n")
                try await eventually("it is open") { stream.text.contains("event: snapshot") }
                #expect(try await gateway.ask("DELETE \(account)/sessions", alice.cookie).body == #"{"ended":1}"#)
                try await eventually("it has ended") { stream.isEnded }
            }

            func refused(_ line: String, _ body: String?) async throws {
                for fields in [token.bearer, token.cookie] {
                    let answer = try await gateway.ask(line, fields, body: body)
                    #expect(answer.status == 403 && answer.fields("Set-Cookie").isEmpty, "\(line): \(answer.text)")
                    #expect(!answer.body.contains(alice.token.id) && !answer.body.contains("eyJ"))
                }
            }
        }
    }
}
