import Foundation
public import HTTPServing

/// How a worker's gateway is set up; read once at the start.
public struct GatewayConfiguration: Sendable {
    /// The numeric address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 for any free one. Workers of one machine share it.
    public var port = 8080
    /// Signs session tokens; nil runs without sign-in, on the loopback address alone.
    public var signer: TokenSigner?
    /// Origins of other sites whose pages may call, such as `https://app.example`.
    public var allowedOrigins: Set<String> = []
    /// The proxies in front, whose word for a client's address counts.
    public var trustedProxies = TrustedProxies()
    /// Whether everybody comes over TLS, whatever a proxy says: cookies are for that alone then.
    public var isBehindTLS = false
    /// How much one client may ask.
    public var limits = HTTPLimits()
    /// Most streams of one user.
    public var streamsPerUser = 1000
    /// Most users that one user's streams follow, added up over the streams: each has a subscription and memory of its own.
    public var sharesPerUser = 2000
    /// How many writes of todos a second one signed-in user may make for long, at each worker; nil for any number.
    public var writesPerSecond: Int? = 20
    /// How long a session lasts.
    public var sessionTime = Duration.seconds(30 * 86_400)
    /// How often a stream is sent a `heartbeat` event, so that both sides know it lives.
    public var heartbeat = Duration.seconds(15)

    /// How often workers tell each other how many streams they have; what they do about it goes by multiples of this.
    public var announcementInterval = Duration.seconds(2)

    /// The usual set-up.
    public init() {}

    /// Why a worker must not start like this; nil when it may.
    public var objection: String? {
        guard signer == nil, !Self.isLoopback(host) else { return nil }
        return "listening on \(host) without a secret would let everybody in: set TODOMATE_SECRET to at least "
            + "\(TokenSigner.shortestSecret) random bytes, or listen on 127.0.0.1"
    }

    /// Whether a host is a loopback address, and no name that only begins like one: names are for others to point here.
    static func isLoopback(_ host: String) -> Bool {
        var address = in_addr()
        // For C, a text ends at its first zero byte.
        return host == "::1"
            || host.hasPrefix("127.") && !host.utf8.contains(0) && inet_pton(AF_INET, host, &address) == 1
    }
}
