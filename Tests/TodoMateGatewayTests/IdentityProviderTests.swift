import Foundation
import Testing

@testable import TodoMateGateway

@Suite("The file of providers")
struct IdentityProviderTests {
    private static let least = #""id":"acme","issuer":"https://id.acme.example","clientID":"todomate""#

    private static func list(_ json: String) throws -> [IdentityProvider] {
        try IdentityProvider.list(from: Array(json.utf8)) { "the secret in \($0)" }
    }

    @Test("needs an id, an issuer and the client's id; the rest is what is usual")
    func least() throws {
        let provider = try #require(try Self.list("{\"providers\":[{\(Self.least)}]}").first)
        #expect(provider.name == "acme" && provider.clientSecret == nil && provider.arrivals == .link)
        #expect(provider.scopes == ["profile", "email"] && provider.nameClaim == "preferred_username")
        #expect(provider.only.isEmpty)
        #expect(provider.callback(at: "https://todo.example") == "https://todo.example/v1/providers/acme/callback")
    }

    @Test("says all that there is to say of several")
    func whole() throws {
        let more =
            #""name":"Acme","clientSecretFile":"s","scopes":["openid","groups"],"nameFrom":"nick","accounts":"create""#
        let only = #""only":{"groups":["todo","staff"]}"#
        let other = #"{"id":"other","issuer":"http://127.0.0.1:9/o","clientID":"c","clientSecret":"plain"}"#
        let providers = try Self.list("{\"providers\":[{\(Self.least),\(more),\(only)},\(other)]}")
        #expect(providers.map(\.clientSecret) == ["the secret in s", "plain"])
        #expect(
            providers[0].scopes == ["groups"] && providers[0].nameClaim == "nick" && providers[0].arrivals == .create
        )
        #expect(
            providers[0].admits(["groups": .texts(["x", "staff"])]) && !providers[0].admits(["groups": .text("x")])
        )
        #expect(providers[1].admits([:]))
    }

    /// What is wrong, and a word of what is said about it.
    static let wrong: [(String, String)] = [
        ("", "not JSON"), ("[]", "not JSON"), ("{}", "'providers' is missing"),
        (#"{"providers":[]}"#, "no provider"),
        (#"{"providers":[{}]}"#, "'id' is missing"),
        (#"{"providers":[{"id":"a","issuer":"https://a.example"}]}"#, "'clientID' is missing"),
        ("{\"providers\":[{\(least),\"clientid\":\"x\"}]}", "there is no field 'clientid'"),
        ("{\"providers\":[{\(least),\"accounts\":\"everyone\"}]}", "'accounts'"),
        ("{\"providers\":[{\(least),\"clientSecret\":\"a\",\"clientSecretFile\":\"b\"}]}", "given twice"),
        ("{\"providers\":[{\(least),\"scopes\":[\"two words\"]}]}", "one word"),
        ("{\"providers\":[{\(least),\"name\":\"\"}]}", "must not be empty"),
        ("{\"providers\":[{\(least),\"only\":{}}]}", "must not be empty"),
        ("{\"providers\":[{\(least)},{\(least)}]}", "the id is given twice"),
        (#"{"providers":[{"id":"Acme Inc","issuer":"https://a.example","clientID":"c"}]}"#, "a to z"),
        ("{\"providers\":[{\(least)},\(least.replacing("acme\"", with: "b\"").wrapped)]}", "same issuer"),
    ]

    @Test("is refused whole where a part of it is wrong", arguments: wrong)
    func refusals(_ json: String, _ word: String) {
        let error = #expect(throws: (any Error).self) { try Self.list(json) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(word), "\(json): \(error.map { "\($0)" } ?? "-")")
    }

    @Test(
        "takes no issuer without TLS elsewhere than on this machine, and none with more than an address",
        arguments: [
            "http://id.acme.example", "http://127.evil.example", "http://localhost", "ftp://a.example", "acme", "",
            "https://",
            "https://user:pw@a.example", "https://a.example?x", "https://a.example#x", "https://a b.example",
            "javascript:alert(1)",
        ]
    )
    func issuers(_ issuer: String) {
        let json = "{\"providers\":[{\"id\":\"a\",\"issuer\":\"\(issuer)\",\"clientID\":\"c\"}]}"
        #expect(throws: IdentityProviderError.self) { try Self.list(json) }
    }

    @Test("a journey is answered by its own state, and soon")
    func journeys() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let journey = SignInJourney(to: "acme", now: now)
        for (state, age, isRight) in [
            (journey.state, 0.0, true), (journey.state, 899, true), (journey.state, 900, false),
            (journey.state, -59, true),
            (journey.state, -61, false), ("", 0, false), (journey.nonce, 0, false), (journey.state + "x", 0, false),
        ] {
            #expect(journey.expects(state: state, at: now + age) == isRight, "\(state) after \(age)")
        }
        #expect(journey != SignInJourney(to: "acme", now: now), "no two are alike")
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(SignInJourney.challenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("what was sealed opens with the secret of now and those of before, for its purpose and context alone")
    func seals() throws {
        let secret = String(repeating: "s", count: 32)
        let signer = try #require(TokenSigner(secret: secret))
        let later = try #require(TokenSigner(secret: String(repeating: "t", count: 32), formerSecrets: [secret]))
        let other = try #require(TokenSigner(secret: String(repeating: "u", count: 32)))
        let text = Seal(signer, for: "journey").seal([1, 2, 3], for: "acme")
        #expect(text != Seal(signer, for: "journey").seal([1, 2, 3], for: "acme"))
        let opened = Seal(signer, for: "journey").open(text, for: "acme")
        #expect(opened?.secret == [1, 2, 3] && opened?.isNewest == true)
        #expect(Seal(later, for: "journey").open(text, for: "acme")?.isNewest == false)
        #expect(Seal(other, for: "journey").open(text, for: "acme") == nil)
        #expect(Seal(signer, for: "arrival").open(text, for: "acme") == nil)
        #expect(Seal(signer, for: "journey").open(text, for: "other") == nil)
        for broken in [
            "", "AAAA", text + "AAAA", String(text.dropLast(4)),
            (text.first == "A" ? "B" : "A") + text.dropFirst(),
        ] {
            #expect(Seal(signer, for: "journey").open(broken, for: "acme") == nil, "\(broken)")
        }
    }
}

extension String {
    fileprivate var wrapped: String { "{\(self)}" }
}
