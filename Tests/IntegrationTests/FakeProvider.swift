import CJose
import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

@testable import TodoMateGateway

/// An OpenID provider that says whatever a test has it say.
@LoopActor
final class FakeProvider {
    /// What it answers to a code.
    enum TokenAnswer {
        /// A token of these claims, signed by this key.
        case signed([String: Any], TestKey)
        /// A text in place of the token.
        case text(String)
        /// A status and a body.
        case other(Int, String)
    }

    /// What all of them sign with at first, as a key takes a moment to be made.
    private static let key = TestKey("first")

    let issuer: String
    /// The keys that it publishes.
    var keys: [TestKey]
    /// What it says of itself besides the usual.
    var metadata: [String: Any] = [:]
    /// Whether its keys are published for encryption alone.
    var encryptsAlone = false
    /// What comes for a code; at first a good token of alice's.
    var answer: (_ nonce: String) -> TokenAnswer
    /// How often it was asked what it says of itself.
    private(set) var described = 0
    /// What was posted with the last code.
    private(set) var form: [String: String] = [:]
    /// The name and password that came with it.
    private(set) var authorization: String?
    private let server: HTTPServer
    private var nonce = ""

    init() throws {
        let router = HTTPRouter()
        server = HTTPServer(router, limits: HTTPLimits())
        let port = try server.listen(host: "127.0.0.1", port: 0)
        let issuer = "http://127.0.0.1:\(port)"
        self.issuer = issuer
        let key = Self.key
        keys = [key]
        answer = { .signed(Self.claims(of: "subject-1", "alice", nonce: $0, issuer: issuer), key) }
        router.on(.get, "/.well-known/openid-configuration") { [unowned self] _, _ in
            described += 1
            return .response(.json(Self.json(description)))
        }
        router.on(.get, "/keys") { [unowned self] _, _ in
            let use = encryptsAlone ? "enc" : "sig"
            let published = keys.map { "{\"use\":\"\(use)\"," + $0.publicJSON.dropFirst() }
            return .response(.json("{\"keys\":[\(published.joined(separator: ","))]}"))
        }
        router.on(.post, "/token") { [unowned self] request, _ in .response(token(for: request)) }
    }

    func close() { server.close() }

    /// As a provider of a server under test.
    func configured(
        _ id: String = "acme",
        _ arrivals: IdentityProvider.Arrivals = .create,
        only: [String: [String]] = [:]
    ) -> IdentityProvider {
        IdentityProvider(
            id: id,
            name: "Acme",
            issuer: issuer,
            clientID: "client one",
            clientSecret: "s:cret",
            scopes: ["profile"],
            nameClaim: "preferred_username",
            arrivals: arrivals,
            only: only
        )
    }

    /// The claims of a good token.
    nonisolated static func claims(
        of subject: String,
        _ name: String,
        nonce: String,
        issuer: String,
        now: Date = Date()
    ) -> [String: Any] {
        let time = Int(now.timeIntervalSince1970)
        return [
            "iss": issuer, "aud": "client one", "sub": subject, "nonce": nonce, "iat": time, "exp": time + 300,
            "auth_time": time, "preferred_username": name, "groups": ["todo"],
        ]
    }

    /// What the browser would be sent back with: the provider knows the nonce from the way there.
    func receive(_ journey: BegunJourney) { nonce = journey.nonce }

    private var description: [String: Any] {
        [
            "issuer": issuer, "authorization_endpoint": "\(issuer)/authorize?tenant=1",
            "token_endpoint": "\(issuer)/token",
            "jwks_uri": "\(issuer)/keys", "end_session_endpoint": "\(issuer)/end",
            "response_types_supported": ["code"],
        ].merging(metadata) { $1 }
    }

    private func token(for request: HTTPRequest) -> HTTPResponse {
        let parts = URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems ?? []
        form = Dictionary(parts.map { ($0.name, $0.value ?? "") }) { $1 }
        authorization = request.headers["authorization"]
        return switch answer(nonce) {
        case .signed(let claims, let key): .json(Self.json(["id_token": key.sign(claims), "token_type": "Bearer"]))
        case .text(let text): .json(Self.json(["id_token": text]))
        case .other(let status, let body): HTTPResponse(status: status, body: Array(body.utf8))
        }
    }

    nonisolated static func json(_ value: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// A key pair that signs tokens.
final class TestKey {
    private let key: OpaquePointer
    private let id: String

    init(_ id: String) {
        self.id = id
        var error = cjose_err()
        let exponent: [UInt8] = [1, 0, 1]
        guard let key = cjose_jwk_create_RSA_random(2048, exponent, exponent.count, &error),
            cjose_jwk_set_kid(key, id, id.utf8.count, &error)
        else { preconditionFailure("cjose makes no key") }
        self.key = key
    }

    deinit { cjose_jwk_release(key) }

    /// The part that anyone may know.
    var publicJSON: String {
        var error = cjose_err()
        guard let text = cjose_jwk_to_json(key, false, &error) else { preconditionFailure("cjose writes no key") }
        defer { free(text) }
        return String(cString: text)
    }

    func sign(_ claims: [String: Any], _ fields: [String: String] = [:]) -> String {
        var error = cjose_err()
        let payload = Array(FakeProvider.json(claims).utf8)
        let header = cjose_header_new(&error)
        defer { cjose_header_release(header) }
        for (name, value) in ["alg": "RS256", "kid": id].merging(fields, uniquingKeysWith: { $1 }) {
            cjose_header_set(header, name, value, &error)
        }
        guard let jws = cjose_jws_sign(key, header, payload, payload.count, &error) else {
            preconditionFailure("cjose signs nothing")
        }
        defer { cjose_jws_release(jws) }
        var text: UnsafePointer<CChar>?
        guard cjose_jws_export(jws, &text, &error), let text else { preconditionFailure("cjose writes no token") }
        return String(cString: text)
    }
}

/// A way to a provider that a browser was sent on.
struct BegunJourney: Sendable {
    let state: String
    let nonce: String
    let challenge: String
    let redirect: String
    let url: String
    /// What the browser keeps.
    let cookie: String

    init(location: String, cookie: String) throws {
        let parts = try #require(URLComponents(string: location))
        func value(_ name: String) throws -> String {
            try #require(parts.queryItems?.first { $0.name == name }?.value, "\(name) in \(location)")
        }
        url = location
        state = try value("state")
        nonce = try value("nonce")
        challenge = try value("code_challenge")
        redirect = try value("redirect_uri")
        self.cookie = String(cookie.prefix { $0 != ";" })
    }
}

extension HTTPGateway {
    /// Sends a browser to a provider.
    func begin(by id: String = "acme") async throws -> BegunJourney {
        let answer = try await ask("GET /v1/providers/\(id)/begin")
        try #require(answer.status == 303, "\(answer.text)")
        let location = try #require(answer.fields("Location").first)
        return try BegunJourney(location: location, cookie: try #require(answer.fields("Set-Cookie").first))
    }

    /// Has the browser come back.
    func comeBack(
        from journey: BegunJourney,
        by id: String = "acme",
        state: String? = nil,
        more: String = "&code=c0de",
        cookie: String? = nil
    ) async throws -> Answer {
        let query = "state=\(state ?? journey.state)\(more)"
        let cookie = cookie ?? journey.cookie
        return try await ask("GET /v1/providers/\(id)/callback?\(query)", cookie.isEmpty ? [] : ["Cookie: \(cookie)"])
    }
}

extension Answer {
    /// Where the browser is sent.
    var location: String? { fields("Location").first }

    /// The value of a cookie that it sets.
    func cookie(_ name: String) -> String? {
        fields("Set-Cookie").first { $0.hasPrefix("\(name)=") }.map { String($0.prefix { $0 != ";" }) }
    }
}
