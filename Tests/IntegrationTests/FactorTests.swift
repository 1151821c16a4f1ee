import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("A second factor over HTTP", .serialized)
@LoopActor
struct FactorTests {
    private static let path = "/v1/users/alice/factor"

    private func state(_ gateway: any HTTPGateway, _ client: SignedInClient) async throws -> String {
        try await gateway.ask("GET \(Self.path)", client.bearer).body
    }

    @Test("is turned on, ends other sign-ins, and is asked for from then on", arguments: Backing.allCases)
    func turnsOn(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            for uid in ["alice", "bob"] { try await gateways[0].giveAccount(uid) }
            let (here, there) = (try await gateways[0].signIn("alice"), try await gateways[1].signIn("alice"))
            let token = try await gateways[0].ask(
                "POST /v1/users/alice/tokens",
                here.cookie,
                body: #"{"name":"script","scope":"read","days":1}"#
            )
            let script = try gateways[0].client(in: token)
            #expect(try await state(gateways[0], here) == #"{"isOn":false}"#)
            let app = try await gateways[0].turnOnFactor(with: here.cookie)
            #expect(app.recoveryCodes.count == 10 && Set(app.recoveryCodes).count == 10)
            #expect(try await state(gateways[1], here).contains(#""recoveryCodes":10"#))
            for gateway in gateways {
                try await eventually("the other sign-in is over") {
                    try await gateway.ask("GET /v1/users/alice/todos", there.bearer).status == 401
                }
                for client in [here, script] {
                    #expect(try await gateway.ask("GET /v1/users/alice/todos", client.bearer).status == 200)
                }
                let asked = try await gateway.trySigningIn("alice", code: nil)
                #expect(asked.status == 401 && asked.kind == "second-factor" && asked.fields("Set-Cookie").isEmpty)
            }
            let used = try app.code()
            let signedIn = try await gateways[1].trySigningIn("alice", code: used)
            #expect(signedIn.status == 201 && signedIn.fields("Set-Cookie").count == 1, "\(signedIn.text)")
            for gateway in gateways {
                for code in [try app.code(0), used] {
                    let replayed = try await gateway.trySigningIn("alice", code: code)
                    #expect(replayed.status == 403 && replayed.kind == "wrong-code")
                    #expect(replayed.fields("Set-Cookie").isEmpty)
                }
            }
            for (number, status) in [(0, 201), (0, 403), (1, 201)] {
                let answer = try await gateways[number].trySigningIn("alice", code: app.recoveryCodes[number])
                #expect(answer.status == status)
            }
            #expect(try await state(gateways[1], here).contains(#""recoveryCodes":8"#))
            let bob = try await gateways[0].trySigningIn("bob", code: "123456")
            #expect(bob.status == 201, "a code where none is wanted says nothing")
        }
    }

    @Test("lets one of two in that come with the same code at once", arguments: Backing.allCases)
    func atOnce(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            try await gateways[0].giveAccount("alice")
            let here = try await gateways[0].signIn("alice")
            let app = try await gateways[0].turnOnFactor(with: here.cookie)
            for code in [try app.code(), app.recoveryCodes[0]] {
                let tasks = (0..<4).map { number in
                    Task { @LoopActor in try await gateways[number % 2].trySigningIn("alice", code: code).status }
                }
                var statuses: [Int?] = []
                for task in tasks { statuses.append(try await task.value) }
                #expect(statuses.compactMap(\.self).sorted() == [201, 403, 403, 403])
            }
        }
    }

    @Test("is turned off, and has other recovery codes made, with password and code", arguments: Backing.allCases)
    func changes(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.giveAccount("alice")
            let here = try await gateway.signIn("alice")
            let app = try await gateway.turnOnFactor(with: here.cookie)
            func ask(_ what: String, _ code: String, _ password: String = GatewayProcess.password) async throws
                -> Answer
            {
                let body = JSONObject(["password": password, "code": code]).text
                return try await gateway.ask("POST \(Self.path)/\(what)", here.cookie, body: body)
            }
            for what in ["recovery-codes", "off"] {
                for (code, password, kind) in [
                    (try app.code(), "wrong", "wrong-password"),
                    (try app.wrongCode(), GatewayProcess.password, "wrong-code"),
                    (try app.code(0), GatewayProcess.password, "wrong-code"),
                    ("", GatewayProcess.password, "wrong-code"),
                ] {
                    let answer = try await ask(what, code, password)
                    #expect(answer.status == 403 && answer.kind == kind, "\(what) \(kind)")
                }
            }
            let again = try await gateway.ask(
                "POST \(Self.path)",
                here.cookie,
                body: JSONObject(["password": GatewayProcess.password]).text
            )
            #expect(again.status == 409)
            let renewed = try await ask("recovery-codes", try app.code())
            let codes = try renewed.read(GivenCodes.self).recoveryCodes
            #expect(codes.count == 10 && Set(codes).isDisjoint(with: app.recoveryCodes))
            #expect(try await gateway.trySigningIn("alice", code: app.recoveryCodes[0]).status == 403)
            #expect(try await ask("off", codes[0]).status == 204)
            #expect(try await state(gateway, here) == #"{"isOn":false}"#)
            #expect(try await gateway.trySigningIn("alice").status == 201)
            #expect(try await ask("off", codes[1]).status == 404)
            let kinds = try await gateway.ask("GET /v1/users/alice/events", here.cookie).body
            for kind in ["factor-on", "code-refused", "recovery-made", "recovery-used", "factor-off"] {
                #expect(kinds.contains(#""kind":"\#(kind)""#), "\(kind)")
            }
        }
    }

    @Test(
        "stays with another password, and a link for one does not go around it",
        arguments: [Backing.redis, .cluster]
    )
    func resets(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let server = try #require(gateway.redis)
            try await gateway.giveAccount("alice")
            let here = try await gateway.signIn("alice")
            let app = try await gateway.turnOnFactor(with: here.cookie)
            let next = "next-\(GatewayProcess.unutterable)"
            let body = JSONObject(["current": GatewayProcess.password, "password": next]).text
            let changed = try await gateway.ask("POST /v1/users/alice/password", here.cookie, body: body)
            #expect(changed.status == 201, "the session has shown it")
            #expect(try await gateway.trySigningIn("alice", next, code: nil).kind == "second-factor")
            let link = try await server.todomate("user", "reset", "alice").output
            let secret = try #require(link.firstMatch(of: /\.([\w-]{32})\s/).map { String($0.1) })
            func reset(_ code: String?) async throws -> Answer {
                let fields = JSONObject([
                    "user": "alice", "secret": secret, "password": GatewayProcess.password, "code": code,
                ])
                return try await gateway.ask("POST /v1/password-reset", body: fields.text)
            }
            for (code, status, kind) in [
                (nil, 401, "second-factor"), (try app.wrongCode(), 403, "wrong-code"),
                (try app.code(0), 403, "wrong-code"),
            ] {
                let answer = try await reset(code)
                #expect(answer.status == status && answer.kind == kind && answer.fields("Set-Cookie").isEmpty)
            }
            #expect(try await gateway.trySigningIn("alice", next, code: nil).kind == "second-factor", "as before")
            let done = try await reset(app.recoveryCodes[3])
            #expect(done.status == 201, "\(done.text)")
            #expect(try await reset(app.recoveryCodes[4]).status == 404, "the link was used")
            #expect(try await gateway.trySigningIn("alice", code: try app.code()).status == 201)
        }
    }

    @Test("is shown and turned off by the operator, and gone with the account")
    func command() async throws {
        try await withGateways(on: .redis) { gateways in
            let (gateway, server) = (gateways[0], try #require(gateways[0].redis))
            let none = try await server.todomate("user", "factor", "alice")
            #expect(none.ending == .exit(65) && none.errors.contains("alice has no account"))
            try await gateway.giveAccount("alice")
            #expect(try await server.todomate("user", "factor", "alice").output == "alice has no second factor.\n")
            let here = try await gateway.signIn("alice")
            _ = try await gateway.turnOnFactor(with: here.cookie)
            let on = try await server.todomate("user", "factor", "alice")
            #expect(
                on.output.hasPrefix("alice has a second factor since 20")
                    && on.output.contains("10 recovery codes left")
            )
            let json = try await server.todomate("user", "factor", "alice", "--json").output
            #expect(json.hasPrefix(#"{"uid":"alice","isOn":true,"since":"20"#))
            let off = try await server.todomate("user", "factor", "alice", "--off")
            #expect(off.output == "alice has no second factor any more: the password alone signs in.\n")
            #expect(try await gateway.trySigningIn("alice").status == 201)
            _ = try await gateway.turnOnFactor(with: here.cookie)
            _ = try await server.todomate("user", "remove", "alice")
            #expect(try await server.cli("EXISTS", "todomate:{alice}:factor") == "0")
            _ = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(try await server.cli("KEYS", "todomate:{alice}:*") == "")
        }
    }
}
