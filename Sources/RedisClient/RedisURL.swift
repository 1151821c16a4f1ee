import Foundation

/// Where a Redis is and how to get in: one server, the primary that sentinels name, or a cluster.
///
/// | form | meaning |
/// |---|---|
/// | `redis://[user[:password]@]host[:port][/database]` | TCP; port 6379 and database 0 when left out |
/// | `redis://:password@[::1]:6380/2` | a password without a user, an IPv6 address |
/// | `rediss://…` | the same over TLS; the server's certificate must be one that the system trusts, for that host |
/// | `rediss://…?cacert=/path/ca.pem` | trusts the authorities in this PEM file instead |
/// | `rediss://…?cert=/path/client.pem&key=/path/client.key` | shows this certificate to a server that wants one |
/// | `unix:///path/to/redis.sock[?db=2&user=u&password=p]` | a Unix socket |
/// | `redis+cluster://[user:password@]h1:6379,h2:6379` | a [cluster](https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/), all of whose nodes are found by way of any of these |
/// | `redis+sentinel://[user:password@]s1:26379,s2/mymaster[/0]` | the primary that these [sentinels](https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/) call `mymaster`; port 26379 when left out |
/// | `redis+sentinel://…?sentinel-user=u&sentinel-password=p` | sentinels that want a password of their own |
/// | `rediss+cluster://…`, `rediss+sentinel://…` | the same over TLS, to all nodes, and to the sentinels too |
///
/// TLS needs a build with hiredis's TLS library; others refuse `rediss`. The options are percent-encoded where they must be, and combine.
/// The `redis` and `rediss` forms follow the scheme's registration with IANA; the `unix` form is redis-py's.
public struct RedisURL: Sendable, Equatable, CustomStringConvertible {
    /// How bytes travel.
    public enum Transport: Sendable, Equatable {
        /// A host name or address, and a port.
        case tcp(host: String, port: Int)
        /// The path of a Unix socket.
        case unix(path: String)
        /// Some nodes of a cluster, which know the others.
        case cluster([RedisEndpoint])
        /// Sentinels, and what they call the primary.
        case sentinel([RedisEndpoint], primary: String)
    }

    /// What proves to a server who connects: two PEM files.
    public struct ClientCertificate: Sendable, Equatable {
        /// The path of the certificate, followed in its file by those between it and its authority.
        public var path: String
        /// The path of its private key, which has no passphrase.
        public var keyPath: String

        /// A certificate and its key.
        public init(path: String, keyPath: String) {
            self.path = path
            self.keyPath = keyPath
        }
    }

    /// How bytes travel.
    public var transport: Transport
    /// Whether they are encrypted, which those of a Unix socket cannot be.
    public var usesTLS = false
    /// The path of a PEM file with the authorities that may vouch for the server; nil for those that the system trusts.
    public var authoritiesPath: String?
    /// The certificate for TLS servers that require one; nil for none.
    public var clientCertificate: ClientCertificate?
    /// The ACL user; nil for the default user.
    public var user: String?
    /// The password; nil for none.
    public var password: String?
    /// The ACL user for the sentinels; nil for the default user.
    public var sentinelUser: String?
    /// The password for the sentinels; nil for none.
    public var sentinelPassword: String?
    /// The database number; a cluster only has 0.
    public var database = 0
    /// What connections call themselves in `CLIENT LIST`: the name of the program, unless it says another.
    public var clientName = ProcessInfo.processInfo.processName

    /// Whether this is a server that a cluster or sentinels have named, so that it need not be asked what it is.
    var isKnownServer = false
    /// Whether this is a sentinel.
    private(set) var isSentinel = false

    /// A Redis without password.
    public init(_ transport: Transport) { self.transport = transport }

    /// Whether it is a cluster.
    package var isCluster: Bool { if case .cluster = transport { true } else { false } }

    /// One server of a cluster, or the primary that sentinels name, entered the same way.
    func server(_ endpoint: RedisEndpoint) -> RedisURL {
        var url = self
        url.transport = .tcp(host: endpoint.host, port: endpoint.port)
        url.isKnownServer = true
        return url
    }

    /// A sentinel, entered its own way.
    func sentinel(_ endpoint: RedisEndpoint) -> RedisURL {
        var url = server(endpoint)
        url.isSentinel = true
        (url.user, url.password, url.database) = (sentinelUser, sentinelPassword, 0)
        return url
    }

    /// The place, without user and password: fit for logs and messages.
    public var description: String {
        switch transport {
        case .tcp(let host, let port): RedisEndpoint(host: host, port: port).description
        case .unix(let path): path
        case .cluster(let nodes): "the cluster of " + nodes.map(\.description).joined(separator: ",")
        case .sentinel(let sentinels, let primary):
            "\(primary) of the sentinels " + sentinels.map(\.description).joined(separator: ",")
        }
    }
}
