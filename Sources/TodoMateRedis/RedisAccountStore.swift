public import EventLoop
public import RedisClient
public import TodoMate

/// Reads users' password hashes, in `todomate:{uid}:profile`, which ``RedisSessionStore`` writes, and keeps the addresses that
/// they signed in from, shared by all workers.
@LoopActor
public final class RedisAccountStore {
    private let client: RedisClient
    let functions: TodoFunctions

    /// A store in the Redis at `url`.
    public init(_ url: RedisURL, timeout: Duration = .seconds(5)) {
        client = RedisClient(url, timeout: timeout)
        functions = TodoFunctions(client)
    }

    /// Closes the connection.
    public func close() { client.close() }

    /// The hash of a user's password; nil when there is no such account.
    public func passwordHash(of uid: String) async throws(TodoError) -> String? {
        try TodoBounds.uid(uid)
        return try await send(RedisCommand("HGET", Self.profile(uid), "password")).string
    }

    /// The users who can sign in, sorted.
    public func users() async throws(TodoError) -> [String] {
        var users: [String] = []
        for uid in try await functions.users(having: "profile") {
            // Settings make a profile as well.
            if try await send(RedisCommand("HEXISTS", Self.profile(uid), "password")).integer == 1 { users.append(uid) }
        }
        return users
    }

    private static func profile(_ uid: String) -> String { TodoKeys.user(uid) + ":profile" }

    private func send(_ command: RedisCommand) async throws(TodoError) -> RedisValue {
        do throws(RedisError) {
            return try await client.send(command)
        } catch {
            throw TodoError(error)
        }
    }
}
