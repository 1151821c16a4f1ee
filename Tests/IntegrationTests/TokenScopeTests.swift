import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("Tokens with a scope, over HTTP", .serialized)
@LoopActor
struct TokenScopeTests {
    private static let path = "POST /v1/users/alice/tokens"

    nonisolated private static func wish(
        _ scope: String = "read",
        _ name: String = "a script",
        _ days: Int = 30
    ) -> String {
        JSONObject(["name": name, "scope": scope, "days": days]).text
    }

    private func make(_ gateway: any HTTPGateway, _ client: SignedInClient, _ scope: TokenScope) async throws
        -> SignedInClient
    {
        let answer = try await gateway.ask(Self.path, client.cookie, body: Self.wish(scope.rawValue))
        #expect(answer.status == 201 && answer.fields("Cache-Control") == ["no-store"])
        #expect(answer.fields("Set-Cookie").isEmpty, "it is for a program, not for the page")
        return try gateway.client(in: answer)
    }

    /// Requests that need each scope, and none less.
    nonisolated private static let requests: [(line: String, body: String?, least: TokenScope?)] = [
        ("GET /v1/users/alice/feed?zone=UTC", nil, .feed),
        ("HEAD /v1/users/alice/feed?zone=UTC", nil, .feed),
        ("GET /v1/users/alice/todos", nil, .read),
        ("GET /v1/users/alice/profile", nil, .read),
        ("GET /v1/users/alice/week?zone=UTC", nil, .read),
        ("GET /v1/users/alice/followers", nil, .read),
        ("POST /v1/users/alice/todos", #"{"content":"x","date":"2026-11-20"}"#, .write),
        ("PATCH /v1/users/alice/profile", #"{"visibility":"public"}"#, .write),
        ("PUT /v1/users/alice/following/bob", nil, .write),
        ("PUT /v1/users/alice/feed/seen", #"{"seen":1}"#, .write),
        ("GET /v1/users/alice/sessions", nil, nil),
        ("GET /v1/users/alice/events", nil, nil),
        ("DELETE /v1/users/alice/sessions", nil, nil),
        ("DELETE /v1/users/alice/sessions/Zm9vYmFyYmF6cXV4cXV1eA", nil, nil),
        ("POST /v1/users/alice/tokens", wish(), nil),
        ("POST /v1/users/alice/password", #"{"current":"x","password":"another one"}"#, nil),
        // Whatever is spelled otherwise is the same route.
        ("POST /v1/users/alice/%74okens", wish(), nil), ("GET /v1/users/%61lice/session%73", nil, nil),
    ]

    @Test("may do what their scope says, by every door", arguments: Backing.allCases)
    func scopes(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let alice = try await gateway.signIn("alice")
            for scope in TokenScope.allCases {
                let token = try await make(gateway, alice, scope)
                #expect(token.token.scope == .token(scope) && token.token.generation == alice.token.generation)
                for (line, body, least) in Self.requests {
                    for fields in [token.bearer, token.cookie] {
                        let answer = try await gateway.ask(line, fields, body: body)
                        if least.map({ scope >= $0 }) == true {
                            #expect(
                                answer.status.map { (200..<300).contains($0) } == true,
                                "\(scope): \(line): \(answer.text)"
                            )
                        } else {
                            #expect(answer.status == 403, "\(scope): \(line): \(answer.text)")
                        }
                    }
                }
                let stream = try RawConnection(port: gateway.port)
                stream.send("GET /v1/changes?users=alice HTTP/1.1\r\nHost: h\r\n\(token.bearer[0])\r\n\r\n")
                try await eventually("it may follow") { stream.text.contains("event: snapshot") }
            }
            // All of that left the account as it was.
            #expect(try await gateway.ask("GET /v1/users/alice/sessions", alice.cookie).status == 200)
        }
    }

    @Test("are listed by name and scope, end with what is open, and stay ended", arguments: Backing.allCases)
    func ends(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            try await gateways[0].giveAccount("alice")
            let alice = try await gateways[0].signIn("alice")
            let token = try await make(gateways[0], alice, .feed)
            let list = try await gateways[0].ask("GET /v1/users/alice/sessions", alice.cookie).body
            #expect(list.contains(#""name":"a script","scope":"feed""#) && !list.contains(token.text))
            let stream = try RawConnection(port: gateways[1].port)
            stream.send("GET /v1/users/alice/changes HTTP/1.1\r\nHost: h\r\n\(token.bearer[0])\r\n\r\n")
            try await eventually("it is open") { stream.text.contains("event: snapshot") }
            try await gateways[0].write(
                "DELETE /v1/users/alice/sessions/\(token.token.id)",
                with: alice.cookie
            )
            try await eventually("the stream has ended") { stream.isEnded }
            for gateway in gateways {
                try await eventually("it opens nothing") {
                    try await gateway.ask("GET /v1/users/alice/feed?zone=UTC", token.bearer).status == 401
                }
            }
            // A token of the generation before is over as well.
            let other = try await make(gateways[0], alice, .write)
            let change = JSONObject(["current": GatewayProcess.password, "password": "battery staple"]).text
            let after = try gateways[0].client(
                in: try await gateways[0].ask("POST /v1/users/alice/password", alice.cookie, body: change)
            )
            for gateway in gateways {
                try await eventually("it opens nothing") {
                    try await gateway.ask("GET /v1/users/alice/todos", other.bearer).status == 401
                }
                #expect(try await gateway.ask("GET /v1/users/alice/todos", after.bearer).status == 200)
            }
            // Who was signed in before makes no token any more.
            #expect(try await gateways[0].ask(Self.path, alice.cookie, body: Self.wish()).status == 401)
        }
    }

    @Test("take a password's place in clients that know nothing else", arguments: Backing.allCases)
    func appPasswords(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let alice = try await gateway.signIn("alice")
            let token = try await make(gateway, alice, .write)
            func basic(_ user: String, _ password: String) -> String {
                "Authorization: Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
            }
            let add = ("POST /v1/users/alice/todos", #"{"content":"x","date":"2026-11-20"}"#)
            #expect(try await gateway.ask("GET /v1/users/alice/todos", basic("alice", token.text)).status == 200)
            #expect(try await gateway.ask(add.0, basic("alice", token.text), body: add.1).status == 201)
            // Of the token's scope, and no more.
            let reader = try await make(gateway, alice, .read)
            #expect(try await gateway.ask(add.0, basic("alice", reader.text), body: add.1).status == 403)
            #expect(try await gateway.ask("GET /v1/users/alice/events", basic("alice", token.text)).status == 403)
            // What a browser sends by itself must not serve another site.
            let foreign = [basic("alice", token.text), "Origin: https://elsewhere.example"]
            #expect(try await gateway.ask(add.0, foreign, body: add.1).status == 403)
            let wrong = [
                basic("bob", token.text), basic("", token.text), basic("alice", GatewayProcess.password),
                basic("alice", alice.text), basic("alice", ""), "Authorization: Basic \(token.text)",
                "Authorization: Basic",
                "Authorization: Basic !!!!", basic("alice", "x").replacingOccurrences(of: "=", with: ""),
            ]
            for field in wrong {
                let answer = try await gateway.ask("GET /v1/users/alice/todos", field)
                #expect(
                    answer.status == 401 && answer.fields("WWW-Authenticate").first?.hasPrefix("Bearer") == true,
                    "\(field): \(answer.text)"
                )
            }
            // Many clients send a password only when they are asked; no browser is to ask for one.
            let asked = try await gateway.ask("GET /v1/users/alice/todos")
            #expect(asked.fields("WWW-Authenticate") == [#"Bearer, Basic realm="TodoMate""#])
            for field in [
                "Sec-Fetch-Mode: cors", "Cookie: a=b", "Origin: http://h", "Referer: http://h/", "Accept-Language: en",
            ] {
                let page = try await gateway.ask("GET /v1/users/alice/todos", field)
                #expect(page.status == 401 && page.fields("WWW-Authenticate") == ["Bearer"], "\(field)")
            }
            try await gateway.write("DELETE /v1/users/alice/sessions/\(token.token.id)", with: alice.cookie)
            try await eventually("it ends like the others") {
                try await gateway.ask("GET /v1/users/alice/todos", basic("alice", token.text)).status == 401
            }
        }
    }

    @Test("are made by the command as well", arguments: RedisKind.allCases)
    func command(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withGateway(on: server) { gateway in
                try await gateway.giveAccount("alice")
                let environment = ["TODOMATE_REDIS": server.address, "TODOMATE_SECRET": GatewayProcess.secret]
                func todomate(_ words: String...) async throws -> Program.Outcome {
                    try await Program.run("todomate", words, environment: environment)
                }
                for (words, status) in [(["--scope", "feed"], 403), (["--scope", "read"], 200), ([], 200)] {
                    let made = try await Program.run("todomate", ["token", "alice"] + words, environment: environment)
                    #expect(made.ending == .exit(0), "\(made.errors)")
                    let field = "Authorization: Bearer \(made.output.trimmingCharacters(in: .newlines))"
                    #expect(try await gateway.ask("GET /v1/users/alice/todos", field).status == status)
                    #expect(try await gateway.ask("GET /v1/users/alice/events", field).status == 403)
                }
                for scope in ["account", "", "Read", "read,write"] {
                    let refused = try await todomate("token", "alice", "--scope", scope)
                    #expect(refused.ending == .exit(64) && refused.output.isEmpty, "\(scope): \(refused.errors)")
                }
                let list = try await todomate("session", "list", "alice")
                #expect(list.output.matches(of: #/  (?:feed|read|write)/#).count == 3, "\(list.output)")
                try await eventually("the use is told") {
                    try await todomate("session", "list", "alice", "--json").output.contains("\"used\":\"20")
                }
            }
        }
    }

    @Test("are made of what may be, by their owner alone", arguments: Backing.allCases)
    func refuses(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            let long = String(repeating: "n", count: 65)
            for body in [
                Self.wish("account"), Self.wish("Read"), Self.wish(""), Self.wish("read", ""), Self.wish("read", "  "),
                Self.wish("read", "a\nb"), Self.wish("read", "a\u{85}b"), Self.wish("read", long),
                Self.wish("read", "n", 0),
                Self.wish("read", "n", -1), Self.wish("read", "n", 3651), #"{"name":"n","scope":"read","days":1.5}"#,
                #"{"name":"n","scope":"read","days":"1"}"#, #"{"name":"n","scope":["read"],"days":1}"#,
                #"{"name":null,"scope":"read","days":1}"#, #"{"scope":"read","days":1}"#, "{}", "[]", "",
                #"{"name":"n","scope":"read","days":1,"kind":"sign-in"}"#, #"{"name":"n","scope":"read","days":1e400}"#,
            ] {
                let answer = try await gateway.ask(Self.path, alice.cookie, body: body)
                #expect([400, 422].contains(answer.status) && answer.isProblem, "\(body): \(answer.text)")
            }
            for (fields, status) in [
                ([], 401), (bob.cookie, 403), ([alice.cookie[0]], 403),
                ([alice.cookie[0], "Origin: https://evil.example"], 403),
            ] {
                let answer = try await gateway.ask(Self.path, fields, body: Self.wish())
                #expect(answer.status == status && !answer.body.contains("eyJ"))
            }
            let list = try await gateway.ask("GET /v1/users/alice/sessions", alice.cookie).body
            #expect(!list.contains(#""scope""#) || !list.contains(#""name":"n""#), "nothing was made")
        }
    }
}
