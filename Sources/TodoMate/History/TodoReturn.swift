import EventLoop

/// Bringing a todo back to what it was: the ordinary write that does it.
///
/// Content, detail, status, day, time, goal and visibility come back. A todo that is gone is added again under its id, at its place; the
/// reactions to it are gone for good. One that is there keeps its place, unless its day changes.
package enum TodoReturn: Sendable, Equatable {
    case add(TodoDraft)
    case update(TodoPatch, expecting: ExpectedRevision)

    /// What brings a todo back to what it was.
    ///
    /// - Parameters:
    ///   - past: the todo as it was.
    ///   - now: the todo as it is: whoever has changed it since is not overwritten. Nil for one that is gone.
    package init(to past: Todo, from now: Todo?) {
        if let now {
            let patch = TodoPatch(
                date: past.date,
                time: TimeChange(to: past.time),
                content: past.content,
                detail: past.detail,
                status: past.status,
                visibility: past.visibility,
                // A goal that an import names need not be there.
                goal: past.goal == now.goal ? nil : past.goal ?? ""
            )
            self = .update(patch, expecting: now.written)
        } else {
            self = .add(
                TodoDraft(
                    id: past.id,
                    date: past.date,
                    time: past.time,
                    content: past.content,
                    detail: past.detail,
                    status: past.status,
                    position: past.position,
                    visibility: past.visibility,
                    goal: past.goal
                )
            )
        }
    }
}

extension TodoServiceType {
    /// Makes a todo what it was.
    ///
    /// - Parameters:
    ///   - past: the todo as it was.
    ///   - now: the todo as it is, as far as the caller knows; nil for one that is gone.
    /// - Throws: ``TodoError/conflict(_:current:)`` when somebody has changed it since, ``TodoError/exists(_:)`` when another todo has
    ///   taken the id of one that was gone.
    @LoopActor
    package func bringBack(_ past: Todo, from now: Todo?) async throws(TodoError) -> Todo {
        do throws(TodoError) {
            return try await carryOut(TodoReturn(to: past, from: now), of: past)
        } catch .invalid where past.goal != nil && past.goal != now?.goal {
            // The goal need not be there any more; what was written for it is worth more.
            var without = past
            without.goal = nil
            return try await carryOut(TodoReturn(to: without, from: now), of: past)
        }
    }

    @LoopActor
    private func carryOut(_ way: TodoReturn, of past: Todo) async throws(TodoError) -> Todo {
        switch way {
        case .add(let draft): try await create(draft, for: past.uid)
        case .update(let patch, let revision):
            try await update(past.id, of: past.uid, with: patch, expecting: revision)
        }
    }
}
