public import EventLoop
public import RedisClient
public import TodoMate

/// Users' password hashes, in `todomate:{uid}:profile`, and counts of attempts to log in, shared by all workers.
///
/// Attempts are counted in keys that vanish by themselves: `todomate:{uid}:logins` for an account,
/// `todomate:logins:<address>` for an address.
@LoopActor
public final class RedisAccountStore {
    private let client: RedisClient

    /// A store in the Redis at `url`.
    public init(_ url: RedisURL, timeout: Duration = .seconds(5)) { client = RedisClient(url, timeout: timeout) }

    /// Closes the connection.
    public func close() { client.close() }

    /// The hash of a user's password; nil when there is no such account.
    public func passwordHash(of uid: String) async throws(TodoError) -> String? {
        try TodoBounds.uid(uid)
        return try await send(RedisCommand("HGET", Self.profile(uid), "password")).string
    }

    /// Makes an account, or changes its password.
    ///
    /// - Returns: whether the account is new.
    @discardableResult
    public func setPasswordHash(_ hash: String, of uid: String) async throws(TodoError) -> Bool {
        try TodoBounds.uid(uid)
        return try await send(RedisCommand("HSET", Self.profile(uid), "password", hash)).integer == 1
    }

    /// Takes a user's password away, so that nobody can log in; the todos stay.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func removePassword(of uid: String) async throws(TodoError) -> Bool {
        try TodoBounds.uid(uid)
        return try await send(RedisCommand("HDEL", Self.profile(uid), "password")).integer == 1
    }

    /// The users who can log in, sorted.
    public func users() async throws(TodoError) -> [String] {
        var users: Set<String> = []
        var cursor = "0"
        repeat {
            let scan = RedisCommand("SCAN", cursor, "MATCH", "todomate:{*}:profile", "COUNT", "1000")
            let reply = try await send(scan).array ?? []
            cursor = reply.first?.string ?? "0"
            for key in (reply.last?.array ?? []).compactMap(\.string) {
                let uid = String(key.dropFirst("todomate:{".count).dropLast("}:profile".count))
                if try await send(RedisCommand("HEXISTS", key, "password")).integer == 1 { users.insert(uid) }
            }
        } while cursor != "0"
        return users.sorted()
    }

    /// Counts an attempt to log in, before it is looked at.
    ///
    /// - Returns: how many there were within `window` for the account and for the address, this one included.
    public func countAttempt(
        _ uid: String,
        from address: String,
        window: Duration
    ) async throws(TodoError) -> (account: Int, address: Int) {
        let seconds = String(Int(window / .seconds(1)))
        let byAccount = try await count("todomate:{\(uid)}:logins", seconds)
        let byAddress = try await count("todomate:logins:\(address)", seconds)
        return (byAccount, byAddress)
    }

    /// Forgets an account's failed attempts, after one that was right.
    public func forgetAttempts(_ uid: String) async throws(TodoError) {
        _ = try await send(RedisCommand("DEL", "todomate:{\(uid)}:logins"))
    }

    private func count(_ key: String, _ seconds: String) async throws(TodoError) -> Int {
        let count = try await send(RedisCommand("INCR", key)).integer ?? 0
        _ = try await send(RedisCommand("EXPIRE", key, seconds, "NX"))
        return count
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
