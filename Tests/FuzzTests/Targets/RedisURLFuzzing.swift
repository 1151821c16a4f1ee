import Foundation

@testable import RedisClient

/// The URL of the Redis server, from the command line or the environment.
enum RedisURLFuzzing {
    private static let secret = "s3cret"

    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let url: RedisURL
        do throws(RedisError) {
            url = try RedisURL(text)
        } catch {
            return try keepsSecret(error.description, text)
        }
        try require((0...9999).contains(url.database), "the database \(url.database)")
        switch url.transport {
        case .tcp(let host, let port): try check(RedisEndpoint(host: host, port: port))
        case .cluster(let nodes):
            try require(!nodes.isEmpty && url.database == 0, "a cluster of nothing, or with databases")
            for node in nodes { try check(node) }
        case .sentinel(let sentinels, let primary):
            try require(!sentinels.isEmpty && !primary.isEmpty, "no sentinel, or no primary")
            for sentinel in sentinels { try check(sentinel) }
        case .unix(let path):
            try require(path.hasPrefix("/") && !path.utf8.contains(0), "the path '\(path)'")
            try require(path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path), "the path is too long")
            try require(!url.usesTLS, "a Unix socket with TLS")
        }
        try keepsSecret(url.description, text)
        try checkPassword(text)
    }

    private static func check(_ endpoint: RedisEndpoint) throws {
        try require((1...65535).contains(endpoint.port), "the port \(endpoint.port)")
        try require(!endpoint.host.isEmpty && !endpoint.host.utf8.contains(0), "the host '\(endpoint.host)'")
    }

    /// Logs and messages must not show what may be a password, even one that was written without its escapes: what
    /// stands before the last `@`, after a user.
    private static func keepsSecret(_ shown: String, _ text: String) throws {
        guard let match = text.wholeMatch(of: /rediss?(?:\+[a-z]+)?:\/\/[^:@\/?#]*:(.*)@[^@]*/.dotMatchesNewlines()),
            match.1.ranges(of: secret).count == 1, text.ranges(of: secret).count == 1
        else { return }
        try require(!shown.contains(secret), "'\(shown)' shows the password of '\(text)'")
    }

    /// Any text is a password when it is percent-encoded, and comes out as it was.
    private static func checkPassword(_ text: String) throws {
        guard !text.isEmpty, !text.utf8.contains(0) else { return }
        let escaped = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let forms = [
            "redis://u:\(escaped)@host:6380/2", "unix:///s?db=2&password=\(escaped)",
            "redis+cluster://:\(escaped)@host:6380",
            "redis+sentinel://:\(escaped)@host:6380/m?sentinel-password=\(escaped)",
        ]
        for form in forms {
            let url = try RedisURL(form)
            try require(url.password.map { Array($0.utf8) } == Array(text.utf8), "another password for '\(form)'")
            try require(
                ["host:6380", "/s", "the cluster of host:6380", "m of the sentinels host:6380"].contains(
                    url.description
                ),
                "'\(url.description)' shows too much"
            )
        }
    }
}
