/// What a viewer sees of a change: the one rule by which changes leave a worker.
///
/// | before | after | a change is seen as |
/// |---|---|---|
/// | visible | visible | what it is |
/// | hidden | visible | added |
/// | visible | hidden | removed, told by the todo's id alone: its new words are nobody's business |
/// | hidden | hidden | nothing |
public enum ChangeSight: Sendable, Equatable, CaseIterable {
    /// The change as it is, every byte of it.
    case asItIs
    /// As a new todo.
    case asAdded
    /// As the removal of a todo of which nothing but the id may be told.
    case asRemoved
    /// Not at all.
    case hidden

    /// - Parameters:
    ///   - kind: what happened.
    ///   - before: the visibility that the todo had; nil when it was as now.
    ///   - now: the todo's visibility; for a removal, as it last was.
    ///   - access: what the viewer may see at this moment.
    public init(_ kind: ChangeKind, before: Visibility?, now: Visibility, access: Access) {
        let isVisible = access.covers(now)
        let wasVisible = access.covers(before ?? now)
        switch kind {
        // What becomes of an account is its owner's business.
        case .relation, .settings: self = access == .own ? .asItIs : .hidden
        case .added, .removed: self = isVisible ? .asItIs : .hidden
        case .modified:
            self = isVisible ? (wasVisible ? .asItIs : .asAdded) : (wasVisible ? .asRemoved : .hidden)
        }
    }
}
