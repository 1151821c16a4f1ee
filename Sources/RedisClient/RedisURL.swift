import Foundation

/// Where a Redis server is and how to get in.
///
/// | form | meaning |
/// |---|---|
/// | `redis://[user[:password]@]host[:port][/database]` | TCP; port 6379 and database 0 when left out |
/// | `redis://:password@[::1]:6380/2` | a password without a user, an IPv6 address |
/// | `rediss://…` | the same over TLS; the server's certificate must be one that the system trusts, for that host |
/// | `rediss://…?cacert=/path/ca.pem` | trusts the authorities in this PEM file instead |
/// | `rediss://…?cert=/path/client.pem&key=/path/client.key` | shows this certificate to a server that wants one |
/// | `unix:///path/to/redis.sock[?db=2&user=u&password=p]` | a Unix socket |
///
/// TLS needs a build with hiredis's TLS library; others refuse `rediss://`. The options are percent-encoded where they must be, and combine.
/// The `redis` and `rediss` forms follow the scheme's registration with IANA; the `unix` form is redis-py's.
public struct RedisURL: Sendable, Equatable, CustomStringConvertible {
    /// How bytes travel.
    public enum Transport: Sendable, Equatable {
        /// A host name or address, and a port.
        case tcp(host: String, port: Int)
        /// The path of a Unix socket.
        case unix(path: String)
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
    /// Whether they are encrypted, which only ``Transport/tcp(host:port:)`` can be.
    public var usesTLS = false
    /// The path of a PEM file with the authorities that may vouch for the server; nil for those that the system trusts.
    public var authoritiesPath: String?
    /// The certificate for TLS servers that require one; nil for none.
    public var clientCertificate: ClientCertificate?
    /// The ACL user; nil for the default user.
    public var user: String?
    /// The password; nil for none.
    public var password: String?
    /// The database number.
    public var database = 0
    /// What connections call themselves in `CLIENT LIST`: the name of the program, unless it says another.
    public var clientName = ProcessInfo.processInfo.processName

    /// A server without password.
    public init(_ transport: Transport) { self.transport = transport }

    /// Reads one of the forms above.
    ///
    /// - Parameters:
    ///   - text: the address as it is written.
    ///   - passwordFollows: whether a user may stand without a password, which comes from elsewhere.
    /// - Throws: ``RedisError/invalidURL(_:)`` with the part that is wrong.
    public init(_ text: String, passwordFollows: Bool = false) throws(RedisError) {
        guard let schemeEnd = text.range(of: "://") else {
            throw .invalidURL("write it as redis://127.0.0.1:6379/0 or unix:///path/to/redis.sock")
        }
        let scheme = text[..<schemeEnd.lowerBound].lowercased()
        guard ["redis", "rediss", "unix"].contains(scheme) else {
            throw .invalidURL("the scheme is '\(scheme)': use redis, rediss (TLS) or unix")
        }
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw .invalidURL("it contains a space or a control character: percent-encode it, as in %20")
        }
        guard let parts = URLComponents(string: text), parts.fragment == nil else {
            throw Self.unescaped
        }
        if scheme == "unix" {
            try self.init(unix: parts)
        } else {
            try self.init(tcp: parts, usesTLS: scheme == "rediss")
        }
        guard passwordFollows || user == nil || password != nil else {
            throw .invalidURL("the user has no password: write user:password@, or :password@ for the default user")
        }
    }

    private init(unix parts: URLComponents) throws(RedisError) {
        guard parts.host?.isEmpty != false else {
            throw .invalidURL("a Unix socket takes three slashes and an absolute path: unix:///path/to/redis.sock")
        }
        guard parts.path.hasPrefix("/"), parts.path.count > 1 else {
            throw .invalidURL("the path of the Unix socket is missing: unix:///path/to/redis.sock")
        }
        guard parts.path.utf8.count <= Self.longestSocketPath else {
            throw .invalidURL("the path of the Unix socket is longer than \(Self.longestSocketPath) bytes")
        }
        guard !parts.path.utf8.contains(0) else { throw .invalidURL("the path contains a zero byte") }
        self.init(.unix(path: parts.path))
        (user, password) = (parts.user, parts.password)
        for item in parts.queryItems ?? [] {
            switch item.name {
            case "db": database = try Self.database(item.value ?? "")
            case "user": user = item.value
            case "password": password = item.value
            default: throw .invalidURL("'\(item.name)' is not known: a Unix socket takes db, user and password")
            }
        }
    }

    private init(tcp parts: URLComponents, usesTLS: Bool) throws(RedisError) {
        // A slash or question mark in a password ends the host too early: nothing of the rest may get into a message.
        guard !parts.path.contains("@"), parts.percentEncodedQuery?.contains("@") != true else { throw Self.unescaped }
        guard parts.query == nil || usesTLS else {
            throw .invalidURL(
                "it takes no '?': the database goes into the path, as in redis://127.0.0.1:6379/2, "
                    + "and certificates are for rediss://"
            )
        }
        // URLComponents keeps the brackets of an IPv6 address.
        let host = (parts.host ?? "").trimmingCharacters(in: ["[", "]"])
        guard !host.isEmpty, !host.utf8.contains(0) else { throw .invalidURL("the host is missing") }
        let port = parts.port ?? 6379
        guard (1...65535).contains(port) else { throw .invalidURL("port \(port) is not between 1 and 65535") }
        self.init(.tcp(host: host, port: port))
        self.usesTLS = usesTLS
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        let path = parts.path.drop { $0 == "/" }
        if !path.isEmpty { database = try Self.database(String(path)) }
        try takeFiles(from: parts.queryItems ?? [])
    }

    /// Takes the paths of the certificates and the key.
    private mutating func takeFiles(from items: [URLQueryItem]) throws(RedisError) {
        var paths: [String: String] = [:]
        for item in items {
            guard ["cacert", "cert", "key"].contains(item.name) else {
                throw .invalidURL("'\(item.name)' is not known: TLS takes cacert, cert and key")
            }
            guard let path = item.value, !path.isEmpty, !path.utf8.contains(0) else {
                throw .invalidURL("'\(item.name)' needs the path of a PEM file, as in \(item.name)=/path/to/file.pem")
            }
            guard paths.updateValue(path, forKey: item.name) == nil else {
                throw .invalidURL("'\(item.name)' is given twice")
            }
        }
        authoritiesPath = paths["cacert"]
        switch (paths["cert"], paths["key"]) {
        case (let path?, let keyPath?): clientCertificate = ClientCertificate(path: path, keyPath: keyPath)
        case (nil, nil): break
        case (_, nil): throw .invalidURL("'cert' needs its private key: add &key=/path/client.key")
        case (nil, _): throw .invalidURL("'key' needs its certificate: add &cert=/path/client.pem")
        }
    }

    private static let unescaped = RedisError.invalidURL(
        "percent-encode the special characters of the user and password, as in p%40ss for p@ss"
    )

    private static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private static func database(_ text: String) throws(RedisError) -> Int {
        guard let number = Int(text), (0...9999).contains(number), !text.hasPrefix("+") else {
            throw .invalidURL("the database is '\(text)': it must be a number such as 0")
        }
        return number
    }

    /// The place, without user and password: fit for logs and messages.
    public var description: String {
        switch transport {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}
