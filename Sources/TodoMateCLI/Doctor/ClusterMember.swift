/// A node of a cluster as another one sees it: a line of [CLUSTER NODES](https://redis.io/docs/latest/commands/cluster-nodes/).
struct ClusterMember: Sendable, Equatable {
    /// What the cluster calls it.
    let id: String
    /// Its host and port.
    let address: String
    /// Such as `myself`, `master`, `fail?`.
    let flags: Set<String>
    /// The id of its primary; nil for a primary.
    let primary: String?
    /// Whether the node that was asked is connected to it.
    let isLinked: Bool
    /// The slots that it serves.
    let slots: [ClosedRange<Int>]
    /// The slots that it gives to others, and their ids; told of itself alone.
    let migrating: [Int: String]
    /// The slots that it takes over, and from whom; told of itself alone.
    let importing: [Int: String]

    /// Reads a line; nil for one that is none.
    init?(_ line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 8 else { return nil }
        id = words[0]
        // `10.0.0.1:6379@16379,redis-1`
        address = String(words[1].prefix { $0 != "@" })
        flags = Set(words[2].split(separator: ",").map(String.init))
        isLinked = words[7] == "connected"
        primary = words[3] == "-" ? nil : words[3]
        var (slots, migrating, importing): ([ClosedRange<Int>], [Int: String], [Int: String]) = ([], [:], [:])
        for word in words.dropFirst(8) {
            if let match = word.wholeMatch(of: /\[(\d+)->-(\w+)\]/), let slot = Int(match.1) {
                migrating[slot] = String(match.2)
            } else if let match = word.wholeMatch(of: /\[(\d+)-<-(\w+)\]/), let slot = Int(match.1) {
                importing[slot] = String(match.2)
            } else {
                let ends = word.split(separator: "-").compactMap { Int($0) }
                if let first = ends.first, let last = ends.last, first <= last { slots.append(first...last) }
            }
        }
        (self.slots, self.migrating, self.importing) = (slots, migrating, importing)
    }

    /// Whether it is the node that was asked.
    var isSelf: Bool { flags.contains("myself") }
    var isPrimary: Bool { flags.contains("master") }
    /// Whether the others agree that it has failed.
    var hasFailed: Bool { flags.contains("fail") }
    /// Whether the node that was asked suspects it.
    var isSuspected: Bool { flags.contains("fail?") }
    /// How many slots it serves.
    var slotCount: Int { slots.reduce(0) { $0 + $1.count } }
}
