public import EventLoop

/// What somebody else than the owner is told of changes that they missed: what became of each todo, and no word of how it got
/// there.
///
/// Whoever was connected has seen each change while it could be seen. Whoever comes back later, or says so, is told the last
/// state of each todo alone: what was edited away or removed since is nobody's business any more.
///
/// | when they left | now | the todo is told as |
/// |---|---|---|
/// | visible | visible | modified, or as added where it was removed in between |
/// | hidden, or not there | visible | added |
/// | visible | hidden, or gone | removed, by its id alone |
/// | hidden, or not there | hidden, or gone | nothing |
@LoopActor
public enum MissedChanges {
    /// The changes that are told, in their order, and how each is seen.
    ///
    /// - Parameters:
    ///   - missed: all changes since the reader left, in order.
    ///   - access: what the reader may see, then as now.
    public static func told(_ missed: [TodoChange], to access: Access) -> [(change: TodoChange, sight: ChangeSight)] {
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
            case (true, false): return (change, .asRemoved)
            case (false, true): return (change, .asAdded)
            case (true, true): return (change === first ? change : withoutPast(change), .asItIs)
            }
        }
    }

    /// What it was right before belongs to what is not told.
    private static func withoutPast(_ change: TodoChange) -> TodoChange {
        guard change.statusBefore != nil || change.visibilityBefore != nil else { return change }
        return TodoChange(id: change.id, kind: change.kind, todo: change.todo)
    }
}
