import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// Links by which a password is set once: on Redis, as a command makes them.
@Suite("Links for a new password", .serialized)
@LoopActor
struct PasswordResetTests {
    private static let other = "other-\(GatewayProcess.unutterable)"

    private func offer(_ server: any TestRedis, _ uid: String = "alice") async throws -> String {
        let outcome = try await server.todomate("user", "reset", uid, "--server", "https://todo.example/")
        let match = outcome.output.firstMatch(of: /https:\/\/todo\.example\/#reset=([\w.-]+)\.([\w-]{32})\s/)
        #expect(match.map { String($0.1) } == uid, "\(outcome.output)\(outcome.errors)")
        return String(try #require(match).2)
    }

    private func set(
        _ gateway: any HTTPGateway,
        _ uid: String,
        _ secret: String,
        _ password: String = Self.other
    ) async throws -> Answer {
        let body = #"{"user":"\#(uid)","secret":"\#(secret)","password":"\#(password)"}"#
        return try await gateway.ask("POST /v1/password-reset", body: body)
    }

    @Test("set it, end all sessions and sign in, once", arguments: [Backing.redis, .cluster])
    func once(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let server = try #require(gateways[0].redis)
            try await server.call("todomate_enroll", "alice", GatewayProcess.passwordHash)
            let before = try await gateways[1].trySigningIn("alice").read(GivenSession.self)
            let secret = try await offer(server)
            let answer = try await set(gateways[0], "alice", secret)
            #expect(answer.status == 201 && answer.fields("Set-Cookie").first?.contains("HttpOnly") == true)
            let session = try answer.read(GivenSession.self)
            for gateway in gateways {
                try await eventually("the session of before is over") {
                    try await gateway.ask("GET /v1/users/alice/todos", before.bearer).status == 401
                }
                let now = try await gateway.ask("GET /v1/users/alice/todos", session.bearer)
                #expect(now.status == 200)
                let again = try await set(gateway, "alice", secret, "third-\(GatewayProcess.unutterable)")
                #expect(again.status == 404)
            }
            let (old, new) = (
                try await gateways[0].trySigningIn("alice"), try await gateways[1].trySigningIn("alice", Self.other)
            )
            #expect([old.status, new.status] == [401, 201])
        }
    }

    /// What a link may lack.
    enum Lack: String, CaseIterable, Sendable {
        case unknownUser, otherUser, wrongSecret, cutSecret, used, replaced, passwordChanged, removed, invitation
    }

    @Test("are refused with one answer, whatever they lack", arguments: Lack.allCases, RedisKind.allCases)
    func lacks(_ lack: Lack, _ kind: RedisKind) async throws {
        try await withTwoWorkers(on: kind, "--invitations", "everyone") { server, workers in
            var (uid, secret) = ("alice", try await offer(server))
            switch lack {
            case .unknownUser: uid = "nobody"
            case .otherUser: uid = "bob"
            case .wrongSecret: secret = String(secret.reversed())
            case .cutSecret: secret = String(secret.dropLast())
            case .used: #expect(try await set(workers[1], uid, secret).status == 201)
            case .replaced: _ = try await offer(server)
            case .passwordChanged: try await server.call("todomate_set_password", uid, GatewayProcess.passwordHash)
            case .removed: _ = try await server.todomate("user", "remove", uid)
            case .invitation: secret = try await workers[0].invite().secret
            }
            let answer = try await set(workers[0], uid, secret, "third-\(GatewayProcess.unutterable)")
            let detail = "this link is not valid (any more): ask the operator for another"
            #expect(answer.status == 404 && answer.body.contains(detail), "\(answer.text)")
            #expect(answer.fields("Set-Cookie").isEmpty)
            let foreign = try await workers[0].ask(
                "POST /v1/password-reset",
                "Origin: https://evil.example",
                body: #"{"user":"alice","secret":"\#(secret)","password":"long-enough"}"#
            )
            #expect(foreign.status == 403)
        }
    }

    @Test("have one winner when two come at the same moment", arguments: RedisKind.allCases)
    func race(_ kind: RedisKind) async throws {
        try await withTwoWorkers(on: kind) { server, workers in
            let secret = try await offer(server)
            let first = "first-\(GatewayProcess.unutterable)"
            async let left = set(workers[0], "alice", secret, first)
            async let right = set(workers[1], "alice", secret)
            let statuses = try await [left.status, right.status]
            #expect(statuses.compactMap(\.self).sorted() == [201, 404])
            let winner = statuses[0] == 201 ? first : Self.other
            let signedIn = try await workers[0].trySigningIn("alice", winner)
            #expect(signedIn.status == 201)
        }
    }
}
