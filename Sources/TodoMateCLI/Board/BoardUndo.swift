import TodoMate

/// What a write of the board did, to be compared with the todo as it is when the write is taken back.
///
/// What somebody else has written since is theirs and stays:
///
/// | what was done here | as it was left | same field changed | other field changed | removed | brought back as it was left |
/// |---|---|---|---|---|---|
/// | status, words, order, day | undone | refused | that field undone | refused | undone |
/// | added | removed | refused | refused | refused | removed |
/// | made of a routine's day | removed | refused | that field undone | refused | removed |
/// | deleted | brought back | refused | refused | brought back | nothing to do |
struct BoardUndo: Sendable, Equatable {
    /// What is taken back.
    var done: BoardWrite.Change
    /// Where it put the todo among those of its day, if that is known.
    var position: Double?

    /// The part of a patch that takes back only what is still as it was left.
    ///
    /// - Throws: ``TodoError/conflict(_:current:)`` where none of it is.
    func kept(of patch: TodoPatch, _ now: Todo) throws(TodoError) -> TodoPatch {
        var kept = patch
        switch done {
        case .patch(let wrote, _):
            let isSameDay = wrote.date.map { $0 == now.date } ?? true
            if !isSameDay { kept.date = nil }
            if let time = wrote.time, time.time != now.time { kept.time = nil }
            if let content = wrote.content, content != now.content { kept.content = nil }
            if let detail = wrote.detail, detail != now.detail { kept.detail = nil }
            if let status = wrote.status, status != now.status { kept.status = nil }
            if !isSameDay || wrote.position.map({ $0 != now.position }) ?? false { kept.position = nil }
            if let visibility = wrote.visibility, visibility != now.visibility { kept.visibility = nil }
            if let goal = wrote.goal, goal != now.goal ?? "" { kept.goal = nil }
        case .place:
            let isThere = patch.date == now.date && position.map { $0 == now.position } ?? true
            if !isThere { (kept.date, kept.position) = (nil, nil) }
        default: break
        }
        guard kept != TodoPatch() else { throw theirs(now) }
        return kept
    }

    /// Checks that a todo that was added here may be removed.
    ///
    /// - Throws: ``TodoError/conflict(_:current:)`` where somebody else has written to it.
    func checkRemoval(_ now: Todo) throws(TodoError) {
        guard case .add(let draft) = done else { return }
        let isMine =
            draft.date == now.date && draft.time == now.time && draft.content == now.content
            && draft.detail == now.detail && draft.status == now.status
        guard isMine else { throw theirs(now) }
    }

    /// What takes back that a routine's day was made: nil to remove its todo, and where somebody else has written to that, only what
    /// is still as it was left here.
    ///
    /// - Parameter before: the day as it was before it was made.
    /// - Throws: ``TodoError/conflict(_:current:)`` where nothing is.
    func unmaking(_ before: Todo?, _ now: Todo) throws(TodoError) -> TodoPatch? {
        guard let before, let back = BoardWrite.back(done, to: before) else { return nil }
        let kept = try kept(of: back, now)
        let isTheirs =
            kept != back || back.content == nil && now.content != before.content
            || back.detail == nil && now.detail != before.detail || back.status == nil && now.status != before.status
            || back.time == nil && now.time != before.time || back.goal == nil && now.goal != before.goal
            || back.visibility == nil && now.visibility != before.visibility
            || back.date == nil && now.date != before.date
            || back.position == nil && now.position != before.position
        return isTheirs ? kept : nil
    }

    private func theirs(_ now: Todo) -> TodoError {
        .conflict("the todo was changed elsewhere since: nothing was undone", current: now)
    }
}
