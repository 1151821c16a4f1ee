/// What a program may do with a token; each scope has all of those before it. The account itself is for sign-ins alone.
package enum TokenScope: String, Sendable, Codable, CaseIterable, Comparable {
    /// Reads feeds and event streams, and nothing else.
    case feed
    /// Reads.
    case read
    /// Reads and writes todos, relations, reactions and settings. Tokens of older versions have this scope.
    case write

    private var place: Int {
        switch self {
        case .feed: 0
        case .read: 1
        case .write: 2
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.place < right.place }
}
