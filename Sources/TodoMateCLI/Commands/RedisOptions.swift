import CommandArguments
import EventLoop
import RedisClient
import TodoMate
import TodoMateRedis

/// The options of every command that talks to Redis.
struct RedisOptions: Sendable {
    static let redis = Option<RedisURL?>(
        "redis",
        as: ValueParser(parse: parse),
        valueName: "url",
        environment: "TODOMATE_REDIS",
        help:
            "Where Redis is: redis://, rediss:// or unix:///path. Unless it is said: that of the 'todomate up' whose data "
            + "are in this folder or in TODOMATE_DATA, else redis://127.0.0.1:6379/0. "
            + "Use one Redis an installation: channels cross databases."
    )
    static let passwordFile = Option<String?>(
        "redis-password-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_REDIS_PASSWORD_FILE",
        help: "Reads the password for Redis from here; the URL then has at most a user, as in redis://user@host:6379."
    )
    static let timeout = Option(
        "timeout",
        as: .duration,
        default: .seconds(5),
        valueName: "time",
        environment: "TODOMATE_TIMEOUT",
        help: "How long to wait for Redis."
    )

    /// Refuses what this build cannot do before anything is tried with it.
    private static func parse(_ text: String) throws -> RedisURL {
        let url = try RedisURL(text, passwordFollows: true)
        guard !url.usesTLS || RedisURL.isTLSSupported else { throw RedisError.invalidURL(RedisURL.tlsIsMissing) }
        return url
    }

    /// All of them, as a command declares them.
    static let all: [any ArgumentDeclaration] = [redis, passwordFile, timeout]

    private let url: RedisURL
    /// Where Redis is and why there, without its password.
    let place: String
    /// How long to wait for Redis.
    let timeout: Duration

    init(_ arguments: ParsedArguments) throws {
        let (named, passwordFile) = (try arguments[Self.redis], try arguments[Self.passwordFile])
        if let named {
            url = try Self.url(named, passwordPath: passwordFile)
            place = url.description
        } else if let nearby = try NearbyRedis(arguments.environment) {
            url = try Self.url(RedisURL(.unix(path: nearby.socket)), passwordPath: passwordFile ?? nearby.passwordFile)
            place = "\(url), that of the 'todomate up' here"
        } else {
            url = try Self.url(RedisURL(.tcp(host: "127.0.0.1", port: 6379)), passwordPath: passwordFile)
            place = "\(url), where it is usually, as none is named and no 'todomate up' runs here"
        }
        timeout = try arguments[Self.timeout]
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
        let lines = try SecretFile.lines(path)
        guard lines.count == 1 else {
            throw CommandError("the password file \(path) has more than one line", exitCode: .config)
        }
        var url = url
        url.password = lines[0]
        return url
    }

    /// Runs `body` with the todos in that Redis, and closes the connections afterwards.
    @LoopActor
    func withRepository<Result: Sendable>(
        _ body: @LoopActor (RedisTodoRepository) async throws -> Result
    ) async throws -> Result {
        let repository = RedisTodoRepository(url, timeout: timeout)
        defer { repository.close() }
        return try await body(repository)
    }

    /// Runs `body` with a connection to that Redis, and closes it afterwards.
    @LoopActor
    func withClient<Result: Sendable>(
        _ body: @LoopActor (RedisClient) async throws -> Result
    ) async throws -> Result {
        let client = RedisClient(url, timeout: timeout)
        defer { client.close() }
        return try await body(client)
    }

    /// What to know about that Redis before following changes in it; nil for nothing.
    var advice: String? {
        guard url.database != 0 else { return nil }
        return "channels of Redis ignore database numbers: changes in other databases of this Redis are heard as well; "
            + "give each installation a Redis of its own"
    }

    /// All that is in that Redis.
    @LoopActor
    func archive() -> RedisArchive { RedisArchive(url, timeout: timeout) }

    /// Runs `body` with the service over the todos in that Redis.
    @LoopActor
    func withService<Result: Sendable>(
        _ body: @LoopActor (any TodoServiceType) async throws -> Result
    ) async throws -> Result {
        try await withRepository { try await body(DIContainer(repository: $0).todoService) }
    }
}
