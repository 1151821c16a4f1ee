package import EventLoop

/// What a viewer other than the owner sees of changes that they missed: the last state of each todo, and nothing of how it got
/// there.
///
/// A viewer who stayed connected has seen each change while it was visible. One who comes back must not learn what was edited
/// away or removed meanwhile.
///
/// | when they left | now | the todo is delivered as |
/// |---|---|---|
/// | visible | visible | modified, or as added where it was removed in between |
/// | hidden, or not there | visible | added |
/// | visible | hidden, or gone | removed, by its id alone |
/// | hidden, or not there | hidden, or gone | nothing |
@LoopActor
package enum MissedChanges {
    /// The changes that are delivered, in their order, and how each is seen.
    ///
    /// - Parameters:
    ///   - missed: all changes since the reader left, in order.
    ///   - access: what the reader may see, then as now.
    package static func views(of missed: [TodoChange], for access: Access) -> [(change: TodoChange, view: ChangeView)] {
        var firsts: [String: TodoChange] = [:]
        var lasts: [String: TodoChange] = [:]
        for change in missed where change.kind.isOfTodo {
            let id = change.todo.id
            if firsts[id] == nil { firsts[id] = change }
            lasts[id] = change
        }
        return missed.compactMap { change in
            guard change.kind.isOfTodo, let first = firsts[change.todo.id], change === lasts[change.todo.id] else {
                return nil
            }
            let wasSeen = first.kind != .added && access.covers(first.visibilityBefore ?? first.visibility)
            switch (wasSeen, change.kind != .removed && access.covers(change.visibility)) {
            case (false, false): return nil
            case (true, false): return (change, ChangeView(kind: .removed, isRedacted: true))
            case (false, true): return (change, ChangeView(kind: .added))
            case (true, true): return (change === first ? change : withoutPast(change), ChangeView(kind: change.kind))
            }
        }
    }

    /// What it was right before is part of what must not be learned.
    private static func withoutPast(_ change: TodoChange) -> TodoChange {
        guard change.statusBefore != nil || change.visibilityBefore != nil else { return change }
        return TodoChange(id: change.id, kind: change.kind, todo: change.todo)
    }
}
