/// What became of a password, as workers announce it to each other: JSON on the channel `todomate:shared:workers:logins`.
///
/// So a name that is nobody's is counted by all workers without a key in Redis.
package struct SignInOutcome: Codable, Sendable, Equatable {
    /// Who tells it: a worker passes over what it said itself.
    var worker: String
    /// A code of the name: people type passwords where names belong, and whoever listens must not learn them.
    var account: String
    /// The address that it came from, as ``NetworkAddress`` writes it.
    var from: String
    /// Whether the password was right.
    var isRight: Bool
    /// Whether that address signed in to the account before.
    var isKnown: Bool

    /// Whether a worker can have said so: anybody may publish there.
    var isSensible: Bool { [worker, account, from].allSatisfy { (1...64).contains($0.utf8.count) } }
}
