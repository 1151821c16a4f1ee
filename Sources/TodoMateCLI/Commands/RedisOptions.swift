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
            + "are in this folder or in TODOMATE_DATA, else redis://127.0.0.1:6379/0, unless one works at a server. "
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

    /// Whether a Redis is named.
    var isNamed: Bool { named != nil }
    /// Whether a flag names it, and not the environment.
    var isNamedByFlag: Bool {
        guard let named else { return false }
        return named != environment["TODOMATE_REDIS"].flatMap { try? Self.parse($0) }
    }

    /// Refuses what this build cannot do before anything is tried with it.
    private static func parse(_ text: String) throws -> RedisURL {
        let url = try RedisURL(text, passwordFollows: true)
        guard !url.usesTLS || RedisURL.isTLSSupported else { throw RedisError.invalidURL(RedisURL.tlsIsMissing) }
        return url
    }

    /// The Redis that is named or, where none is, the one nearby; call it once, as a password may come from a pipe.
    func place() throws -> RedisPlace {
        if let named {
            try Self.checkSentinels(named, sentinelPasswordFile)
            let url = try Self.url(named, .ofRedis, at: passwordFile)
            return RedisPlace(try Self.url(url, .ofSentinels, at: sentinelPasswordFile), timeout: timeout)
        }
        if let nearby = try NearbyRedis(environment) {
            let url = try Self.url(nearby.url, .ofRedis, at: passwordFile ?? nearby.passwordFile)
            return RedisPlace(url, because: ", that of the 'todomate up' here", timeout: timeout)
        }
        try checkNoServer()
        let url = try Self.url(RedisURL(.tcp(host: "127.0.0.1", port: 6379)), .ofRedis, at: passwordFile)
        let reason = ", where it is usually, as none is named and no 'todomate up' runs here"
        return RedisPlace(url, because: reason, timeout: timeout)
    }

    /// Refuses to guess where Redis is for somebody who works at a server over HTTP.
    private func checkNoServer() throws(CommandError) {
        let named = environment["TODOMATE_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
        let login = try KeptLogin.read(environment)
        guard let server = named ?? login?.server else { return }
        throw CommandError(
            "this works beside Redis only, not at \(server): name its Redis with --redis, or call it where 'todomate up' "
                + "runs; people find what is their own, such as password, sessions, tokens and invitations, in the page",
            exitCode: .config
        )
    }

    /// A password of a URL that a file may have instead.
    private struct FilePassword {
        let user: KeyPath<RedisURL, String?>
        let password: WritableKeyPath<RedisURL, String?>
        /// How the user is called, whose the password is, and how to write it into the URL.
        let words: (user: String, owner: String, inURL: String)
        /// The option that names the file, and its variable.
        let option: String

        static var ofRedis: FilePassword {
            FilePassword(
                user: \.user,
                password: \.password,
                words: ("user", "Redis", "write user:password@"),
                option: "--redis-password-file or TODOMATE_REDIS_PASSWORD_FILE"
            )
        }
        static var ofSentinels: FilePassword {
            FilePassword(
                user: \.sentinelUser,
                password: \.sentinelPassword,
                words: ("sentinel-user", "the sentinels", "add &sentinel-password=…"),
                option: "--redis-sentinel-password-file or TODOMATE_REDIS_SENTINEL_PASSWORD_FILE"
            )
        }
    }

    /// The URL with a password from a file, if there is one.
    private static func url(_ url: RedisURL, _ wanted: FilePassword, at path: String?) throws -> RedisURL {
        guard let path else {
            guard url[keyPath: wanted.user] == nil || url[keyPath: wanted.password] != nil else {
                throw CommandError(
                    "the \(wanted.words.user) in the Redis URL has no password: name its file with \(wanted.option), or "
                        + wanted.words.inURL,
                    exitCode: .config
                )
            }
            return url
        }
        guard url[keyPath: wanted.password] == nil else {
            throw CommandError(
                "the password for \(wanted.words.owner) is given twice: in the URL, and by \(wanted.option)",
                exitCode: .config
            )
        }
        var url = url
        url[keyPath: wanted.password] = try password(path)
        return url
    }

    /// Refuses a password for sentinels that there are none of.
    private static func checkSentinels(_ url: RedisURL, _ path: String?) throws {
        if path == nil { return }
        if case .sentinel = url.transport { return }
        throw CommandError(
            "--redis-sentinel-password-file or TODOMATE_REDIS_SENTINEL_PASSWORD_FILE is given, but the Redis URL names "
                + "no sentinels: leave it out, or write redis+sentinel://",
            exitCode: .config
        )
    }

    private static func password(_ path: String) throws -> String {
        let lines = try SecretFile.lines(path)
        guard lines.count == 1 else {
            throw CommandError("the password file \(path) has more than one line", exitCode: .config)
        }
        return lines[0]
    }
}
