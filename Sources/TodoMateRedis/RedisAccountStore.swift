package import EventLoop
import RedisClient
package import TodoMate

/// Reads users' password hashes, in `todomate:{uid}:profile`, which ``RedisSessionStore`` writes, and keeps the addresses that
/// they signed in from, shared by all workers.
@LoopActor
package final class RedisAccountStore: AccountStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    /// The hash of a user's password; nil when there is no such account.
    package func passwordHash(of uid: String) async throws(TodoError) -> String? {
        try TodoBounds.uid(uid)
        return try await functions.plain(RedisCommand("HGET", TodoKeys.key(.profile, of: uid), "password")).string
    }

    /// The users who can sign in, sorted.
    package func users() async throws(TodoError) -> [String] {
        var users: [String] = []
        for uid in try await functions.users(having: .profile) {
            // Settings make a profile as well.
            let hasPassword = RedisCommand("HEXISTS", TodoKeys.key(.profile, of: uid), "password")
            if try await functions.plain(hasPassword).integer == 1 { users.append(uid) }
        }
        return users
    }

    package func signInFacts(of uid: String, from address: String) async throws(TodoError) -> SignInFacts {
        let reply = try await functions.call("todomate_login", uid, [address], readsOnly: true, isRepeatable: true)
        guard let words = reply.array, words.count == 2 else {
            throw .broken("todomate_login answered something else than two values")
        }
        return SignInFacts(passwordHash: words[0].string, isKnownAddress: words[1].integer == 1)
    }

    /// Remembers an address that the right password came from; also when memory is full.
    package func rememberAddress(_ address: String, of uid: String) async throws(TodoError) {
        _ = try await functions.call("todomate_logged_in", uid, [address], isRepeatable: true)
    }

}
