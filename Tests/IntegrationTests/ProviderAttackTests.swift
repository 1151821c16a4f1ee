import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// In memory: what providers say is judged before any store is asked.
@Suite("Signing in by a provider, under attack")
@LoopActor
struct ProviderAttackTests {
    private static let publicURL = "https://todo.example"

    /// Runs `body` with a gateway that lets people in by a provider that says anything.
    private func withProvider(
        _ arrivals: IdentityProvider.Arrivals = .create,
        only: [String: [String]] = [:],
        describing: [String: Any] = [:],
        _ body: @LoopActor (FakeProvider, MemoryGateway) async throws -> Void
    ) async throws {
        let provider = try FakeProvider()
        defer { provider.close() }
        // Before the gateway asks: it does so once.
        provider.metadata = describing
        let second = try FakeProvider()
        defer { second.close() }
        let door = Door(
            providers: [provider.configured("acme", arrivals, only: only), second.configured("other", arrivals)],
            publicURL: Self.publicURL
        )
        try await withGateways(on: .memory, door: door) { gateways in
            try await body(provider, try #require(gateways[0] as? MemoryGateway))
        }
    }

    /// What the page is told.
    private func come(
        _ provider: FakeProvider,
        _ gateway: any HTTPGateway,
        _ answer: ((String) -> FakeProvider.TokenAnswer)? = nil
    ) async throws -> Answer {
        let journey = try await gateway.begin()
        provider.receive(journey)
        if let answer { provider.answer = answer }
        return try await gateway.comeBack(from: journey)
    }

    // MARK: The way it is meant

    @Test("somebody new chooses a name, and is let into the same account from then on")
    func arrival() async throws {
        try await withProvider { provider, gateway in
            let journey = try await gateway.begin()
            #expect(
                journey.url.hasPrefix("\(provider.issuer)/authorize?tenant=1&response_type=code&client_id=client%20one")
            )
            #expect(journey.redirect == "\(Self.publicURL)/v1/providers/acme/callback")
            #expect(journey.cookie.hasPrefix("todomate_journey="))
            provider.receive(journey)
            let back = try await gateway.comeBack(from: journey)
            #expect(back.status == 303 && back.location == "/#arrive=acme.alice", "\(back.text)")
            #expect(back.cookie("todomate_session") == nil, "nobody is in yet")
            // The code came with the proof that it is this journey's, and with the client's secret.
            let verifier = try #require(provider.form["code_verifier"])
            #expect(SignInJourney.challenge(of: verifier) == journey.challenge && journey.challenge.utf8.count == 43)
            #expect(provider.form["redirect_uri"] == journey.redirect && provider.form["code"] == "c0de")
            let secret = Data("client%20one:s%3Acret".utf8).base64EncodedString()
            #expect(provider.authorization == "Basic \(secret)" && provider.form["client_secret"] == nil)

            let arrival = try #require(back.cookie("todomate_arrival"))
            let origin = "Origin: http://127.0.0.1:\(gateway.port)"
            let path = "POST /v1/providers/acme/accounts"
            #expect(try await gateway.ask(path, body: #"{"user":"newcomer"}"#).status == 404, "without the cookie")
            #expect(
                try await gateway.ask(
                    path,
                    "Cookie: \(arrival)",
                    "Origin: https://evil.example",
                    body: #"{"user":"newcomer"}"#
                )
                .status == 403
            )
            try await gateway.giveAccount("taken")
            for (name, status) in [
                ("taken", 409), ("no name", 422), ("", 422), (String(repeating: "x", count: 65), 422),
            ] {
                let answer = try await gateway.ask(path, "Cookie: \(arrival)", origin, body: "{\"user\":\"\(name)\"}")
                #expect(answer.status == status, "\(name): \(answer.text)")
            }
            let other = path.replacing("acme", with: "other")
            #expect(
                try await gateway.ask(other, "Cookie: \(arrival)", origin, body: #"{"user":"newcomer"}"#).status == 404
            )
            let made = try await gateway.ask(path, "Cookie: \(arrival)", origin, body: #"{"user":"newcomer"}"#)
            #expect(made.status == 201, "\(made.text)")
            let client = try gateway.client(in: made)
            #expect(client.token.uid == "newcomer")
            let again = try await gateway.ask(path, "Cookie: \(arrival)", origin, body: #"{"user":"newcomer2"}"#)
            #expect(again.status == 404, "one identity opens one account: \(again.text)")

            _ = try await gateway.stores.operators.suspend("newcomer", for: "advertising", by: nil)
            #expect(try await come(provider, gateway).location == "/#refused=suspended")
            _ = try await gateway.stores.operators.resume("newcomer", by: nil)
            let second = try await come(provider, gateway)
            #expect(second.location == "/")
            let cookie = try #require(second.cookie("todomate_session"))
            #expect(!cookie.contains(client.text), "another session")
            #expect(try await gateway.ask("GET /v1/session", "Cookie: \(cookie)").body.contains(#""uid":"newcomer""#))
            for guess in ["", "$none$", "newcomer"] {
                #expect(try await gateway.trySigningIn("newcomer", guess).status == 401, "no password is right")
            }
            let sessions = try await gateway.ask("GET /v1/users/newcomer/sessions", ["Cookie: \(cookie)"])
            #expect(sessions.body.contains(#""name":"acme""#))
            let out = try await gateway.ask("DELETE /v1/session", "Cookie: \(cookie)", origin)
            #expect(
                out.status == 200 && out.body.contains("/end?client_id=client%20one&post_logout_redirect_uri="),
                "\(out.text)"
            )
        }
    }

    // MARK: Answers that are not taken

    /// What stands in the way back, and what the page is told then.
    nonisolated static let ways: [(String, state: String?, more: String, cookie: String?, refused: String)] = [
        ("no state", "", "&code=c0de", nil, "state"),
        ("another state", "c3RhdGU", "&code=c0de", nil, "state"),
        ("another browser", nil, "&code=c0de", "", "state"),
        ("a cookie of its own making", nil, "&code=c0de", "todomate_journey=e30", "state"),
        ("a session for a journey", nil, "&code=c0de", "todomate_session=e30", "state"),
        ("no code", nil, "", nil, "declined"),
        ("an error", nil, "&error=access_denied&error_description=no", nil, "declined"),
        ("an error and a code", nil, "&error=access_denied&code=c0de", nil, "declined"),
        ("another issuer", nil, "&code=c0de&iss=https%3A%2F%2Fevil.example", nil, "token"),
        ("no issuer to speak of", nil, "&code=c0de&iss=", nil, "token"),
    ]

    @Test("a way back that is not the browser's own leads nowhere", arguments: ways)
    func wayBack(_ way: (String, state: String?, more: String, cookie: String?, refused: String)) async throws {
        try await withProvider { provider, gateway in
            let journey = try await gateway.begin()
            provider.receive(journey)
            let answer = try await gateway.comeBack(from: journey, state: way.state, more: way.more, cookie: way.cookie)
            #expect(answer.location == "/#refused=\(way.refused)", "\(way.0): \(answer.text)")
            #expect(answer.cookie("todomate_session") == nil && answer.cookie("todomate_arrival") == nil)
            if way.refused != "token" { #expect(provider.form.isEmpty, "the code was not even shown") }
        }
    }

    @Test("a journey to one provider is none to another, nor to one that always names itself and does not")
    func mixUp() async throws {
        try await withProvider { provider, gateway in
            let journey = try await gateway.begin(by: "other")
            let answer = try await gateway.comeBack(from: journey, by: "acme")
            #expect(answer.location == "/#refused=state")
        }
        try await withProvider(describing: ["authorization_response_iss_parameter_supported": true]) {
            provider,
            gateway in
            let second = try await gateway.begin()
            provider.receive(second)
            #expect(try await gateway.comeBack(from: second).location == "/#refused=token")
            let issuer = ProviderURL.encode(provider.issuer)
            let named = try await gateway.comeBack(from: second, more: "&code=c0de&iss=\(issuer)")
            #expect(named.location == "/#arrive=acme.alice", "\(named.text)")
        }
    }

    /// Claims that make a good token a bad one.
    nonisolated static let faults: [String] = [
        "another issuer", "no issuer", "another audience", "two audiences", "two audiences and another party",
        "another party", "no audience", "over", "no end", "of long ago", "of later", "no time", "not yet",
        "another nonce",
        "no nonce", "nobody", "no subject", "a long subject",
    ]

    nonisolated private static func spoil(_ claims: inout [String: Any], with fault: String) {
        let now = Int(Date().timeIntervalSince1970)
        switch fault {
        case "another issuer": claims["iss"] = "https://evil.example"
        case "no issuer": claims["iss"] = nil
        case "another audience": claims["aud"] = "client two"
        case "two audiences": claims["aud"] = ["client one", "client two"]
        case "two audiences and another party":
            (claims["aud"], claims["azp"]) = (["client one", "client two"], "client two")
        case "another party": claims["azp"] = "client two"
        case "no audience": claims["aud"] = nil
        case "over": claims["exp"] = now - 120
        case "no end": claims["exp"] = nil
        case "of long ago": claims["iat"] = now - 3600
        case "of later": claims["iat"] = now + 3600
        case "no time": claims["iat"] = nil
        case "not yet": claims["nbf"] = now + 3600
        case "another nonce": claims["nonce"] = "n0nce"
        case "no nonce": claims["nonce"] = nil
        case "nobody": claims["sub"] = ""
        case "no subject": claims["sub"] = nil
        default: claims["sub"] = String(repeating: "x", count: 256)
        }
    }

    @Test("a token that is not for this server, this sign-in or this moment is refused", arguments: faults)
    func claims(_ fault: String) async throws {
        try await withProvider { provider, gateway in
            let (issuer, key) = (provider.issuer, provider.keys[0])
            let answer = try await come(provider, gateway) { nonce in
                var claims = FakeProvider.claims(of: "subject-1", "alice", nonce: nonce, issuer: issuer)
                Self.spoil(&claims, with: fault)
                return .signed(claims, key)
            }
            #expect(answer.location == "/#refused=token", "\(answer.text)")
            #expect(answer.cookie("todomate_arrival") == nil)
            // The same provider, telling the truth.
            let good = try await come(provider, gateway) { nonce in
                var claims = FakeProvider.claims(of: "subject-1", "alice", nonce: nonce, issuer: issuer)
                claims["aud"] = ["client one"]
                claims["azp"] = "client one"
                return .signed(claims, key)
            }
            #expect(good.location == "/#arrive=acme.alice", "\(good.text)")
        }
    }

    nonisolated static let forgeries = [
        "another key", "none", "nothing signed", "a shared secret", "extensions", "no token", "two parts",
        "a changed claim",
        "an encryption key", "a key of the header's",
    ]

    @Test("a token that the provider's published keys have not signed is refused", arguments: forgeries)
    func signatures(_ forgery: String) async throws {
        try await withProvider { provider, gateway in
            let (issuer, key) = (provider.issuer, provider.keys[0])
            let stranger = TestKey("first")
            if forgery == "an encryption key" { provider.encryptsAlone = true }
            let answer = try await come(provider, gateway) { nonce in
                let claims = FakeProvider.claims(of: "subject-1", "alice", nonce: nonce, issuer: issuer)
                let body = Base64URL.encode(FakeProvider.json(claims).utf8)
                func unsigned(_ algorithm: String, _ signature: String = "") -> FakeProvider.TokenAnswer {
                    let header = Base64URL.encode(#"{"alg":"\#(algorithm)","kid":"first"}"#.utf8)
                    return .text("\(header).\(body).\(signature)")
                }
                switch forgery {
                case "another key": return .signed(claims, stranger)
                case "none": return unsigned("none")
                case "nothing signed": return unsigned("RS256")
                case "a shared secret":
                    // The public key taken for one: what a verifier would do that believes the header.
                    let header = Base64URL.encode(#"{"alg":"HS256","kid":"first"}"#.utf8)
                    let secret = Array(key.publicJSON.utf8)
                    let code = Sodium.authenticate(Array("\(header).\(body)".utf8), key: secret)
                    return unsigned("HS256", Base64URL.encode(code))
                case "extensions": return .text(key.sign(claims, ["crit": "exp"]))
                case "no token": return .text("not a token")
                case "two parts": return .text("\(body).\(body)")
                case "a changed claim":
                    var parts = key.sign(claims).split(separator: ".").map(String.init)
                    var changed = claims
                    changed["sub"] = "somebody-else"
                    parts[1] = Base64URL.encode(FakeProvider.json(changed).utf8)
                    return .text(parts.joined(separator: "."))
                case "a key of the header's":
                    return .text(stranger.sign(claims, ["jwk": stranger.publicJSON, "kid": "mine"]))
                default: return .signed(claims, key)
                }
            }
            #expect(answer.location == "/#refused=token", "\(answer.text)")
        }
    }

    @Test("the provider may change its keys at any time, and what it has given up opens nothing")
    func rotation() async throws {
        try await withProvider { provider, gateway in
            let (issuer, first, second) = (provider.issuer, provider.keys[0], TestKey("second"))
            let steps: [(signs: TestKey, publishes: [TestKey], told: String, because: Comment)] = [
                (first, [first], "/#arrive=acme.alice", "as before"),
                (second, [first], "/#refused=token", "not published"),
                (second, [second], "/#arrive=acme.alice", "published meanwhile"),
                (first, [second], "/#refused=token", "given up"),
            ]
            for step in steps {
                provider.keys = step.publishes
                let answer = try await come(provider, gateway) { nonce in
                    .signed(FakeProvider.claims(of: "subject-1", "alice", nonce: nonce, issuer: issuer), step.signs)
                }
                #expect(answer.location == step.told, step.because)
            }
        }
    }

    /// What a provider answers that is of no use.
    nonisolated static let answers: [(Int, String, refused: String)] = [
        (400, #"{"error":"invalid_grant","error_description":"the code was used"}"#, "token"), (200, "{}", "token"),
        (200, "<html>", "token"), (500, "", "token"), (200, String(repeating: "x", count: 1_048_577), "unreachable"),
    ]

    @Test("a provider that does not take the code lets nobody in", arguments: answers)
    func codes(_ answer: (Int, String, refused: String)) async throws {
        try await withProvider { provider, gateway in
            let told = try await come(provider, gateway) { _ in .other(answer.0, answer.1) }
            #expect(told.location == "/#refused=\(answer.refused)", "\(told.text)")
        }
    }

    nonisolated static let descriptions: [[String: String]] = [
        ["issuer": "https://evil.example"], ["token_endpoint": "http://provider.example/token"],
        ["authorization_endpoint": "javascript:alert(1)"], ["jwks_uri": "file:///etc/passwd"],
        ["token_endpoint": "https://user:pw@provider.example/"],
    ]

    @Test("a provider that describes itself wrongly is not visited", arguments: descriptions)
    func metadata(_ changes: [String: String]) async throws {
        try await withProvider(describing: changes) { _, gateway in
            for _ in 0..<3 {
                let answer = try await gateway.ask("GET /v1/providers/acme/begin")
                #expect(answer.location == "/#refused=unreachable", "\(answer.text)")
            }
        }
    }

    @Test("another site cannot begin a journey, and there is none to an unknown provider")
    func doors() async throws {
        try await withProvider { _, gateway in
            let foreign = try await gateway.ask("GET /v1/providers/acme/begin", "Sec-Fetch-Site: cross-site")
            #expect(foreign.status == 403)
            for path in ["nobody/begin", "nobody/callback", "acme%2F..%2Fother/begin"] {
                #expect(try await gateway.ask("GET /v1/providers/\(path)").status == 404, "\(path)")
            }
            #expect(try await gateway.ask("GET /v1/providers/acme/begin?next=https://evil.example").status == 422)
        }
    }

    @Test("ways back in vain are counted for their address, and all who come have the provider asked once")
    func budgets() async throws {
        try await withProvider { provider, gateway in
            // Any page may have its readers' browsers ask for these: they cost nobody anything.
            for _ in 0..<40 {
                let answer = try await gateway.ask("GET /v1/providers/acme/callback?state=guess&code=guess")
                #expect(answer.location == "/#refused=state")
            }
            let picture = try await gateway.ask(
                "GET /v1/providers/acme/callback?state=x&code=x",
                "Sec-Fetch-Mode: no-cors"
            )
            #expect(picture.status == 403)
            #expect(provider.form.isEmpty)
        }
        try await withProvider { provider, gateway in
            provider.answer = { _ in .other(400, "") }
            var told: [String?] = []
            let start = ContinuousClock.now
            // As many as one address may begin at once.
            for _ in 0..<30 {
                let journey = try await gateway.begin()
                provider.receive(journey)
                told.append(try await gateway.comeBack(from: journey).location)
            }
            #expect(told.allSatisfy { $0 == "/#refused=token" }, "\(told)")
            var late = 0
            while try await gateway.ask("GET /v1/providers/acme/begin").status != 429, late < 1000 { late += 1 }
            #expect(late <= Int(start.duration(to: .now) / .seconds(2)), "one more every two seconds")
        }
        let provider = try FakeProvider()
        defer { provider.close() }
        let client = ProviderClient(provider.configured())
        let asking = (0..<50).map { _ in Task { @LoopActor in try? await client.described() } }
        for task in asking { #expect(await task.value != nil) }
        #expect(provider.described == 1)
    }

    // MARK: Who may come

    @Test("only those come in whom the operator means, by what the provider says of them")
    func admission() async throws {
        try await withProvider(only: ["groups": ["staff", "todo"]]) { provider, gateway in
            #expect(try await come(provider, gateway).location == "/#arrive=acme.alice")
            let (issuer, key) = (provider.issuer, provider.keys[0])
            let groups: [Any?] = [nil, ["guests"], "guests", 7, [String](), ["Todo"]]
            for value in groups {
                let answer = try await come(provider, gateway) { nonce in
                    var claims = FakeProvider.claims(of: "subject-1", "alice", nonce: nonce, issuer: issuer)
                    claims["groups"] = value
                    return .signed(claims, key)
                }
                #expect(answer.location == "/#refused=not-admitted", "\(value ?? "none")")
            }
        }
    }

    @Test("where accounts are only linked, nobody gets one, and linking takes the password and the same session")
    func linking() async throws {
        try await withProvider(.link) { provider, gateway in
            #expect(try await come(provider, gateway).location == "/#refused=not-linked")
            try await gateway.giveAccount("alice")
            try await gateway.giveAccount("bob")
            let alice = try await gateway.signIn("alice")
            let path = "POST /v1/users/alice/identities"
            let body = "{\"provider\":\"acme\",\"password\":\"\(GatewayProcess.password)\"}"
            #expect(
                try await gateway.ask(path, alice.cookie, body: #"{"provider":"acme","password":"wrong"}"#).kind
                    == "wrong-password"
            )
            #expect(
                try await gateway.ask(path, alice.cookie, body: #"{"provider":"acme"}"#).status == 422,
                "nothing linked"
            )
            #expect(try await gateway.ask(path, as: "alice", body: body).status == 403, "a program's token")
            let bob = try await gateway.signIn("bob")
            #expect(try await gateway.ask(path, bob.cookie, body: body).status == 403, "somebody else's")

            @LoopActor
            func link(_ client: SignedInClient, _ uid: String) async throws -> BegunJourney {
                let path = "POST /v1/users/\(uid)/identities"
                let answer = try await gateway.ask(path, client.cookie, body: body)
                let location: [String: String] = try answer.read()
                let cookie = try #require(answer.fields("Set-Cookie").first)
                let journey = try BegunJourney(location: try #require(location["location"]), cookie: cookie)
                provider.receive(journey)
                return journey
            }
            let journey = try await link(alice, "alice")
            // Somebody else's browser cannot finish it, and neither can hers once she has signed out.
            #expect(try await gateway.comeBack(from: journey, cookie: "").location == "/#refused=state")
            try await gateway.write(
                "DELETE /v1/users/alice/sessions/\(alice.token.id)",
                with: try await gateway.signIn("alice").cookie
            )
            #expect(try await gateway.comeBack(from: journey).location == "/#refused=over")
            #expect(try await come(provider, gateway).location == "/#refused=not-linked")

            let again = try await gateway.signIn("alice")
            #expect(try await gateway.comeBack(from: try await link(again, "alice")).location == "/#linked=acme")
            #expect(try await gateway.comeBack(from: try await link(bob, "bob")).location == "/#refused=taken")
            let entered = try await come(provider, gateway)
            let cookie = try #require(entered.cookie("todomate_session"))
            #expect(try await gateway.ask("GET /v1/session", "Cookie: \(cookie)").body.contains(#""uid":"alice""#))

            let list = try await gateway.ask("GET /v1/users/alice/identities", again.cookie)
            let id = try #require(list.body.firstMatch(of: #/"id":"([\w-]{22})"/#).map { String($0.1) }, "\(list.text)")
            #expect(list.body.contains(#""hasPassword":true"#))
            #expect(try await gateway.ask("DELETE /v1/users/bob/identities/\(id)", bob.cookie).status == 404)
            try await gateway.write("DELETE /v1/users/alice/identities/\(id)", with: again.cookie)
            #expect(try await come(provider, gateway).location == "/#refused=not-linked")
        }
    }

    @Test("a password is set by a provider only after signing in there once more, as the same person")
    func password() async throws {
        try await withProvider { provider, gateway in
            let (issuer, key) = (provider.issuer, provider.keys[0])
            let back = try await come(provider, gateway)
            let origin = "Origin: http://127.0.0.1:\(gateway.port)"
            let arrival = try #require(back.cookie("todomate_arrival"))
            let made = try await gateway.ask(
                "POST /v1/providers/acme/accounts",
                "Cookie: \(arrival)",
                origin,
                body: #"{"user":"pat"}"#
            )
            let pat = try gateway.client(in: made)
            let identities = try await gateway.ask("GET /v1/users/pat/identities", pat.cookie)
            #expect(identities.body.contains(#""hasPassword":false"#))
            let id = try #require(identities.body.firstMatch(of: #/"id":"([\w-]{22})"/#).map { String($0.1) })
            let last = try await gateway.ask("DELETE /v1/users/pat/identities/\(id)", pat.cookie)
            #expect(last.status == 412, "nobody could sign in any more: \(last.text)")

            @LoopActor
            func ask(_ spoil: @escaping (inout [String: Any]) -> Void) async throws -> Answer {
                let answer = try await gateway.ask(
                    "POST /v1/users/pat/identities",
                    pat.cookie,
                    body: #"{"provider":"acme"}"#
                )
                let location: [String: String] = try answer.read()
                let url = try #require(location["location"])
                #expect(url.contains("prompt=login") && url.contains("max_age=0") && url.contains("auth_time"))
                let journey = try BegunJourney(location: url, cookie: try #require(answer.fields("Set-Cookie").first))
                provider.receive(journey)
                provider.answer = { nonce in
                    var claims = FakeProvider.claims(of: "subject-1", "alice", nonce: nonce, issuer: issuer)
                    spoil(&claims)
                    return .signed(claims, key)
                }
                return try await gateway.comeBack(from: journey)
            }
            let old = Int(Date().timeIntervalSince1970) - 3600
            let late = try await ask { $0["auth_time"] = old }
            #expect(late.location == "/#refused=token", "signed in there an hour ago")
            let unknown = try await ask { $0["auth_time"] = nil }
            #expect(unknown.location == "/#refused=untimed", "or who knows when")
            let other = try await ask { $0["sub"] = "subject-2" }
            #expect(other.location == "/#refused=not-linked", "somebody else")
            let right = try await ask { _ in }
            let location = try #require(right.location)
            let code = try #require(
                location.firstMatch(of: ##/^/#reset=pat\.(.+)$/##).map { String($0.1) },
                "\(location)"
            )
            let body = "{\"user\":\"pat\",\"secret\":\"\(code)\",\"password\":\"chosen at last\"}"
            #expect(try await gateway.ask("POST /v1/password-reset", body: body).status == 201)
            #expect(try await gateway.trySigningIn("pat", "chosen at last").status == 201)
            try await eventually("all other sessions end") {
                try await !gateway.ask("GET /v1/session", pat.cookie).body.contains(#""uid""#)
            }
        }
    }
}
