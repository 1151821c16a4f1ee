import HTTPServing

/// A cookie of this server's page, such as the one that keeps it signed in.
///
/// Over TLS it is `__Host-todomate_session` or alike with `Secure`: browsers take a cookie of that name from this very host alone,
/// over TLS, so that neither a neighbouring name nor a plain connection can put another in its place (RFC 6265bis, section
/// 4.1.3.2). Whether there is TLS in front is for the configuration to say, or for a trusted proxy; a request says nothing
/// about it that could be believed.
struct SessionCookie: Sendable {
    /// What it is for.
    enum Purpose: String, Sendable {
        /// Who is signed in.
        case session
        /// What was asked of a provider, which sends people back from its own site.
        case journey
        /// Whom a provider knows and who chooses a name here.
        case arrival
    }

    private let purpose: Purpose
    private let proxies: TrustedProxies
    private let isAlwaysSecure: Bool

    init(_ purpose: Purpose = .session, proxies: TrustedProxies = TrustedProxies(), isAlwaysSecure: Bool = false) {
        self.purpose = purpose
        self.proxies = proxies
        self.isAlwaysSecure = isAlwaysSecure
    }

    /// The cookie of the same server for another purpose.
    func other(_ purpose: Purpose) -> SessionCookie {
        SessionCookie(purpose, proxies: proxies, isAlwaysSecure: isAlwaysSecure)
    }

    private func name(isSecure: Bool) -> String { "\(isSecure ? "__Host-" : "")todomate_\(purpose.rawValue)" }

    /// What the browser keeps; nil for nothing.
    func value(in request: HTTPRequest) -> String? {
        guard request.headers["cookie"] != nil else { return nil }
        return request.cookie(name(isSecure: isSecure(request)))
    }

    /// The field that has a browser keep a token for so many seconds; none at once ends it.
    func field(_ token: String, lasting seconds: Int, for request: HTTPRequest) -> String {
        let isSecure = isSecure(request)
        let secure = isSecure ? "; Secure" : ""
        // A browser that a provider sends back comes from another site.
        let sites = purpose == .journey ? "Lax" : "Strict"
        return
            "\(name(isSecure: isSecure))=\(token); Path=/; HttpOnly; SameSite=\(sites); Max-Age=\(seconds)\(secure)"
    }

    private func isSecure(_ request: HTTPRequest) -> Bool { isAlwaysSecure || proxies.sayTLS(of: request) }
}
