import EventLoop
import TodoMate
import TodoMateClient

/// Where the todos are that a command works with.
enum StorePlace: Sendable {
    case redis(RedisPlace)
    case server(ServerPlace)

    /// Runs `body` with what people do with their todos there, and closes the connections afterwards.
    @LoopActor
    func withStores<Result: Sendable>(
        _ body: @LoopActor (PersonalStores) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .redis(let place): try await place.withStores(body)
        case .server(let place): try await place.withClient { try await body($0.stores) }
        }
    }

    /// Runs `body` with the service over the todos there.
    @LoopActor
    func withService<Result: Sendable>(
        _ body: @LoopActor (any TodoServiceType) async throws -> Result
    ) async throws -> Result {
        try await withStores { try await body(TodoService($0.todos)) }
    }
}
