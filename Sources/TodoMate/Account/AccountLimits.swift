/// What an operator allows an account in place of what the server allows each; nil leaves it to the server.
package struct AccountLimits: Sendable, Equatable {
    /// What can be limited.
    package enum Kind: String, Sendable, CaseIterable {
        /// What the todos may weigh, each with some for its index.
        case bytes
        /// How many todos there may be.
        case todos
        /// How many tokens for programs.
        case tokens
        /// How many writes of todos in a minute.
        case writes
        /// How many open invitations of one's own making; any lets one invite where else nobody may.
        case invitations

        /// How small and how large it may be.
        package var range: ClosedRange<Int> {
            switch self {
            case .bytes: 0...1_073_741_824
            case .todos: 0...50_000
            case .tokens: 0...500
            case .writes: 1...60_000
            case .invitations: 0...InvitationDraft.mostOpen
            }
        }
    }

    /// How another limit is made: a number, or back to what the server allows.
    package enum Change: Sendable, Equatable {
        case most(Int)
        case serverDefault
    }

    private var most: [Kind: Int] = [:]

    /// No limits of its own.
    package init() {}

    /// One of them.
    package subscript(kind: Kind) -> Int? {
        get { most[kind] }
        set { most[kind] = newValue }
    }

    /// Checks limits that are to be.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` for one that is out of its range.
    package static func check(_ changes: [Kind: Change]) throws(TodoError) {
        for kind in Kind.allCases {
            guard case .most(let most) = changes[kind], !kind.range.contains(most) else { continue }
            let (least, largest) = (kind.range.lowerBound, kind.range.upperBound)
            throw .invalid("\(kind.rawValue) must be a whole number from \(least) to \(largest), or default")
        }
    }

    /// Changes as JSON, as the function takes them.
    package static func json(_ changes: [Kind: Change]) -> String {
        let parts = Kind.allCases.compactMap { kind -> String? in
            switch changes[kind] {
            case .most(let most): "\"\(kind.rawValue)\":\(most)"
            case .serverDefault: "\"\(kind.rawValue)\":\"default\""
            case nil: nil
            }
        }
        return "{\(parts.joined(separator: ","))}"
    }
}
