import Foundation
import TodoMate

/// What somebody did to a todo of theirs, until the base shows that the server has it.
struct OutboxEntry: Sendable, Equatable {
    /// What is to be done; all values are absolute, so that doing it again changes nothing.
    enum Intent: Sendable, Equatable {
        case add(TodoDraft)
        case edit(TodoPatch)
        case remove
        /// A routine's day is left out, or is there again.
        case skip(isBack: Bool)
    }

    enum State: Sendable, Equatable {
        /// Not sent yet.
        case waiting
        /// Sent, and no answer is known: it is sent again in the same bytes. A program that ends leaves it so.
        case sent
        /// The server has it as this change, which the base has not reached yet.
        case answered(ChangeID)
        /// The server will not have it, for this reason. It waits for the person.
        case refused(TodoError)
    }

    /// In the order in which it was done.
    let number: Int
    /// Whose todo: the id, made on this device for an add.
    let todo: String
    /// Names the write to the server, which does it once however often it is said.
    let key: String
    /// When it was done.
    let made: Date
    var intent: Intent
    /// The todo as the person saw it; nil for what was never a todo.
    var seen: Todo?
    /// The write of the server's that it goes on from, once it was sent; nil for an add.
    var revision: ExpectedRevision?
    /// The last change that was known when an add was sent first: whether it was done is to be found after that.
    var sentAfter: ChangeID?
    /// The todo as the server answered it; nil before, and for a removal.
    var answer: Todo?
    var state = State.waiting
    /// How often it was sent by this program, and once for programs before.
    var attempts = 0
    /// The answer that this program asks for once more, as the base did not show it.
    var doubted: ChangeID?

    /// Whether it is still to be done by the server.
    var isOpen: Bool { state == .waiting || state == .sent }

    /// Whether the server has done it.
    var isAnswered: Bool { if case .answered = state { true } else { false } }

    /// Whether it will not be done.
    var isRefused: Bool { if case .refused = state { true } else { false } }

    /// The routine's day that it makes a todo of; nil for what was one already when it was done.
    var unmade: Todo? { seen.flatMap { $0.isUnmade ? $0 : nil } }
}

extension TodoPatch {
    /// This patch and a later one as one.
    func followed(by later: TodoPatch) -> TodoPatch {
        TodoPatch(
            date: later.date ?? date,
            time: later.time ?? time,
            content: later.content ?? content,
            detail: later.detail ?? detail,
            status: later.status ?? status,
            // Whoever comes to another day stands last there, wherever it stood before.
            position: later.position ?? (later.date == nil ? position : nil),
            visibility: later.visibility ?? visibility,
            goal: later.goal ?? goal
        )
    }

    /// This patch without what is as it was seen: that must not overwrite what is there meanwhile.
    func changing(_ seen: Todo?) -> TodoPatch {
        // What the server never had cannot be as it was there.
        guard let seen, seen.revision > 0 else { return self }
        return TodoMerge(self, seen: seen, theirs: seen).patch
    }

    /// The todo as it is shown by now, but for what this patch changes: that as it was seen before.
    func reference(_ before: Todo, now: Todo) -> Todo {
        // What the server never had is nothing to compare with.
        guard before.revision > 0, now.revision > 0 else { return before }
        var todo = now
        if date != nil || position != nil { (todo.date, todo.position) = (before.date, before.position) }
        if time != nil { todo.time = before.time }
        if content != nil { todo.content = before.content }
        if detail != nil { todo.detail = before.detail }
        if status != nil { todo.status = before.status }
        if visibility != nil { todo.visibility = before.visibility }
        if goal != nil { todo.goal = before.goal }
        return todo
    }

    /// A todo as it is with this patch.
    func applied(to todo: Todo) -> Todo {
        var todo = todo
        if let date, date != todo.date { (todo.date, todo.position) = (date, TodoBounds.largestPosition) }
        if let time { todo.time = time.time }
        if let content { todo.content = content }
        if let detail { todo.detail = detail }
        if let status { todo.status = status }
        if let position { todo.position = position }
        if let visibility { todo.visibility = visibility }
        if let goal { todo.goal = goal.isEmpty ? nil : goal }
        return todo
    }

    /// Checks what a server would refuse.
    func check() throws(TodoError) {
        if let content { try TodoBounds.content(content) }
        if let detail { try TodoBounds.detail(detail) }
        if let position { try TodoBounds.position(position) }
        if let goal, !goal.isEmpty { try TodoBounds.goal(goal) }
    }
}

extension TodoDraft {
    /// This draft with a later patch.
    func followed(by patch: TodoPatch) -> TodoDraft {
        var draft = self
        if let date = patch.date, date != self.date { (draft.date, draft.position) = (date, nil) }
        if let time = patch.time { draft.time = time.time }
        if let content = patch.content { draft.content = content }
        if let detail = patch.detail { draft.detail = detail }
        if let status = patch.status { draft.status = status }
        if let position = patch.position { draft.position = position }
        if let visibility = patch.visibility { draft.visibility = visibility }
        if let goal = patch.goal { draft.goal = goal.isEmpty ? nil : goal }
        return draft
    }

    /// Whether a todo says all that this draft does, so that nothing of it would be missed.
    func isWritten(in todo: Todo) -> Bool {
        todo.detail == detail && todo.content == content && todo.status == status && todo.date == date
            && todo.time == time
    }

    /// The todo that a server would make of it, as far as that is known here.
    func todo(of uid: String, made: Date, usual: Visibility = .followers) -> Todo {
        let time = Date(timeIntervalSince1970: made.timeIntervalSince1970.rounded(.down))
        return Todo(
            id: id ?? "",
            uid: uid,
            date: date,
            time: self.time,
            content: content,
            detail: detail,
            status: status,
            position: position ?? TodoBounds.largestPosition,
            revision: 0,
            createdAt: time,
            updatedAt: time,
            visibility: visibility ?? usual,
            goal: goal
        )
    }

    /// Checks what a server would refuse.
    func check() throws(TodoError) {
        try TodoBounds.content(content)
        try TodoBounds.detail(detail)
        if let position { try TodoBounds.position(position) }
        if let goal { try TodoBounds.goal(goal) }
    }
}
