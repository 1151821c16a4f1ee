import Foundation
import TodoMate

/// An OpenID provider by which people sign in, as the operator describes it.
public struct IdentityProvider: Sendable, Equatable {
    /// Who gets an account by it.
    public enum Arrivals: String, Sendable, Codable, CaseIterable {
        /// Everyone whom it knows.
        case create
        /// Nobody: it opens accounts that are there and were linked by their owners.
        case link
    }

    /// What it is called in paths and in Redis: a to z, digits and dashes.
    public let id: String
    /// What it is called on the page.
    public let name: String
    /// Its URL, as it names itself.
    public let issuer: String
    /// What this server is called there.
    public let clientID: String
    /// What this server shows there; nil for a client without a secret.
    public let clientSecret: String?
    /// What is asked for besides `openid`.
    public let scopes: [String]
    /// The claim that a name is proposed from.
    public let nameClaim: String
    /// Who gets an account by it.
    public let arrivals: Arrivals
    /// Claims of which one of the values must be there.
    public let only: [String: [String]]

    /// Where it sends people back to.
    func callback(at publicURL: String) -> String { "\(publicURL)/v1/providers/\(id)/callback" }

    /// Whether it lets claims in that a token has.
    func admits(_ claims: [String: ClaimValue]) -> Bool {
        only.allSatisfy { name, values in claims[name].map { !$0.texts.isDisjoint(with: values) } ?? false }
    }
}

extension IdentityProvider {
    /// The providers in a file that the operator writes: `{"providers":[{"id":"acme","name":"Acme","issuer":"https://id.acme.example",
    /// "clientID":"todomate","clientSecretFile":"/run/secrets/acme","scopes":["profile","email"],
    /// "nameFrom":"preferred_username","accounts":"create","only":{"groups":["todo"]}}]}`; from `name` on all but the issuer and the
    /// client's id may be left out.
    ///
    /// - Parameters:
    ///   - json: the file's bytes.
    ///   - secret: reads a secret from a file.
    /// - Throws: ``IdentityProviderError``, and what `secret` throws.
    public static func list(from json: [UInt8], secret: (String) throws -> String) throws -> [IdentityProvider] {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: Data(json))
        } catch {
            throw IdentityProviderError.unreadable(DecodingError.words(error))
        }
        guard !file.providers.isEmpty else { throw IdentityProviderError.unreadable("it names no provider") }
        let providers = try file.providers.map { try $0.provider(secret) }
        for (index, provider) in providers.enumerated() {
            guard !providers[..<index].contains(where: { $0.id == provider.id }) else {
                throw IdentityProviderError.invalid(provider.id, "the id is given twice")
            }
            // Each would open the other's accounts.
            guard !providers[..<index].contains(where: { $0.issuer == provider.issuer }) else {
                throw IdentityProviderError.invalid(provider.id, "another provider has the same issuer")
            }
        }
        return providers
    }

    private struct File: Decodable {
        var providers: [Entry]
    }

    private struct Entry: Decodable {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, issuer, clientID, clientSecret, clientSecretFile, scopes, nameFrom, accounts, only
        }

        var id: String
        var name: String?
        var issuer: String
        var clientID: String
        var clientSecret: String?
        var clientSecretFile: String?
        var scopes: [String]?
        var nameFrom: String?
        var accounts: Arrivals?
        var only: [String: [String]]?

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(except: CodingKeys.allCases.map(\.stringValue))
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.decode(String.self, forKey: .id)
            name = try fields.decodeIfPresent(String.self, forKey: .name)
            issuer = try fields.decode(String.self, forKey: .issuer)
            clientID = try fields.decode(String.self, forKey: .clientID)
            clientSecret = try fields.decodeIfPresent(String.self, forKey: .clientSecret)
            clientSecretFile = try fields.decodeIfPresent(String.self, forKey: .clientSecretFile)
            scopes = try fields.decodeIfPresent([String].self, forKey: .scopes)
            nameFrom = try fields.decodeIfPresent(String.self, forKey: .nameFrom)
            accounts = try fields.decodeIfPresent(Arrivals.self, forKey: .accounts)
            only = try fields.decodeIfPresent([String: [String]].self, forKey: .only)
        }

        func provider(_ secret: (String) throws -> String) throws -> IdentityProvider {
            guard IdentityDraft.isProvider(id) else {
                throw IdentityProviderError.invalid(id, "an id has at most 32 of a to z, digits and dashes")
            }
            guard ProviderURL.isSafe(issuer), !issuer.contains(where: { "?#".contains($0) }) else {
                throw IdentityProviderError.invalid(id, "the issuer must be an https:// URL without ? and #")
            }
            guard clientSecret == nil || clientSecretFile == nil else {
                throw IdentityProviderError.invalid(id, "the secret is given twice")
            }
            let scopes = scopes ?? ["profile", "email"]
            guard scopes.allSatisfy({ $0.wholeMatch(of: /[!#-\[\]-~]+/) != nil }) else {
                throw IdentityProviderError.invalid(id, "a scope is one word")
            }
            guard !clientID.isEmpty, name?.isEmpty != true, only?.isEmpty != true else {
                throw IdentityProviderError.invalid(id, "clientID, name and only must not be empty")
            }
            return IdentityProvider(
                id: id,
                name: name ?? id,
                issuer: issuer,
                clientID: clientID,
                clientSecret: try clientSecretFile.map(secret) ?? clientSecret,
                scopes: scopes.filter { $0 != "openid" },
                nameClaim: nameFrom ?? "preferred_username",
                arrivals: accounts ?? .link,
                only: only ?? [:]
            )
        }
    }
}

/// Why a file of providers is of no use.
public enum IdentityProviderError: Error, Equatable, CustomStringConvertible {
    /// It is not what is expected of such a file.
    case unreadable(String)
    /// One provider of it is not.
    case invalid(String, String)

    /// What is wrong, and with which provider.
    public var description: String {
        switch self {
        case .unreadable(let reason): "the file of providers cannot be read: \(reason)"
        case .invalid(let id, let reason): "the provider '\(id)': \(reason)"
        }
    }
}
