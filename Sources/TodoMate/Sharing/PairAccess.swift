/// What a viewer may see of an owner's todos, by both sides of the pair: the one rule everywhere.
///
/// The owner's side grants, and the viewer's own side may limit (``Stance/most``): a viewer who has blocked an owner sees
/// nothing of theirs, and who no longer follows them sees what strangers see.
///
/// It also says after which changes of the two accounts both sides must be read again.
package struct PairAccess: Sendable, Equatable {
    /// What the owner's side grants.
    package private(set) var granted: Access
    /// What the viewer's own side says.
    package private(set) var stance: Stance

    /// The access of two sides that were read.
    package init(granted: Access, stance: Stance) {
        self.granted = granted
        self.stance = stance
    }

    /// What the viewer may see.
    package var access: Access { granted.limited(to: stance.most) }

    /// Applies a change of either account; true when the access has changed, or can only be known by reading both
    /// sides again.
    ///
    /// Changes of one side come in their order. Some may be older than what was read: they cost another reading at most.
    package mutating func apply(_ change: AccountChange, of owner: String, by viewer: String) -> Bool {
        guard owner != viewer else { return false }
        let before = access
        switch change {
        case .relation(let relation) where relation.uid == viewer && relation.with == owner:
            stance = Stance(relation)
        case .relation(let relation) where relation.uid == owner && relation.with == viewer:
            if relation.blocked {
                granted = .none
            } else if granted == .none {
                // The audience may be private, despite the following.
                return true
            } else {
                granted = relation.follower == .following ? .followers : .public
            }
        case .settings(let settings, let audienceBefore?) where settings.uid == owner:
            // When a private audience opens, the change does not say who follows.
            if audienceBefore == .private { return true }
            if settings.audience == .private { granted = .none }
        default: return false
        }
        return access != before
    }
}
