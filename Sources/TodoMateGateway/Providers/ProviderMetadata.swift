import Foundation

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3).
struct ProviderMetadata: Sendable, Equatable {
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let keysURL: String
    /// Where people sign out; nil where they cannot.
    let endSessionEndpoint: String?
    /// Whether the client's secret goes into the body, as the other way is not offered.
    let takesSecretInBody: Bool
    /// Whether each answer names its issuer (RFC 9207).
    let namesIssuer: Bool

    /// Where it is found.
    static func url(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Reads it.
    ///
    /// - Throws: ``ProviderError/metadata(_:)`` for another issuer's, and for what this server cannot work with.
    init(_ json: [UInt8], of issuer: String) throws(ProviderError) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)) else {
            throw .metadata("it is not the JSON of OpenID Connect Discovery")
        }
        guard document.issuer == issuer else {
            throw .metadata("it says that its issuer is '\(document.issuer.prefix(200))', not '\(issuer)'")
        }
        let endpoints = [document.authorization_endpoint, document.token_endpoint, document.jwks_uri]
        // Only a provider of this very machine may send its requests to this machine.
        let isLocal = issuer.hasPrefix("http://")
        guard
            (endpoints + [document.end_session_endpoint].compactMap(\.self)).allSatisfy({ url in
                ProviderURL.isSafe(url) && (isLocal || url.hasPrefix("https://"))
            })
        else {
            throw .metadata("its endpoints must be https:// URLs")
        }
        guard document.response_types_supported?.contains("code") != false else {
            throw .metadata("it does not answer with a code")
        }
        // Where this is not said, the challenge is sent all the same, as most providers take it.
        guard document.code_challenge_methods_supported?.contains("S256") != false else {
            throw .metadata("it does not take PKCE's S256")
        }
        authorizationEndpoint = document.authorization_endpoint
        tokenEndpoint = document.token_endpoint
        keysURL = document.jwks_uri
        endSessionEndpoint = document.end_session_endpoint
        namesIssuer = document.authorization_response_iss_parameter_supported ?? false
        let methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
        takesSecretInBody = !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
    }

    private struct Document: Decodable {
        var issuer: String
        var authorization_endpoint: String
        var token_endpoint: String
        var jwks_uri: String
        var end_session_endpoint: String?
        var response_types_supported: [String]?
        var code_challenge_methods_supported: [String]?
        var token_endpoint_auth_methods_supported: [String]?
        var authorization_response_iss_parameter_supported: Bool?
    }
}
