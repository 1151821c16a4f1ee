import TodoMate

/// What became of somebody who wanted in, as workers announce it to each other: JSON on the channel
/// `todomate:shared:workers:joins`. It says nothing of names, invitations and links.
///
///     {"worker":"9f3c…","from":"203.0.113.9","near":"203.0.113.0/24","ending":"done"}
package struct JoinOutcome: WorkerAnnouncement, Equatable {
    /// The worker that announces it: a worker ignores its own.
    var worker: String
    /// The address that it came from, as ``NetworkAddress`` writes it.
    var from: String
    /// The network around it, where an account was made without an invitation.
    var near: String?
    /// What became of it.
    var ending: JoinBudgets.Ending

    /// Whether a worker can have sent this: other clients of Redis may publish there, too.
    var isSensible: Bool { [worker, from, near ?? "-"].allSatisfy { (1...64).contains($0.utf8.count) } }
}
