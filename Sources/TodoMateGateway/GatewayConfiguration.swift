import Foundation
package import EventLoop
package import HTTPServing
import TodoMate

/// The settings of a ``Gateway``, read once at the start.
public struct GatewayConfiguration: Sendable {
    /// The numeric address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 for any free one. Workers on one machine share it.
    public var port = 8080
    /// Signs session tokens; nil runs without sign-in, on a loopback address only.
    public var signer: TokenSigner?
    /// Origins of other sites whose pages may call the API, such as `https://app.example`.
    public var allowedOrigins: Set<String> = []
    /// The proxies whose headers are trusted for a client's address.
    public var trustedProxies = TrustedProxies()
    /// Whether all clients use TLS, whatever a proxy says: cookies are then marked `Secure`.
    public var isBehindTLS = false
    /// What one client may use.
    package var limits = HTTPLimits()
    /// The most open streams of one user.
    public var streamsPerUser = 1000
    /// The most users that one user's streams follow together: each takes a subscription and memory.
    public var sharesPerUser = 2000
    /// The sustained writes of todos per second of one signed-in user, over all workers; nil for no limit.
    public var writesPerSecond: Int? = 20
    /// Who may make an account over HTTP.
    public var registration = Registration.invited
    /// Who may invite over HTTP.
    public var inviters = Inviters.nobody
    /// OpenID providers by which people sign in; they need ``publicURL``.
    public var providers: [IdentityProvider] = []
    /// Where people find this server, such as `https://todo.example`; without a slash at the end.
    public var publicURL: String?
    /// The server that takes mail; it needs ``publicURL``.
    package var mail: MailSettings?
    /// Between attempts to hand a mail over.
    package var mailBackoff = Backoff.mailing
    /// How long a session lasts.
    public var sessionTime = Duration.seconds(30 * 86_400)
    /// How long people may change their minds about the deletion of their accounts, in seconds.
    package var deletionGrace = AccountDeletion.usualSeconds
    /// How often a stream is sent a `heartbeat` event, which shows both sides that the connection works.
    public var heartbeat = Duration.seconds(15)

    /// How often workers announce their number of streams; streams are rebalanced at multiples of this.
    package var announcementInterval = Duration.seconds(2)

    /// The default settings.
    public init() {}

    /// Why a gateway must not start with these settings; nil when it may.
    package var objection: String? {
        guard providers.isEmpty || publicURL != nil && signer != nil else {
            return "signing in by a provider needs --public-url and a secret"
        }
        guard mail == nil || publicURL != nil && signer != nil else {
            return "sending mail needs --public-url, for the links in it, and a secret"
        }
        guard signer == nil, !Self.isLoopback(host) else { return nil }
        return "listening on \(host) without a secret would let anyone in: set TODOMATE_SECRET to at least "
            + "\(TokenSigner.shortestSecret) random bytes, or listen on 127.0.0.1"
    }

    /// Whether a host is a loopback address, not a name that only begins like one: anyone can point a name here.
    static func isLoopback(_ host: String) -> Bool {
        var address = in_addr()
        // In C, a string ends at its first zero byte.
        return host == "::1"
            || host.hasPrefix("127.") && !host.utf8.contains(0) && inet_pton(AF_INET, host, &address) == 1
    }
}
