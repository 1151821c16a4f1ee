/// What became of a password, as workers announce it to each other: JSON on the channel `todomate:shared:workers:logins`.
///
/// So attempts for unknown names are counted by all workers without a key in Redis.
package struct SignInOutcome: WorkerAnnouncement, Equatable {
    /// The worker that announces it: a worker ignores its own.
    var worker: String
    /// A code of the name: people type passwords where names belong, and subscribers must not learn them.
    var account: String
    /// The address that it came from, as ``NetworkAddress`` writes it.
    var from: String
    /// Whether the password was right.
    var isRight: Bool
    /// Whether that address signed in to the account before.
    var isKnown: Bool

    /// Whether a worker can have sent this: other clients of Redis may publish there, too.
    var isSensible: Bool { [worker, account, from].allSatisfy { (1...64).contains($0.utf8.count) } }
}
