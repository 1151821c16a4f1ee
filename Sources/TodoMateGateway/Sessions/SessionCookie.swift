import HTTPServing

/// The cookie that keeps the page of this server signed in.
///
/// Over TLS it is `__Host-todomate_session` with `Secure`: browsers take a cookie of that name from this very host alone,
/// over TLS, so that neither a neighbouring name nor a plain connection can put another in its place (RFC 6265bis, section
/// 4.1.3.2). Whether there is TLS in front is for the configuration to say, or for a trusted proxy; a request says nothing
/// about it that could be believed.
struct SessionCookie: Sendable {
    private static let plainName = "todomate_session"
    private static let secureName = "__Host-todomate_session"

    private let proxies: TrustedProxies
    private let isAlwaysSecure: Bool

    init(proxies: TrustedProxies = TrustedProxies(), isAlwaysSecure: Bool = false) {
        self.proxies = proxies
        self.isAlwaysSecure = isAlwaysSecure
    }

    /// What the browser keeps; nil for nothing.
    func value(in request: HTTPRequest) -> String? {
        guard request.headers["cookie"] != nil else { return nil }
        return request.cookie(isSecure(request) ? Self.secureName : Self.plainName)
    }

    /// The field that has a browser keep a token for so many seconds; none at once ends it.
    func field(_ token: String, lasting seconds: Int, for request: HTTPRequest) -> String {
        let isSecure = isSecure(request)
        let name = isSecure ? Self.secureName : Self.plainName
        let secure = isSecure ? "; Secure" : ""
        return "\(name)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)\(secure)"
    }

    private func isSecure(_ request: HTTPRequest) -> Bool { isAlwaysSecure || proxies.sayTLS(of: request) }
}
