import CJose
import Foundation

/// A JSON Web Token as a provider signs it (RFC 7515), whose signature is checked by cjose.
struct SignedToken: Sendable {
    private static let longest = 65_536

    let algorithm: SignatureAlgorithm
    let keyID: String?
    private let text: String

    /// - Throws: ``ProviderError/token(_:)`` for what is none, or is signed in a way that is not taken.
    init(_ text: String) throws(ProviderError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 3, let bytes = Base64URL.decode(parts[0]),
            let header = try? JSONDecoder().decode(Header.self, from: Data(bytes))
        else { throw .token("it is not a signed JSON Web Token") }
        guard let algorithm = SignatureAlgorithm(rawValue: header.alg) else {
            throw .token("it is signed by \(header.alg.prefix(20)), which is not taken")
        }
        // Extensions that must be understood, and none is (RFC 7515, section 4.1.11).
        guard !header.isCritical else { throw .token("it has extensions that must be understood") }
        (self.algorithm, self.text, keyID) = (algorithm, text, header.kid)
    }

    /// The claims, if one of the keys has signed them; nil otherwise.
    func claims(signedBy keys: [SigningKeys.Key]) -> [String: ClaimValue]? {
        for key in keys {
            guard let payload = payload(signedBy: key) else { continue }
            return try? JSONDecoder().decode([String: ClaimValue].self, from: Data(payload))
        }
        return nil
    }

    private func payload(signedBy key: SigningKeys.Key) -> [UInt8]? {
        var error = cjose_err()
        guard let jwk = cjose_jwk_import(key.json, key.json.utf8.count, &error) else { return nil }
        defer { cjose_jwk_release(jwk) }
        guard let jws = cjose_jws_import(text, text.utf8.count, &error) else { return nil }
        defer { cjose_jws_release(jws) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard cjose_jws_verify(jws, jwk, &error), cjose_jws_get_plaintext(jws, &bytes, &count, &error), let bytes
        else { return nil }
        // The bytes are the token's, which ends here.
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String?
        var isCritical: Bool

        private enum CodingKeys: CodingKey { case alg, kid, crit }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            alg = try fields.decode(String.self, forKey: .alg)
            kid = try fields.decodeIfPresent(String.self, forKey: .kid)
            isCritical = fields.contains(.crit)
        }
    }
}
