package import EventLoop
package import RedisClient
package import TodoMate

/// The function library in Redis, for operators who load it where workers may not.
@LoopActor
package struct FunctionLibrary {
    /// The version that this program brings along.
    package nonisolated static var version: Int { TodoFunctions.version }
    /// The source of that version, as FUNCTION LOAD takes it.
    package nonisolated static var source: [UInt8] { TodoFunctions.source }

    /// Whether an error says that an operator must load the library first.
    package nonisolated static func isForOthersToLoad(after error: TodoError) -> Bool {
        if case .unavailable(let text) = error { text.contains(FunctionLoader.advice) } else { false }
    }

    private let installation: FunctionInstallation

    /// The library in the Redis of a client.
    package init(_ client: RedisClient) { installation = FunctionInstallation(client) }

    /// The version in Redis; nil for none.
    package func storedVersion() async throws(TodoError) -> Int? {
        do throws(RedisError) {
            return try await installation.storedVersion()
        } catch {
            throw TodoError(error)
        }
    }

    /// Loads the library when Redis has none or an older one; a newer one stays.
    ///
    /// - Returns: the version in Redis afterwards.
    package func load() async throws(TodoError) -> Int {
        do throws(RedisError) {
            try await installation.installEverywhere()
            return try await installation.storedVersion() ?? 0
        } catch {
            throw TodoError(error)
        }
    }
}
