import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("Changing one's own password over HTTP", .serialized)
@LoopActor
struct PasswordChangeTests {
    private static let path = "POST /v1/users/alice/password"
    private static let next = "another \(GatewayProcess.unutterable)"

    private static func body(_ current: String = GatewayProcess.password, _ password: String = next) -> String {
        JSONObject(["current": current, "password": password]).text
    }

    @Test("ends all other sessions and streams, and goes on with a new one", arguments: Backing.allCases)
    func changes(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            try await gateways[0].giveAccount("alice")
            let here = try await gateways[0].signIn("alice")
            let there = try await gateways[1].signIn("alice")
            let streams = try zip(gateways, [here, there]).map { gateway, client in
                let stream = try RawConnection(port: gateway.port)
                stream.send("GET /v1/users/alice/changes HTTP/1.1\r\nHost: h\r\n\(client.bearer[0])\r\n\r\n")
                return stream
            }
            for stream in streams { try await eventually("it is open") { stream.text.contains("event: snapshot") } }
            let answer = try await gateways[0].ask(Self.path, here.cookie, body: Self.body())
            #expect(answer.status == 201 && answer.fields("Cache-Control") == ["no-store"])
            let after = try gateways[0].client(in: answer)
            #expect(answer.fields("Set-Cookie").first?.hasPrefix("todomate_session=\(after.text); ") == true)
            #expect(after.token.id != here.token.id && after.token.generation != here.token.generation)
            for stream in streams { try await eventually("it has ended") { stream.isEnded } }
            try await eventually("the old ones open nothing anywhere") {
                for gateway in gateways {
                    for client in [here, there] {
                        guard try await gateway.ask("GET /v1/users/alice/todos", client.bearer).status == 401 else {
                            return false
                        }
                    }
                }
                return true
            }
            for gateway in gateways {
                #expect(try await gateway.ask("GET /v1/users/alice/todos", after.bearer).status == 200)
            }
            let old = try await gateways[1].ask(
                "POST /v1/session",
                body: JSONObject(["user": "alice", "password": GatewayProcess.password]).text
            )
            #expect(old.status == 401)
            _ = try await gateways[1].signIn("alice", Self.next)
        }
    }

    @Test("refuses what is no password, and whoever is not the one", arguments: Backing.allCases)
    func refuses(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let alice = try await gateway.signIn("alice")
            let bob = try await gateway.signIn("bob")
            let tooLong = String(repeating: "x", count: 1025)
            for password in ["", "short 7", tooLong, "alice", "Alice"] {
                let answer = try await gateway.ask(Self.path, alice.cookie, body: Self.body(password: password))
                #expect(answer.status == 422 && answer.isProblem, "\(password.prefix(20))")
            }
            for body in [
                "{}", "[]", "{", #"{"current":"x"}"#, #"{"current":"x","password":7}"#,
                Self.body("x", "y").replacing("}", with: #","z":1}"#),
            ] {
                let answer = try await gateway.ask(Self.path, alice.cookie, body: body)
                #expect([400, 422].contains(answer.status), "\(body)")
            }
            for (who, fields, status) in [
                ("nobody", [], 401), ("bob", bob.cookie, 403),
                ("another site", [alice.cookie[0], "Origin: https://evil.example"], 403),
                ("a page without an origin", [alice.cookie[0]], 403),
            ] {
                let answer = try await gateway.ask(Self.path, fields, body: Self.body())
                #expect(answer.status == status && answer.fields("Set-Cookie").isEmpty, "\(who)")
            }
            let wrong = try await gateway.ask(Self.path, alice.cookie, body: Self.body("wrong"))
            #expect(wrong.status == 403 && wrong.isProblem && wrong.fields("Set-Cookie").isEmpty)
            // Nothing of all that has changed anything.
            #expect(try await gateway.ask("GET /v1/users/alice/todos", alice.cookie).status == 200)
            _ = try await gateway.signIn("alice")
        }
    }

    @Test("counts a wrong one as a wrong sign-in, and the other way round", arguments: Backing.allCases)
    func guesses(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            for number in 0..<10 {
                let isHere = number.isMultiple(of: 2)
                let answer =
                    isHere
                    ? try await gateway.ask(Self.path, alice.cookie, body: Self.body("wrong"))
                    : try await gateway.ask("POST /v1/session", body: #"{"user":"alice","password":"wrong"}"#)
                #expect(answer.status == (isHere ? 403 : 401))
            }
            let right = try await gateway.ask(Self.path, alice.cookie, body: Self.body())
            #expect(right.status == 429 && right.isProblem && !right.fields("Retry-After").isEmpty)
            let signIn = try await gateway.ask(
                "POST /v1/session",
                body: JSONObject(["user": "alice", "password": GatewayProcess.password]).text
            )
            #expect(signIn.status == 429)
            #expect(try await gateway.ask("GET /v1/users/alice/todos", alice.cookie).status == 200)
        }
    }

    @Test("lets one of two that come at once through", arguments: Backing.allCases)
    func atOnce(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            try await gateways[0].giveAccount("alice")
            let clients = [try await gateways[0].signIn("alice"), try await gateways[1].signIn("alice")]
            let tasks = (0..<2).map { number in
                Task { @LoopActor in
                    let body = Self.body(GatewayProcess.password, "\(Self.next) \(number)")
                    return try await gateways[number].ask(Self.path, clients[number].cookie, body: body)
                }
            }
            var done = 0
            for (number, task) in tasks.enumerated() {
                let answer = try await task.value
                if answer.status == 201 {
                    done += 1
                    _ = try await gateways[0].signIn("alice", "\(Self.next) \(number)")
                } else {
                    #expect([401, 403, 412].contains(answer.status), "\(answer.text)")
                }
            }
            #expect(done == 1)
        }
    }
}

extension PasswordChangeTests {
    private static func body(password: String) -> String { body(GatewayProcess.password, password) }
}
