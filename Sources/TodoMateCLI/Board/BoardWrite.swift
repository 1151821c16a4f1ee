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

    /// The words of the todo that it is about.
    var content: String {
        if case .add(let draft) = change { return draft.content }
        return before?.content ?? id
    }

    /// The status that it sets, if it sets one.
    var status: TodoStatus? {
        if case .patch(let patch, _) = change { patch.status } else { nil }
    }

    /// What takes it back.
    var inverse: Change? {
        switch (change, before) {
        case (.add, _): .remove
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
        case (.place, let before?): .patch(TodoPatch(date: before.date, position: before.position))
        case (.patch(let patch, _), let before?):
            .patch(
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
            )
        case (_, nil): nil
        }
    }
}

extension TodoServiceType {
    /// Carries out a change of the board.
    func perform(_ write: BoardWrite) async throws(TodoError) -> Todo {
        switch write.change {
        case .add(let draft): try await create(draft, for: write.uid)
        case .patch(let patch, let revision):
            try await update(write.id, of: write.uid, with: patch, expecting: revision)
        case .place(let place): try await self.move(write.id, of: write.uid, to: place)
        case .remove: try await remove(write.id, of: write.uid, expecting: nil)
        }
    }
}
