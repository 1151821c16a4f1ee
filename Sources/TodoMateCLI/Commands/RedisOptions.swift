import CommandArguments
import RedisClient

/// The options of every command that uses Redis.
struct RedisOptions: Sendable {
    @Option(
        "redis",
        as: ValueParser(parse: Self.parse),
        valueName: "url",
        environment: "TODOMATE_REDIS",
        help:
            "Where Redis is: redis://, rediss:// or unix:///path; redis+sentinel:// and redis+cluster:// for several. By default, that of the 'todomate up' whose data "
            + "are in this folder or in TODOMATE_DATA, else redis://127.0.0.1:6379/0. "
            + "Use one Redis per installation: channels cross databases."
    )
    private var named: RedisURL?
    @Option(
        "redis-password-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_REDIS_PASSWORD_FILE",
        help: "Reads the password for Redis from here; the URL then has at most a user, as in redis://user@host:6379."
    )
    private var passwordFile: String?
    @Option(
        "redis-sentinel-password-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_REDIS_SENTINEL_PASSWORD_FILE",
        help: "Reads the password for the sentinels of a redis+sentinel:// URL from here."
    )
    private var sentinelPasswordFile: String?
    @Option(
        "timeout",
        as: .duration,
        default: .seconds(5),
        valueName: "time",
        environment: "TODOMATE_TIMEOUT",
        help: "How long to wait for Redis."
    )
    private var timeout: Duration
    @Environment private var environment: [String: String]

    /// Refuses what this build cannot do before anything is tried with it.
    private static func parse(_ text: String) throws -> RedisURL {
        let url = try RedisURL(text, passwordFollows: true)
        guard !url.usesTLS || RedisURL.isTLSSupported else { throw RedisError.invalidURL(RedisURL.tlsIsMissing) }
        return url
    }

    /// The Redis that is named or, where none is, the one nearby; call it once, as a password may come from a pipe.
    func place() throws -> RedisPlace {
        if let named {
            let url = try Self.url(named, passwordPath: passwordFile)
            return RedisPlace(try Self.url(url, sentinelPasswordPath: sentinelPasswordFile), timeout: timeout)
        }
        if let nearby = try NearbyRedis(environment) {
            let url = try Self.url(nearby.url, passwordPath: passwordFile ?? nearby.passwordFile)
            return RedisPlace(url, because: ", that of the 'todomate up' here", timeout: timeout)
        }
        let url = try Self.url(RedisURL(.tcp(host: "127.0.0.1", port: 6379)), passwordPath: passwordFile)
        let reason = ", where it is usually, as none is named and no 'todomate up' runs here"
        return RedisPlace(url, because: reason, timeout: timeout)
    }

    /// The URL with the password from the file, if there is one.
    private static func url(_ url: RedisURL, passwordPath path: String?) throws -> RedisURL {
        guard let path else {
            guard url.user == nil || url.password != nil else {
                throw CommandError(
                    "the user in the Redis URL has no password: name its file with --redis-password-file or "
                        + "TODOMATE_REDIS_PASSWORD_FILE, or write user:password@",
                    exitCode: .config
                )
            }
            return url
        }
        guard url.password == nil else {
            throw CommandError(
                "the password for Redis is given twice: in the URL, and by --redis-password-file or "
                    + "TODOMATE_REDIS_PASSWORD_FILE",
                exitCode: .config
            )
        }
        var url = url
        url.password = try password(path)
        return url
    }

    /// The same for the password of the sentinels.
    private static func url(_ url: RedisURL, sentinelPasswordPath path: String?) throws -> RedisURL {
        guard let path else {
            guard url.sentinelUser == nil || url.sentinelPassword != nil else {
                throw CommandError(
                    "the sentinel-user in the Redis URL has no password: name its file with "
                        + "--redis-sentinel-password-file or TODOMATE_REDIS_SENTINEL_PASSWORD_FILE, or add "
                        + "&sentinel-password=…",
                    exitCode: .config
                )
            }
            return url
        }
        guard case .sentinel = url.transport else {
            throw CommandError(
                "--redis-sentinel-password-file or TODOMATE_REDIS_SENTINEL_PASSWORD_FILE is given, but the Redis URL names "
                    + "no sentinels: leave it out, or write redis+sentinel://",
                exitCode: .config
            )
        }
        guard url.sentinelPassword == nil else {
            throw CommandError(
                "the password for the sentinels is given twice: in the URL, and by --redis-sentinel-password-file or "
                    + "TODOMATE_REDIS_SENTINEL_PASSWORD_FILE",
                exitCode: .config
            )
        }
        var url = url
        url.sentinelPassword = try password(path)
        return url
    }

    private static func password(_ path: String) throws -> String {
        let lines = try SecretFile.lines(path)
        guard lines.count == 1 else {
            throw CommandError("the password file \(path) has more than one line", exitCode: .config)
        }
        return lines[0]
    }
}
