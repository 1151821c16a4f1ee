import Foundation

extension RedisURL {
    /// Reads one of the forms above.
    ///
    /// - Parameters:
    ///   - text: the address as it is written.
    ///   - passwordFollows: whether users may stand without their passwords, which come from elsewhere.
    /// - Throws: ``RedisError/invalidURL(_:)`` with the part that is wrong.
    public init(_ text: String, passwordFollows: Bool = false) throws(RedisError) {
        guard let schemeEnd = text.range(of: "://") else {
            throw .invalidURL("write it as redis://127.0.0.1:6379/0 or unix:///path/to/redis.sock")
        }
        let scheme = text[..<schemeEnd.lowerBound].lowercased()
        let words = scheme.split(separator: "+", omittingEmptySubsequences: false)
        let kind = words.count == 2 ? String(words[1]) : nil
        guard scheme == "unix" || ["redis", "rediss"].contains(words[0]), [1, 2].contains(words.count),
            kind == nil || kind == "cluster" || kind == "sentinel"
        else {
            throw .invalidURL(
                "the scheme is '\(scheme)': use redis, redis+cluster or redis+sentinel, rediss for TLS, or unix"
            )
        }
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw .invalidURL("it contains a space or a control character: percent-encode it, as in %20")
        }
        let places = try Self.places(in: text, from: schemeEnd.upperBound, severalMayBe: kind != nil)
        guard let parts = URLComponents(string: places.withFirstAlone), parts.fragment == nil else {
            throw Self.unescaped
        }
        let usesTLS = words[0] == "rediss"
        switch kind {
        case "cluster": try self.init(cluster: parts, places.hosts, usesTLS: usesTLS)
        case "sentinel": try self.init(sentinel: parts, places.hosts, usesTLS: usesTLS)
        case _ where scheme == "unix": try self.init(unix: parts)
        default: try self.init(tcp: parts, usesTLS: usesTLS)
        }
        guard passwordFollows || user == nil || password != nil else {
            throw .invalidURL("the user has no password: write user:password@, or :password@ for the default user")
        }
        guard passwordFollows || sentinelUser == nil || sentinelPassword != nil else {
            throw .invalidURL("'sentinel-user' needs its password: add &sentinel-password=…")
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

    /// The hosts of a URL, and the URL with only the first of them, as `URLComponents` knows no others.
    private static func places(
        in text: String,
        from start: String.Index,
        severalMayBe: Bool
    ) throws(RedisError) -> (hosts: [Substring], withFirstAlone: String) {
        guard severalMayBe else { return ([], text) }
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        let firstHost = text[start..<end].lastIndex(of: "@").map { text.index(after: $0) } ?? start
        let hosts = text[firstHost..<end].split(separator: ",", omittingEmptySubsequences: false)
        guard !hosts.contains("") else { throw .invalidURL("a host is missing") }
        return (hosts, String(text[..<firstHost] + hosts[0] + text[end...]))
    }

    private static func endpoints(_ hosts: [Substring], defaultPort: Int) throws(RedisError) -> [RedisEndpoint] {
        var endpoints: [RedisEndpoint] = []
        for host in hosts {
            guard let parts = URLComponents(string: "redis://" + host) else { throw Self.unescaped }
            let endpoint = try Self.endpoint(of: parts, defaultPort: defaultPort)
            guard !endpoints.contains(endpoint) else { throw .invalidURL("\(endpoint) is named twice") }
            endpoints.append(endpoint)
        }
        return endpoints
    }

    private static func endpoint(of parts: URLComponents, defaultPort: Int) throws(RedisError) -> RedisEndpoint {
        // URLComponents keeps the brackets of an IPv6 address.
        let host = (parts.host ?? "").trimmingCharacters(in: ["[", "]"])
        guard !host.isEmpty, !host.utf8.contains(0) else { throw .invalidURL("the host is missing") }
        let port = parts.port ?? defaultPort
        guard (1...65535).contains(port) else { throw .invalidURL("port \(port) is not between 1 and 65535") }
        return RedisEndpoint(host: host, port: port)
    }

    private init(cluster parts: URLComponents, _ hosts: [Substring], usesTLS: Bool) throws(RedisError) {
        try Self.checkEnd(parts)
        self.init(.cluster(try Self.endpoints(hosts, defaultPort: 6379)))
        let path = parts.path.drop { $0 == "/" }
        guard path.isEmpty || path == "0" else {
            throw .invalidURL("a cluster has no database but 0: leave out '/\(path)'")
        }
        try takeRest(of: parts, usesTLS: usesTLS)
    }

    private init(sentinel parts: URLComponents, _ hosts: [Substring], usesTLS: Bool) throws(RedisError) {
        try Self.checkEnd(parts)
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let primary = path.first, !primary.isEmpty, path.count <= 2 else {
            throw .invalidURL(
                "name the primary behind the sentinels, as in redis+sentinel://s1:26379,s2:26379/mymaster/0"
            )
        }
        self.init(.sentinel(try Self.endpoints(hosts, defaultPort: 26379), primary: String(primary)))
        if path.count == 2, let text = path.last, !text.isEmpty { database = try Self.database(String(text)) }
        try takeRest(of: parts, usesTLS: usesTLS)
    }

    /// Refuses a slash or question mark in a password, which ends the host too early: nothing of the rest may get into a message.
    private static func checkEnd(_ parts: URLComponents) throws(RedisError) {
        guard !parts.path.contains("@"), parts.percentEncodedQuery?.contains("@") != true else { throw Self.unescaped }
    }

    /// Takes user, password and options.
    private mutating func takeRest(of parts: URLComponents, usesTLS: Bool) throws(RedisError) {
        self.usesTLS = usesTLS
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        try takeOptions(from: parts.queryItems ?? [])
    }

    private init(tcp parts: URLComponents, usesTLS: Bool) throws(RedisError) {
        try Self.checkEnd(parts)
        guard parts.query == nil || usesTLS else {
            throw .invalidURL(
                "it takes no '?': the database goes into the path, as in redis://127.0.0.1:6379/2, "
                    + "and certificates are for rediss://"
            )
        }
        let endpoint = try Self.endpoint(of: parts, defaultPort: 6379)
        self.init(.tcp(host: endpoint.host, port: endpoint.port))
        let path = parts.path.drop { $0 == "/" }
        if !path.isEmpty { database = try Self.database(String(path)) }
        try takeRest(of: parts, usesTLS: usesTLS)
    }

    /// Takes the paths of the certificates and the key, and what the sentinels want.
    private mutating func takeOptions(from items: [URLQueryItem]) throws(RedisError) {
        var values: [String: String] = [:]
        let known = knownOptions
        for item in items {
            guard known.contains(item.name) else {
                throw .invalidURL("'\(item.name)' is not known: \(Self.advice(known))")
            }
            guard let value = item.value, !value.isEmpty, !value.utf8.contains(0) else {
                throw .invalidURL(
                    Self.files.contains(item.name)
                        ? "'\(item.name)' needs the path of a PEM file, as in \(item.name)=/path/to/file.pem"
                        : "'\(item.name)' is empty"
                )
            }
            guard values.updateValue(value, forKey: item.name) == nil else {
                throw .invalidURL("'\(item.name)' is given twice")
            }
        }
        authoritiesPath = values["cacert"]
        (sentinelUser, sentinelPassword) = (values["sentinel-user"], values["sentinel-password"])
        switch (values["cert"], values["key"]) {
        case (let path?, let keyPath?): clientCertificate = ClientCertificate(path: path, keyPath: keyPath)
        case (nil, nil): break
        case (_, nil): throw .invalidURL("'cert' needs its private key: add &key=/path/client.key")
        case (nil, _): throw .invalidURL("'key' needs its certificate: add &cert=/path/client.pem")
        }
    }

    private static let files = ["cacert", "cert", "key"]

    /// The options that this form takes.
    private var knownOptions: [String] {
        let forTLS = usesTLS ? Self.files : []
        guard case .sentinel = transport else { return forTLS }
        return forTLS + ["sentinel-user", "sentinel-password"]
    }

    private static func advice(_ known: [String]) -> String {
        switch known.count {
        case 0: "this form takes no '?', and certificates are for TLS"
        case files.count: "TLS takes cacert, cert and key"
        default: "this form takes " + known.joined(separator: ", ")
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
}
