public import EventLoop
public import RedisClient
public import TodoMate

/// Users' password hashes, in `todomate:{uid}:profile`, and counts of attempts to sign in, shared by all workers.
///
/// Attempts are counted in keys that vanish by themselves: `todomate:{uid}:logins` for an account,
/// `todomate:{uid}:logins:<address>` for an account and an address, `todomate:logins:<address>` for an address.
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

    /// Takes a user's password away, so that nobody can sign in; the todos stay.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func removePassword(of uid: String) async throws(TodoError) -> Bool {
        try TodoBounds.uid(uid)
        return try await send(RedisCommand("HDEL", Self.profile(uid), "password")).integer == 1
    }

    /// The users who can sign in, sorted.
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

    /// Counts an attempt to sign in, before it is looked at.
    ///
    /// - Returns: how many there were within `window`, this one included. The window begins with the first and is not
    ///   prolonged by more of them.
    public func countAttempt(
        _ uid: String,
        from address: String,
        window: Duration
    ) async throws(TodoError) -> LoginAttempts {
        var counts: [Int] = []
        for key in Self.attempts(uid, address) {
            counts.append(try await send(RedisCommand("INCR", key)).integer ?? 0)
            try await expire(key, window)
        }
        return LoginAttempts(ofPair: counts[0], ofAccount: counts[1], ofAddress: counts[2])
    }

    /// Takes back an attempt that was right, and forgets what the address got wrong for this account before.
    public func forgetAttempt(_ uid: String, from address: String, window: Duration) async throws(TodoError) {
        let keys = Self.attempts(uid, address)
        _ = try await send(RedisCommand("DEL", keys[0]))
        // Only the one: somebody with an account must not be able to clear what they tried on others'.
        for key in keys.dropFirst() {
            _ = try await send(RedisCommand("DECR", key))
            try await expire(key, window)
        }
    }

    /// No key stays for ever, nor longer for being counted in again.
    private func expire(_ key: String, _ window: Duration) async throws(TodoError) {
        _ = try await send(RedisCommand("EXPIRE", key, String(Int(window / .seconds(1))), "NX"))
    }

    private static func attempts(_ uid: String, _ address: String) -> [String] {
        let account = TodoKeys.user(uid) + ":logins"
        return ["\(account):\(address)", account, "todomate:logins:\(address)"]
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

/// How often somebody tried to sign in.
public struct LoginAttempts: Sendable, Equatable {
    /// To one account from one address.
    public let ofPair: Int
    /// To one account from anywhere.
    public let ofAccount: Int
    /// From one address to any account.
    public let ofAddress: Int

    /// So many attempts.
    public init(ofPair: Int, ofAccount: Int, ofAddress: Int) {
        (self.ofPair, self.ofAccount, self.ofAddress) = (ofPair, ofAccount, ofAddress)
    }

    /// Whether none of the numbers is above the other's.
    public func isWithin(_ most: LoginAttempts) -> Bool {
        ofPair <= most.ofPair && ofAccount <= most.ofAccount && ofAddress <= most.ofAddress
    }
}
