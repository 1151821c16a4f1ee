import Foundation

/// Which addresses of providers may be asked, and sent to.
enum ProviderURL {
    /// Whether a URL is one over TLS, or of this machine, where tests have their providers.
    static func isSafe(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.password == nil, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
        else { return false }
        return parts.scheme == "https" || parts.scheme == "http" && GatewayConfiguration.isLoopback(host)
    }

    /// A URL with parameters behind those that it has.
    static func adding(_ parameters: [(name: String, value: String)], to url: String) -> String {
        url + (url.contains("?") ? "&" : "?") + form(parameters)
    }

    /// Parameters as a form has them (application/x-www-form-urlencoded, with `%20` for a space).
    static func form(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
