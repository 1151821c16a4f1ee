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
        case .tcp(let host, let port):
            try require((1...65535).contains(port), "the port \(port)")
            try require(!host.isEmpty && !host.utf8.contains(0), "the host '\(host)'")
        case .unix(let path):
            try require(path.hasPrefix("/") && !path.utf8.contains(0), "the path '\(path)'")
            try require(path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path), "the path is too long")
            try require(!url.usesTLS, "a Unix socket with TLS")
        }
        try keepsSecret(url.description, text)
        try checkPassword(text)
    }

    /// Logs and messages must not show what may be a password, even one that was written without its escapes: what
    /// stands before the last `@`, after a user.
    private static func keepsSecret(_ shown: String, _ text: String) throws {
        guard let match = text.wholeMatch(of: /rediss?:\/\/[^:@\/?#]*:(.*)@[^@]*/.dotMatchesNewlines()),
            match.1.ranges(of: secret).count == 1, text.ranges(of: secret).count == 1
        else { return }
        try require(!shown.contains(secret), "'\(shown)' shows the password of '\(text)'")
    }

    /// Any text is a password when it is percent-encoded, and comes out as it was.
    private static func checkPassword(_ text: String) throws {
        guard !text.isEmpty, !text.utf8.contains(0) else { return }
        let escaped = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        for form in ["redis://u:\(escaped)@host:6380/2", "unix:///s?db=2&password=\(escaped)"] {
            let url = try RedisURL(form)
            try require(url.password.map { Array($0.utf8) } == Array(text.utf8), "another password for '\(form)'")
            try require(["host:6380", "/s"].contains(url.description), "'\(url.description)' shows too much")
        }
    }
}
