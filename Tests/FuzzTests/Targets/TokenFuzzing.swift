import Foundation

@testable import HTTPServing
@testable import TodoMate
@testable import TodoMateGateway

/// Session tokens, as cookies and as bearer tokens.
enum TokenFuzzing {
    private static let secret = String(repeating: "s", count: 32)
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)

    static func check(_ bytes: [UInt8]) throws {
        let signer = try require(TokenSigner(secret: secret), "the secret is refused")
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text, signer)
        try checkMutation(bytes, signer)
        try check(signed(text), signer)
        try checkCookie(text)
    }

    /// A text that is accepted has the right signature, names a user and is not over.
    private static func check(_ text: String, _ signer: TokenSigner) throws {
        guard let token = signer.verify(text, now: now) else { return }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        try require(parts.count == 3, "accepted with \(parts.count) parts")
        let code = Sodium.authenticate(parts[0] + [UInt8(ascii: ".")] + parts[1], key: Array(secret.utf8))
        try require(Array(Base64URL.encode(code).utf8) == parts[2], "accepted with another signature")
        let header = try claims(parts[0])
        try require(header.alg == "HS256", "accepted with the algorithm \(header.alg ?? "none")")
        try require(try !keys(parts[0]).contains("crit"), "accepted with extensions that must be understood")
        let payload = try claims(parts[1])
        try require(token.expiry > now, "accepted although it is over")
        for start in [payload.nbf, payload.iat].compactMap({ $0 }) {
            try require(start <= now.timeIntervalSince1970 + 5, "accepted before its time")
        }
        // It may do what it says, and only what this version knows.
        switch (payload.v, payload.scp) {
        case (nil, nil): try require(token.scope == .token(.write), "an older one may do \(token.scope)")
        case (2, let word?): try require(token.scope.word == word, "accepted as \(token.scope), and says \(word)")
        default: try require(false, "accepted with \(payload.v ?? 0) and \(payload.scp ?? "none")")
        }
        // The user's id goes into paths, keys and JSON as it is.
        try require(TodoBounds.isUID(token.uid.utf8), "accepted for '\(token.uid)', who can be no user")
        let again = SessionToken(
            uid: token.uid,
            expiry: min(token.expiry, Date.distantFuture),
            id: "Zm9vYmFyYmF6cXV4cXV1eA",
            generation: 7,
            scope: token.scope
        )
        let read = signer.verify(signer.sign(again, now: now), now: now)
        try require(read?.uid == token.uid && read?.scope == token.scope, "does not sign again")
    }

    private struct Claims: Decodable {
        var alg: String?
        var nbf, iat: Double?
        var v: Int?
        var scp: String?
    }

    private static func claims(_ part: [UInt8]) throws -> Claims {
        let bytes = try require(Base64URL.decode(String(decoding: part, as: UTF8.self)), "a part is not base64url")
        return try JSONDecoder().decode(Claims.self, from: Data(bytes))
    }

    private static func keys(_ part: [UInt8]) throws -> Set<String> {
        let bytes = try require(Base64URL.decode(String(decoding: part, as: UTF8.self)), "a part is not base64url")
        return Set((try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]).keys)
    }

    /// A valid token with anything changed is no longer one: each two bytes of the input say where, and what instead.
    private static func checkMutation(_ bytes: [UInt8], _ signer: TokenSigner) throws {
        let valid = Array(
            signer.sign(
                SessionToken(uid: "alice", expiry: now + 60, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7),
                now: now
            ).utf8
        )
        var mutated = valid
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            mutated[Int(bytes[index]) % mutated.count] = bytes[index + 1]
        }
        let isAccepted = signer.verify(String(decoding: mutated, as: UTF8.self), now: now) != nil
        try require(isAccepted == (mutated == valid), "accepts \(String(decoding: mutated, as: UTF8.self))")
    }

    /// The text as the payload, or when it has a line break as header and payload, rightly signed.
    private static func signed(_ text: String) -> String {
        let parts = text.split(separator: "\n", maxSplits: 1)
        let header = parts.count > 1 ? String(parts[0]) : #"{"alg":"HS256","typ":"JWT"}"#
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode((parts.last ?? "").utf8))"
        return "\(signed).\(Base64URL.encode(Sodium.authenticate(Array(signed.utf8), key: Array(secret.utf8))))"
    }

    /// No cookie of another name is taken for the session's.
    private static func checkCookie(_ text: String) throws {
        let name = "todomate_session"
        let request = HTTPRequest(method: .get, path: "/", headers: ["Cookie": text])
        guard let cookie = request.cookie(name) else { return }
        try require(!cookie.utf8.contains(UInt8(ascii: ";")), "the cookie '\(cookie)' runs on")
        // As the server has it: no field holds control characters.
        let field = request.headers["cookie"] ?? ""
        let pairs = field.utf8.split(separator: UInt8(ascii: ";")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        try require(
            pairs.contains { $0.starts(with: name.utf8) },
            "the cookie '\(cookie)' has another name"
        )
        let pair = "\(name)=\(cookie)"
        let again = HTTPRequest(method: .get, path: "/", headers: ["Cookie": "a=b; \(pair); c=d"])
        try require(again.cookie(name) == cookie, "'\(cookie)' reads back otherwise")
    }
}
