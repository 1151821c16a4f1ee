import EventLoop
import TodoMate

/// One change of a todo that a user makes on the board.
struct BoardWrite: Sendable, Equatable {
    /// What is to become of the todo.
    enum Change: Sendable, Equatable {
        case add(TodoDraft)
        /// `expecting` is the revision that it must still be at, when that matters.
        case patch(TodoPatch, expecting: ExpectedRevision? = nil)
        case place(TodoPlace)
        case remove
        /// Leaves out the day of a routine, or has it again.
        case skip(isBack: Bool)
        /// Makes what was `typed` a routine, or takes routines away or makes them what they were, all at once.
        case routines([RoutinePatch], typed: String)
        /// Ends a routine on the day before one, and has what was `typed` begin on that day; nil for nothing.
        case split(Routine, on: CalendarDate, into: RoutinePatch?, typed: BoardPrompt?)
        /// Takes away what was made of a routine's day, which is to be done again.
        case unmake
    }

    /// Counts the writes of a board.
    var number: Int
    var uid: String
    var id: String
    var change: Change
    /// The todo as it was; nil for a new one.
    var before: Todo?
    /// Whether it brings back what was.
    var isReturn = false
    /// What it takes back, if it does.
    var undo: BoardUndo?

    /// The words of the todo that it is about.
    var content: String {
        switch change {
        case .add(let draft): return draft.content
        case .routines(let patches, _): return patches.first?.content ?? id
        case .split(let routine, _, let other, _): return other?.content ?? routine.content
        default: return before?.content ?? id
        }
    }

    /// The status that it sets, if it sets one.
    var status: TodoStatus? {
        if case .patch(let patch, _) = change { patch.status } else { nil }
    }

    /// What brings back the rest where the goal is gone that this brings back; nil where it brings none back.
    var withoutGoal: Change? {
        switch change {
        // One with a todo before it undoes a removal.
        case .add(var draft) where draft.goal != nil && (isReturn || before != nil):
            draft.goal = nil
            return .add(draft)
        case .patch(var patch, let revision) where patch.goal?.isEmpty == false && isReturn:
            patch.goal = ""
            return .patch(patch, expecting: revision)
        // Nothing was typed where one is made what it was.
        case .routines(var patches, let typed) where patches.first?.goal?.isEmpty == false && typed.isEmpty:
            patches[0].goal = ""
            return .routines(patches, typed: typed)
        default: return nil
        }
    }

    /// What takes it back.
    var inverse: Change? {
        switch (change, before) {
        case (.add, _): .remove
        case (.skip(let isBack), _): .skip(isBack: !isBack)
        case (.routines(let patches, _), _):
            .routines(patches.map { RoutinePatch(id: $0.id, isEnded: true, seen: $0.rule) }, typed: "")
        case (.split(let routine, let day, let other, _), _):
            .routines(routine.restored(afterSplitOn: day, into: other), typed: "")
        case (.unmake, _): nil
        case (_, let before?) where before.isUnmade: .unmake
        case (.remove, let before?):
            .add(
                TodoDraft(
                    id: before.id,
                    date: before.date,
                    time: before.time,
                    content: before.content,
                    detail: before.detail,
                    status: before.status,
                    position: before.position,
                    visibility: before.visibility,
                    goal: before.goal
                )
            )
        case (_, let before?): Self.back(change, to: before).map { .patch($0) }
        case (_, nil): nil
        }
    }

    /// What makes a todo again what it was before some of it was changed; nil for what does not change any of it.
    static func back(_ change: Change, to before: Todo) -> TodoPatch? {
        switch change {
        case .place: TodoPatch(date: before.date, position: before.position)
        case .patch(let patch, _):
            TodoPatch(
                date: patch.date.map { _ in before.date },
                time: patch.time.map { _ in TimeChange(to: before.time) },
                content: patch.content.map { _ in before.content },
                detail: patch.detail.map { _ in before.detail },
                status: patch.status.map { _ in before.status },
                // Another day gave it another place as well.
                position: patch.date == nil && patch.position == nil ? nil : before.position,
                visibility: patch.visibility.map { _ in before.visibility },
                goal: patch.goal.map { _ in before.goal ?? "" }
            )
        case .add, .remove, .skip, .routines, .split, .unmake: nil
        }
    }
}

extension TodoServiceType {
    /// Carries out a change of the board.
    ///
    /// - Returns: The todo where the change gave it another place.
    /// - Throws: ``TodoError/conflict(_:current:)`` where it takes back what somebody else has changed since.
    @discardableResult
    func perform(_ write: BoardWrite, _ routines: any RoutineStoreType) async throws(TodoError) -> Todo? {
        if let undo = write.undo { return try await takeBack(undo, write, routines) }
        return try await perform(changing: write, routines)
    }

    private func perform(
        changing write: BoardWrite,
        _ routines: any RoutineStoreType
    ) async throws(TodoError) -> Todo? {
        do throws(TodoError) {
            return try await perform(write.change, write, routines)
        } catch .invalid where write.withoutGoal != nil {
            // The goal need not be there any more; what was written for it is worth more.
            guard let change = write.withoutGoal else { return nil }
            return try await perform(change, write, routines)
        }
    }

    /// Compares again where somebody writes between the look and the write.
    private func takeBack(
        _ undo: BoardUndo,
        _ write: BoardWrite,
        _ routines: any RoutineStoreType
    ) async throws(TodoError) -> Todo? {
        var attempts = 5
        while true {
            attempts -= 1
            let now: Todo
            switch write.change {
            case .patch, .remove, .unmake: now = try await todo(write.id, of: write.uid)
            case .add, .place, .skip, .routines, .split: return try await perform(changing: write, routines)
            }
            var patch: TodoPatch?
            switch write.change {
            case .patch(let whole, _): patch = try undo.kept(of: whole, now)
            case .unmake: patch = try undo.unmaking(write.before, now)
            default: try undo.checkRemoval(now)
            }
            do throws(TodoError) {
                if let patch {
                    _ = try await update(write.id, of: write.uid, with: patch, expecting: now.written)
                } else {
                    _ = try await remove(write.id, of: write.uid, expecting: now.written)
                }
            } catch .conflict where attempts > 0 {
                continue
            }
            if patch == nil, write.change == .unmake { try await routines.skip(write.id, of: write.uid, isBack: true) }
            return nil
        }
    }

    private func perform(
        _ change: BoardWrite.Change,
        _ write: BoardWrite,
        _ routines: any RoutineStoreType
    ) async throws(TodoError) -> Todo? {
        let (id, uid) = (write.id, write.uid)
        switch change {
        case .add(let draft): _ = try await create(draft, for: uid)
        case .patch(let patch, let revision): _ = try await update(id, of: uid, with: patch, expecting: revision)
        case .place(let place): return try await move(id, of: uid, to: place)
        case .remove: _ = try await remove(id, of: uid, expecting: nil)
        case .skip(let isBack): try await routines.skip(id, of: uid, isBack: isBack)
        case .routines(let patches, _): _ = try await routines.set(patches, of: uid)
        case .split(let routine, let day, let other, _):
            try await routines.split(routine.id, of: uid, on: day, into: other, seen: routine.rule)
        case .unmake:
            _ = try await remove(id, of: uid, expecting: nil)
            try await routines.skip(id, of: uid, isBack: true)
        }
        return nil
    }
}

extension RoutineStoreType {
    /// Leaves out the day that the id of a todo names, or has it again.
    fileprivate func skip(_ id: String, of uid: String, isBack: Bool) async throws(TodoError) {
        guard let (routine, day) = Routine.parts(ofID: id) else { return }
        try await skip(day, of: routine, of: uid, isBack: isBack)
    }
}
