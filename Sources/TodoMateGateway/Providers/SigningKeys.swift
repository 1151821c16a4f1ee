import Foundation

/// The keys that a provider signs with (RFC 7517): those by which signatures can be checked here.
struct SigningKeys: Sendable, Equatable {
    struct Key: Sendable, Equatable {
        let id: String?
        let type: String
        let algorithm: String?
        let json: String
    }

    let keys: [Key]

    /// - Throws: ``ProviderError/metadata(_:)`` for what is no set of keys.
    init(_ json: [UInt8]) throws(ProviderError) {
        guard let set = (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: Any],
            let entries = set["keys"] as? [[String: Any]]
        else { throw .metadata("its keys are not a JSON Web Key Set") }
        keys = entries.compactMap(Self.key)
    }

    /// Those that may have signed: of this id, where there is one, and for this algorithm.
    func candidates(id: String?, for algorithm: SignatureAlgorithm) -> [Key] {
        keys.filter { key in
            (id == nil || key.id == nil || key.id == id) && key.type == algorithm.keyType
                && (key.algorithm == nil || key.algorithm == algorithm.rawValue)
        }
    }

    private static func key(_ entry: [String: Any]) -> Key? {
        // A key for a shared secret is none that a public set may have; one for encryption signs nothing.
        guard let type = entry["kty"] as? String, ["RSA", "EC"].contains(type),
            entry["use"] as? String ?? "sig" == "sig",
            let data = try? JSONSerialization.data(withJSONObject: publicPart(of: entry))
        else { return nil }
        let json = String(decoding: data, as: UTF8.self)
        return Key(id: entry["kid"] as? String, type: type, algorithm: entry["alg"] as? String, json: json)
    }

    private static func publicPart(of entry: [String: Any]) -> [String: String] {
        entry.filter { ["kty", "n", "e", "crv", "x", "y", "kid"].contains($0.key) }.compactMapValues { $0 as? String }
    }
}

/// How tokens may be signed (RFC 7518, section 3.1): by a key pair alone, so that what checks a signature cannot make one.
enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"

    var keyType: String { rawValue.hasPrefix("ES") ? "EC" : "RSA" }
}
