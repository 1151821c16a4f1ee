import HTTPServing
import Testing

@testable import TodoMateGateway

@Suite("The cookie of a session")
struct SessionCookieTests {
    private let behindProxy = SessionCookie(
        proxies: TrustedProxies([AddressRange("10.0.0.0/8")].compactMap(\.self))
    )

    private func request(_ fields: HTTPHeaders, from address: String) -> HTTPRequest {
        HTTPRequest(method: .post, path: "/v1/session", headers: fields, remoteAddress: address)
    }

    @Test(
        "is for TLS alone where a trusted proxy says that there is some, and nowhere else",
        arguments: [
            ("https", "10.0.0.1", true), ("HTTPS", "10.0.0.1", true), ("http, https", "10.0.0.1", true),
            ("http", "10.0.0.1", false), ("https, http", "10.0.0.1", false), ("", "10.0.0.1", false),
            ("https", "192.0.2.1", false),
        ]
    )
    func secure(_ word: String, _ address: String, _ isSecure: Bool) {
        let request = request(["X-Forwarded-Proto": word, "Origin": "https://h"], from: address)
        let field = behindProxy.field("t", lasting: 60, for: request)
        #expect(field.hasPrefix(isSecure ? "__Host-todomate_session=t; Path=/; " : "todomate_session=t; Path=/; "))
        #expect(field.hasSuffix("; Secure") == isSecure)
        #expect(!field.contains("Domain"))
    }

    @Test("is for TLS alone where the configuration says so, whatever a page claims")
    func configured() {
        let always = SessionCookie(isAlwaysSecure: true)
        let plain = request(["Origin": "http://h"], from: "192.0.2.1")
        #expect(always.field("t", lasting: 60, for: plain).hasSuffix("; Secure"))
        let claimed = request(["Origin": "https://h", "X-Forwarded-Proto": "https"], from: "192.0.2.1")
        #expect(!SessionCookie().field("t", lasting: 60, for: claimed).contains("Secure"))
    }

    @Test("of the other name is nobody's")
    func names() {
        let both = "todomate_session=plain; __Host-todomate_session=secure"
        let tls = request(["X-Forwarded-Proto": "https", "Cookie": both], from: "10.0.0.1")
        let plain = request(["Cookie": both], from: "10.0.0.1")
        #expect(behindProxy.value(in: tls) == "secure" && behindProxy.value(in: plain) == "plain")
        let tossed = request(["X-Forwarded-Proto": "https", "Cookie": "todomate_session=plain"], from: "10.0.0.1")
        #expect(behindProxy.value(in: tossed) == nil)
    }
}

@Suite("What is known of a session")
struct SessionOriginTests {
    @Test(
        "is a device in two words",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0",
                "Edge on Windows"
            ),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1", "Safari on iPhone"),
            ("curl/8.5.0", "curl"), ("a\u{1B}[2Jb", "a"), ("<script>", nil), ("", nil),
            (String(repeating: "x", count: 100), String(repeating: "x", count: 24)),
            (String(repeating: "x", count: 2000), nil),
        ] as [(String, String?)]
    )
    func devices(_ text: String, _ device: String?) { #expect(DeviceName.of(text) == device) }

    @Test(
        "is a network, and not an address",
        arguments: [
            ("203.0.113.77", "203.0.113.0/24"), ("::ffff:203.0.113.77", "203.0.113.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"), ("::1", "::/48"), ("nowhere", nil), ("", nil),
        ] as [(String, String?)]
    )
    func networks(_ address: String, _ network: String?) {
        #expect(NetworkAddress.surroundings(of: address) == network)
    }
}
