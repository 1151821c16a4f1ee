/// How a viewer sees a change: the one rule by which changes leave a worker.
///
/// | before | after | a change is seen as |
/// |---|---|---|
/// | visible | visible | what it is |
/// | hidden | visible | added |
/// | visible | hidden | removed, redacted to the todo's id |
/// | hidden | hidden | nothing |
package struct ChangeView: Sendable, Hashable {
    /// The kind of change that is delivered to the viewer.
    package var kind: ChangeKind
    /// Whether the todo is delivered by its id alone.
    package var isRedacted: Bool

    /// A change that is seen as one of this kind.
    package init(kind: ChangeKind, isRedacted: Bool = false) { (self.kind, self.isRedacted) = (kind, isRedacted) }

    /// How a change is seen; nil where it is hidden.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - before: the visibility that the todo had; nil when it was as now.
    ///   - now: the todo's visibility; for a removal, as it last was.
    ///   - access: what the viewer may see at this moment.
    package init?(_ kind: ChangeKind, before: Visibility?, now: Visibility, access: Access) {
        let isVisible = access.covers(now)
        let wasVisible = access.covers(before ?? now)
        switch kind {
        // An account is its owner's business.
        case .relation, .settings:
            guard access == .own else { return nil }
            self.init(kind: kind)
        case .added, .removed:
            guard isVisible else { return nil }
            self.init(kind: kind)
        case .modified:
            guard isVisible || wasVisible else { return nil }
            self.init(kind: !isVisible ? .removed : wasVisible ? .modified : .added, isRedacted: !isVisible)
        }
    }
}

extension TodoChange {
    /// The change as it is delivered with this view.
    package func seen(as view: ChangeView) -> TodoChange {
        if view.isRedacted { return TodoChange(hiding: self) }
        return view.kind == kind ? self : TodoChange(id: id, kind: view.kind, todo: todo)
    }
}
