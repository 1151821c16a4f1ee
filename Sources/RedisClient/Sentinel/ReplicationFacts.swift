/// What a server says of its own part in replication.
///
/// A replica that is made the primary goes on with the history of the one before it, and remembers by what name that went: its
/// `master_replid2` is the other's `master_replid`. See [INFO](https://redis.io/docs/latest/commands/info/), section replication.
struct ReplicationFacts: Equatable {
    /// Whether it takes itself for a primary.
    let isPrimary: Bool
    /// The name of its history.
    let history: String
    /// The name of the history that it went on with when it became a primary; zeros where it was none's replica.
    let former: String

    init(isPrimary: Bool, history: String, former: String) {
        (self.isPrimary, self.history, self.former) = (isPrimary, history, former)
    }

    /// Nil where the text is no such section.
    init?(info: String) {
        var facts: [Substring: String] = [:]
        for line in info.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            facts[line[..<colon]] = String(line[line.index(after: colon)...])
        }
        guard let role = facts["role"], let history = facts["master_replid"], let former = facts["master_replid2"]
        else {
            return nil
        }
        self.init(isPrimary: role == "master", history: history, former: former)
    }

    /// Whether a server has taken the place of another one.
    ///
    /// - Parameters:
    ///   - successor: what the server says that is said to have; nil for nothing.
    ///   - predecessor: what the one says that was the primary; nil when it does not answer.
    static func has(_ successor: Self?, replaced predecessor: Self?) -> Bool {
        guard let successor, successor.isPrimary else { return false }
        // Where both take themselves for one, the new one descends from the old one, or is a stranger.
        guard let predecessor, predecessor.isPrimary else { return true }
        return successor.former == predecessor.history
    }
}
