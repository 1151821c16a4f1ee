/// A viewer's own side of a pair: the viewer's relation to an owner.
package enum Stance: String, Sendable, CaseIterable {
    /// The viewer has blocked the owner.
    case blocked
    /// The viewer does not follow the owner, or follows no more.
    case none
    /// The viewer wants to follow; the owner's side may not have been notified yet.
    case pending
    /// The viewer has requested to follow.
    case requested
    /// The viewer follows the owner.
    case following

    /// The stance of a relation's ``Relation/uid`` toward the other one.
    package init(_ relation: Relation) {
        guard !relation.blocked else {
            self = .blocked
            return
        }
        self =
            switch relation.following {
            case .none: .none
            case .pending: .pending
            case .requested: .requested
            case .following: .following
            }
    }

    /// The most that the viewer may see of the owner, regardless of what the owner grants.
    package var most: Access {
        switch self {
        case .blocked: .none
        // A viewer who left sees what strangers see, also while the owner's side does not know it yet.
        case .none: .public
        case .pending, .requested, .following: .own
        }
    }
}
