import CSodium
package import Foundation
package import TodoMate

/// A JSON Web Token (RFC 7519) that names a user and a session, signed with HS256 (RFC 7515).
///
/// Its payload is `{"sub":uid,"iat":…,"exp":…,"jti":id,"gen":generation,"v":2,"scp":scope}`; those of older versions have no
/// `v` and no `scp`, and count as a program's that may write. Verifying accepts the algorithm HS256 alone,
/// whatever the header says, no header with `crit`, and wants all of an end, a subject that can be a user, an id and a
/// generation. A valid token counts only while its session is live, which the account knows.
package struct SessionToken: Sendable, Equatable {
    /// Whose it is.
    package let uid: String
    /// When it ends.
    package let expiry: Date
    /// The session that it stands for.
    package let id: String
    /// The generation of the account in which the session began.
    package let generation: Int
    /// What it may do.
    package let scope: SessionScope

    /// A token of these parts.
    package init(
        uid: String,
        expiry: Date,
        id: String,
        generation: Int,
        scope: SessionScope = .token(.write)
    ) {
        self.uid = uid
        self.expiry = expiry
        self.id = id
        self.generation = generation
        self.scope = scope
    }
}

/// What a session may do; told by its token, so that nobody has to be asked.
package enum SessionScope: Sendable, Equatable {
    /// All that its owner may: somebody has signed in.
    case account
    /// What a program may.
    case token(TokenScope)

    /// The word in a token.
    var word: String {
        switch self {
        case .account: "account"
        case .token(let scope): scope.rawValue
        }
    }

    /// Nil for a word that there is not.
    init?(word: String) {
        if word == "account" {
            self = .account
        } else if let scope = TokenScope(rawValue: word) {
            self = .token(scope)
        } else {
            return nil
        }
    }
}

/// Signs and verifies session tokens with the secret that all workers share.
public struct TokenSigner: Sendable {
    /// Fewer bytes than the hash has would weaken it (RFC 7518, section 3.2).
    public static let shortestSecret = 32
    /// The first that says what a token may do.
    private static let version = 2
    /// Clocks of different machines may differ by so much.
    private static let leeway: TimeInterval = 5
    /// The most bytes of a token.
    private static let longest = 2048

    /// The secret, and behind it those from before a change, whose tokens are still good.
    private let keys: [crypto_auth_hmacsha256_state]
    let verified = VerifiedTokens()

    /// Nil when one of the secrets is shorter than ``shortestSecret`` bytes.
    ///
    /// - Parameters:
    ///   - secret: signs.
    ///   - formerSecrets: what was signed with these is still accepted, so that a secret can be changed while people are
    ///     signed in.
    public init?(secret: String, formerSecrets: [String] = []) {
        guard ([secret] + formerSecrets).allSatisfy({ $0.utf8.count >= Self.shortestSecret }) else { return nil }
        self.init(secret: Array(secret.utf8), formerSecrets: formerSecrets.map { Array($0.utf8) })
    }

    /// A signer with a secret of its own: its tokens are of no use to another process.
    package static func unshared() -> TokenSigner { TokenSigner(secret: Sodium.random(shortestSecret)) }

    private init(secret: [UInt8], formerSecrets: [[UInt8]] = []) {
        keys = ([secret] + formerSecrets).map { Sodium.prepared(key: $0) }
    }

    private struct Header: Decodable {
        var alg: String
        var typ: String?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            // Extensions that must be understood, and none is (RFC 7515, section 4.1.11).
            guard !fields.contains(.crit) else {
                throw DecodingError.dataCorruptedError(forKey: .crit, in: fields, debugDescription: "not understood")
            }
            alg = try fields.decode(String.self, forKey: .alg)
            typ = try fields.decodeIfPresent(String.self, forKey: .typ)
        }

        private enum CodingKeys: CodingKey { case alg, typ, crit }
    }

    private struct Payload: Decodable {
        var sub: String
        var iat: Double?
        var nbf: Double?
        var exp: Double
        var jti: String
        var gen: Int
        var v: Int?
        var scp: String?

        /// Nil where the two do not go together, or a later version has words of its own.
        var scope: SessionScope? {
            switch (v, scp) {
            case (nil, nil): .token(.write)
            case (TokenSigner.version, let word?): SessionScope(word: word)
            default: nil
            }
        }
    }

    /// A code for a text, the same for all who have the secret; it reveals nothing of the text to others.
    func code(of text: String) -> String {
        // No token begins with a NUL: a code is never part of a signature.
        Base64URL.encode(Sodium.authenticate([0] + text.utf8, under: keys[0]).prefix(16))
    }

    /// Keys of 32 bytes for another purpose, one of each secret, the newest in front.
    func keys(for purpose: String) -> [[UInt8]] {
        // Neither a token nor what a code is made of begins with this byte.
        keys.map { Sodium.authenticate(([1] + purpose.utf8)[...], under: $0) }
    }

    /// The token as text.
    package func sign(_ token: SessionToken, now: Date = Date()) -> String {
        let seconds = Int(now.timeIntervalSince1970)
        let payload =
            "{\"sub\":\"\(token.uid)\",\"iat\":\(seconds),\"exp\":\(Int(token.expiry.timeIntervalSince1970)),"
            + "\"jti\":\"\(token.id)\",\"gen\":\(token.generation),"
            + "\"v\":\(Self.version),\"scp\":\"\(token.scope.word)\"}"
        let signed = "\(Self.ownHeader).\(Base64URL.encode(payload.utf8))"
        return "\(signed).\(Base64URL.encode(Sodium.authenticate(Array(signed.utf8)[...], under: keys[0])))"
    }

    /// The token in a text; nil when it is broken, signed otherwise, not valid yet, or over.
    package func verify(_ text: String, now: Date = Date()) -> SessionToken? {
        // Equal texts may differ in their bytes, such as by the Kelvin sign for a K, but not when both are ASCII.
        guard text.utf8.count <= Self.longest, Self.isASCII(text) else { return nil }
        let time = now.timeIntervalSince1970
        let counts = { (entry: VerifiedTokens.Entry) in
            entry.token.expiry.timeIntervalSince1970 > time && entry.start <= time + Self.leeway
        }
        let entry = verified.entry(of: text) { decode(text).flatMap { counts($0) ? $0 : nil } }
        return entry.flatMap { counts($0) ? $0.token : nil }
    }

    private static func isASCII(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var all: UInt8 = 0
            for byte in bytes { all |= byte }
            return all < 0x80
        }
    }

    /// What a token with the right signature says.
    private func decode(_ text: String) -> VerifiedTokens.Entry? {
        // Bytes, not characters, which are slow to compare.
        let (text, dot) = (Array(text.utf8), UInt8(ascii: "."))
        // A third dot is no character of a signature.
        guard let first = text.firstIndex(of: dot), let second = text[(first + 1)...].firstIndex(of: dot),
            let signature = Base64URL.decode(text[(second + 1)...])
        else { return nil }
        let isSigned = keys.contains { Sodium.isEqual(signature, Sodium.authenticate(text[..<second], under: $0)) }
        // Nothing inside is looked at before the signature is right.
        guard isSigned, Self.isHS256(text[..<first]), let payload = Self.payload(text[(first + 1)..<second]),
            (try? TodoBounds.uid(payload.sub)) != nil, let scope = payload.scope
        else { return nil }
        let token = SessionToken(
            uid: payload.sub,
            expiry: Date(timeIntervalSince1970: payload.exp),
            id: payload.jti,
            generation: payload.gen,
            scope: scope
        )
        return VerifiedTokens.Entry(token: token, start: max(payload.nbf ?? 0, payload.iat ?? 0))
    }

    private static let ownHeader = Base64URL.encode(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
    private static let ownHeaderBytes = Array(ownHeader.utf8)[...]

    private static func isHS256(_ part: ArraySlice<UInt8>) -> Bool {
        if part == ownHeaderBytes { return true }
        let header: Header? = decode(part)
        return header?.alg == "HS256"
    }

    private static func payload(_ part: ArraySlice<UInt8>) -> Payload? {
        // The tokens of this server are spelled like this; any other is for the decoder.
        Base64URL.decode(part).flatMap(ownPayload) ?? decode(part)
    }

    private static func ownPayload(_ bytes: [UInt8]) -> Payload? {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = MessageScanner(bytes)
            guard let sub = scanner.string(after: #"{"sub":""#).flatMap(plain),
                let iat = scanner.wholeNumber(after: #","iat":"#), let exp = scanner.wholeNumber(after: #","exp":"#),
                let jti = scanner.string(after: #","jti":""#).flatMap(plain),
                let gen = scanner.wholeNumber(after: #","gen":"#), let version = scanner.wholeNumber(after: #","v":"#),
                let scope = scanner.string(after: #","scp":""#).flatMap(plain), scanner.ends(with: "}")
            else { return nil }
            return Payload(sub: sub, iat: Double(iat), exp: Double(exp), jti: jti, gen: gen, v: version, scp: scope)
        }
    }

    /// A string of JSON, of ASCII in which nothing is escaped.
    private static func plain(_ text: MessageScanner.Text) -> String? {
        let isPlain = text.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
        return isPlain ? String(decoding: text, as: UTF8.self) : nil
    }

    private static func decode<Value: Decodable>(_ part: ArraySlice<UInt8>) -> Value? {
        Base64URL.decode(part).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
