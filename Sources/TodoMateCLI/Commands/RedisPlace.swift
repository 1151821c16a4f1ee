import EventLoop
import RedisClient
import TodoMate
import TodoMateRedis

/// The Redis that a command works with.
struct RedisPlace: Sendable, CustomStringConvertible {
    private var url: RedisURL
    /// Where it is and why there, without its password.
    let description: String
    /// How long to wait for it.
    let timeout: Duration

    init(_ url: RedisURL, because reason: String = "", timeout: Duration) {
        self.url = url
        self.url.clientName = "todomate"
        self.timeout = timeout
        description = "\(url)\(reason)"
    }

    /// Runs `body` with the todos in that Redis, and closes the connections afterwards.
    ///
    /// - Parameter device: by which is written what `body` writes itself.
    @LoopActor
    func withRepository<Result: Sendable>(
        writingBy device: WritingDevice? = .thisCommand,
        _ body: @LoopActor (RedisTodoRepository) async throws -> Result
    ) async throws -> Result {
        let repository = RedisTodoRepository(url, timeout: timeout, device: device)
        defer { repository.close() }
        return try await body(repository)
    }

    /// Runs `body` with what people do with their todos in that Redis, and closes the connections afterwards.
    @LoopActor
    func withStores<Result: Sendable>(
        _ body: @LoopActor (PersonalStores) async throws -> Result
    ) async throws -> Result {
        try await withRepository { try await body($0.stores.personal) }
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
        return "channels of Redis ignore database numbers: changes in other databases of this Redis arrive as well; "
            + "give each installation its own Redis"
    }

    /// Runs `body` with all that is in that Redis, and closes the connection afterwards. What is imported into everybody's todos does not
    /// name the machine.
    func withArchive<Result: Sendable>(_ body: (RedisArchive) async throws -> Result) async throws -> Result {
        let archive = await RedisArchive(url, timeout: timeout, device: WritingDevice("todomate"))
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(archive))
        } catch {
            result = .failure(error)
        }
        await archive.close()
        return try result.get()
    }

    /// Runs `body` with the service over the todos in that Redis.
    @LoopActor
    func withService<Result: Sendable>(
        _ body: @LoopActor (any TodoServiceType) async throws -> Result
    ) async throws -> Result {
        try await withStores { try await body(TodoService($0.todos)) }
    }
}
