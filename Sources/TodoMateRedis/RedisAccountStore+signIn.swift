import RedisClient
public import TodoMate

/// What signing in has to know of an account.
public struct SignInFacts: Sendable, Equatable {
    /// Nil when there is no such account.
    public let passwordHash: String?
    /// Whether somebody signed in from there with the right password before; the last 20 such addresses are remembered.
    public let isKnownAddress: Bool
}

extension RedisAccountStore {
    /// Reads what signing in has to know; writes nothing, whoever is asked about.
    ///
    /// - Parameters:
    ///   - uid: who signs in.
    ///   - address: as numbers; an IPv6 client by its network, as `20010db800000000/64`.
    public func signInFacts(of uid: String, from address: String) async throws(TodoError) -> SignInFacts {
        let reply = try await functions.call("todomate_login", uid, [address], readsOnly: true, isRepeatable: true)
        guard let words = reply.array, words.count == 2 else {
            throw .broken("todomate_login answered something else than two words")
        }
        return SignInFacts(passwordHash: words[0].string, isKnownAddress: words[1].integer == 1)
    }

    /// Remembers an address that the right password came from; also when memory is full.
    public func rememberAddress(_ address: String, of uid: String) async throws(TodoError) {
        _ = try await functions.call("todomate_logged_in", uid, [address], isRepeatable: true)
    }
}
