/// Who may see a todo, besides its owner.
public enum Visibility: String, Codable, Sendable, CaseIterable {
    /// Anybody.
    case `public`
    /// Accepted followers; also the visibility of a todo that has none.
    case followers
    /// Nobody else.
    case `private`
}

/// What a viewer may see of an owner's todos; ``PairAccess`` says how it comes about.
package enum Access: String, Codable, Sendable, CaseIterable {
    /// All of them: the viewer is the owner.
    case own
    /// All but private ones: the owner lets the viewer follow.
    case followers
    /// Public ones.
    case `public`
    /// Nothing: the owner is private, or one of the two has blocked the other.
    case none

    /// Whether todos of this visibility may be seen.
    package func covers(_ visibility: Visibility) -> Bool {
        switch self {
        case .own: true
        case .followers: visibility != .private
        case .public: visibility == .public
        case .none: false
        }
    }
    /// This, or less where that is less.
    package func limited(to most: Access) -> Access { most.rank < rank ? most : self }

    /// Whoever has a higher one sees all that a lower one shows.
    private var rank: Int {
        switch self {
        case .none: 0
        case .public: 1
        case .followers: 2
        case .own: 3
        }
    }
}
