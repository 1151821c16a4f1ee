import Foundation
import TodoMate

/// What the server will not have, and what the person does about it.
extension Outbox {
    /// Sets an entry aside for the person.
    mutating func refuse(_ index: Int, _ reason: TodoError) -> [Step] {
        var steps: [Step] = []
        for later in entries[(index + 1)...] where later.todo == entries[index].todo && later.isOpen {
            steps += part(later.number, from: index)
        }
        entries[index].state = .refused(reason)
        return [.put(entries[index])] + steps
    }

    /// Has an entry stand without one before it of the same todo, which is refused.
    private mutating func part(_ later: Int, from index: Int) -> [Step] {
        guard let place = self.index(of: later) else { return [] }
        switch (entries[index].intent, entries[place].intent) {
        // There is nothing to be changed until it is added.
        case (.add(let draft), .edit(let patch)) where isOf(draft, entries[place]):
            entries[index].intent = .add(draft.followed(by: patch))
            return [drop(at: place)]
        // What was never there is not to be removed; its words wait for the person.
        case (.add(let draft), .remove) where isOf(draft, entries[place]): return [drop(at: place)]
        case (.edit(let patch), _):
            // What is refused was seen here alone.
            guard let before = entries[index].seen, let seen = entries[place].seen else { return [] }
            entries[place].seen = patch.takenBack(from: seen, to: before)
            // What took it back has nothing to do any more.
            if entries[place].state == .waiting, case .edit(let later) = entries[place].intent {
                let left = later.changing(entries[place].seen)
                guard left != TodoPatch() else { return [drop(at: place)] }
                entries[place].intent = .edit(left)
            }
            return [.put(entries[place])]
        default: return []
        }
    }

    /// Whether something was done with what this device alone has, not with another todo of that id, or another draft that is tried again.
    private func isOf(_ draft: TodoDraft, _ entry: OutboxEntry) -> Bool {
        entry.seen.map { $0.revision == 0 && draft.isWritten(in: $0) } ?? false
    }

    /// What was refused is tried again, as something new.
    mutating func retry(_ number: Int, key: String, base: [String: Todo]) -> [Step] {
        guard let index = index(of: number), entries[index].isRefused else { return [] }
        var (intent, seen) = (entries[index].intent, entries[index].seen)
        switch (intent, base[entries[index].todo]) {
        // A todo that is gone meanwhile comes back by what was written.
        case (.edit(let patch), nil):
            if let seen { intent = .add(TodoDraft(patch.applied(to: seen))) }
        // What has its id takes what was written.
        case (.add(let draft), let theirs?):
            intent = .edit(draft.differences(from: seen ?? theirs))
            // Whatever it says otherwise is told as overwritten.
            seen = seen ?? draft.todo(of: theirs.uid, made: entries[index].made, usual: theirs.visibility)
        // As it is shown by now.
        case (.remove, let theirs?): seen = theirs
        default: break
        }
        let (old, dropped) = (entries[index], drop(at: index))
        return [dropped] + append(intent, old.todo, seen: seen, key, old.made)
    }

    /// What was refused is taken back.
    mutating func discard(_ number: Int) -> [Step] {
        guard let index = index(of: number), entries[index].isRefused else { return [] }
        return [drop(at: index)]
    }
}

extension TodoDraft {
    /// A todo as it is, to be added again under its id.
    fileprivate init(_ todo: Todo) {
        self.init(
            id: todo.id,
            date: todo.date,
            time: todo.time,
            content: todo.content,
            detail: todo.detail,
            status: todo.status,
            visibility: todo.visibility,
            goal: todo.goal
        )
    }

    /// What makes a todo say what this draft does; what the draft leaves open stays.
    func differences(from todo: Todo) -> TodoPatch {
        TodoPatch(
            date: date == todo.date ? nil : date,
            time: time == todo.time ? nil : TimeChange(to: time),
            content: content == todo.content ? nil : content,
            detail: detail == todo.detail ? nil : detail,
            status: status == todo.status || status == .todo ? nil : status,
            visibility: visibility == todo.visibility ? nil : visibility,
            goal: goal == todo.goal ? nil : goal
        )
    }
}

extension TodoPatch {
    /// A todo that was seen with this patch, as it was seen without it.
    fileprivate func takenBack(from seen: Todo, to before: Todo) -> Todo {
        var todo = seen
        if date == seen.date { todo.date = before.date }
        if time == TimeChange(to: seen.time) { todo.time = before.time }
        if content == seen.content { todo.content = before.content }
        if detail == seen.detail { todo.detail = before.detail }
        if status == seen.status { todo.status = before.status }
        if position == seen.position { todo.position = before.position }
        if visibility == seen.visibility { todo.visibility = before.visibility }
        if let goal, goal == seen.goal ?? "" { todo.goal = before.goal }
        return todo
    }
}

extension Todo {
    /// Whether a todo has no word that somebody would miss who saw this one and removes it.
    func says(asMuchAs theirs: Todo) -> Bool {
        theirs.content == content && theirs.detail == detail && theirs.status == status && theirs.date == date
            && theirs.time == time && theirs.goal == goal
            // Who sees what was never sent is up to the settings.
            && (theirs.visibility == visibility || revision == 0)
    }
}
