import Foundation
import TodoMate

/// What was done on this device and the server may not have yet, and what is to be done about it: without I/O.
///
/// Every method that changes something says which entries are to be kept or dropped on disk (``Step``). The shell writes them down
/// first, and goes on with the outbox that it was given only then: what is not kept was not done.
///
/// | entry | what is known | what comes next |
/// |---|---|---|
/// | waiting | not sent | later edits of the todo are merged into it; it is sent when nothing of the todo is before it |
/// | sent | an answer may have been lost | it is sent again in the same bytes, under the same key |
/// | answered | the server has it | it goes when the base has reached its change, so that no view flickers back |
/// | refused | the server will not have it | it stays until the person takes it back or tries again, and holds up nothing |
struct Outbox: Sendable, Equatable {
    /// What is to be written down.
    enum Step: Sendable, Equatable {
        case put(OutboxEntry)
        case drop(Int)
        case tell(Overwritten)
    }

    /// A request to the server.
    struct Request: Sendable, Equatable {
        var number: Int
        var todo: String
        var key: String
        var intent: OutboxEntry.Intent
        var revision: ExpectedRevision?
    }

    /// What became of a request.
    enum Outcome: Sendable, Equatable {
        /// The server has it as this change; the todo as it is then, nil where it is gone.
        case written(ChangeID, Todo?)
        /// The todo was so already.
        case unchanged(Todo)
        /// The todo was written by somebody else meanwhile.
        case conflict(Todo)
        /// Another todo has the id, or this one was added before and changed since.
        case exists(Todo)
        /// There is no such todo.
        case missing(String)
        /// The server will not have it.
        case refused(String)
        /// No answer, or none for now.
        case passing(String)
    }

    /// The most entries that wait: past that, the server has to be reached first.
    static let most = 1000

    /// In the order in which they were done.
    private(set) var entries: [OutboxEntry] = []
    /// Those whose answer is awaited by this program.
    private var inFlight: Set<Int> = []
    private var last = 0

    /// What an earlier run has left: what it had sent is sent again.
    init(_ entries: [OutboxEntry] = []) {
        self.entries = entries.sorted { $0.number < $1.number }
        last = self.entries.last?.number ?? 0
    }

    // MARK: What the person does

    /// A todo is added.
    mutating func add(_ draft: TodoDraft, _ todo: String, key: String, at made: Date) throws(TodoError) -> [Step] {
        try checkRoom()
        var draft = draft
        draft.id = todo
        return append(.add(draft), todo, seen: nil, key, made)
    }

    /// A todo is changed.
    ///
    /// - Parameter seen: the todo as it is shown.
    mutating func edit(_ patch: TodoPatch, _ seen: Todo, key: String, at made: Date) throws(TodoError) -> [Step] {
        if let index = mergeable(seen.id) {
            switch entries[index].intent {
            case .add(let draft): entries[index].intent = .add(draft.followed(by: patch))
            case .edit(let before): entries[index].intent = .edit(before.followed(by: patch))
            case .remove: preconditionFailure("what is removed is not shown, and cannot be changed")
            }
            return [.put(entries[index])]
        }
        try checkRoom()
        return append(.edit(patch), seen.id, seen: seen, key, made)
    }

    /// A todo is removed.
    mutating func remove(_ seen: Todo, key: String, at made: Date) throws(TodoError) -> [Step] {
        guard let index = mergeable(seen.id) else {
            try checkRoom()
            return append(.remove, seen.id, seen: seen, key, made)
        }
        // What was never sent never was.
        if case .add = entries[index].intent { return [drop(at: index)] }
        entries[index].intent = .remove
        return [.put(entries[index])]
    }

    /// What was refused is tried again, as something new.
    mutating func retry(_ number: Int, key: String, base: [String: Todo]) -> [Step] {
        guard let index = index(of: number), entries[index].isRefused else { return [] }
        let old = entries[index]
        var intent = old.intent
        // A todo that is gone meanwhile comes back by what was written.
        if case .edit(let patch) = intent, base[old.todo] == nil, let seen = old.seen {
            let now = patch.applied(to: seen)
            intent = .add(
                TodoDraft(
                    id: old.todo,
                    date: now.date,
                    time: now.time,
                    content: now.content,
                    detail: now.detail,
                    status: now.status,
                    visibility: now.visibility,
                    goal: now.goal
                )
            )
        }
        let dropped = drop(at: index)
        return [dropped] + append(intent, old.todo, seen: old.seen, key, old.made)
    }

    /// What was refused, or not sent yet, is taken back.
    mutating func discard(_ number: Int) -> [Step] {
        guard let index = index(of: number), entries[index].isRefused else { return [] }
        return [drop(at: index)]
    }

    private func checkRoom() throws(TodoError) {
        guard entries.count < Self.most else {
            throw .full("\(Self.most) changes wait to be sent: let this device reach the server first")
        }
    }

    /// The last entry of a todo, where it was not sent: more can be put into it.
    private func mergeable(_ todo: String) -> Int? {
        guard let index = entries.lastIndex(where: { $0.todo == todo && !$0.isRefused }),
            entries[index].state == .waiting, !inFlight.contains(entries[index].number)
        else { return nil }
        return index
    }

    private mutating func append(
        _ intent: OutboxEntry.Intent,
        _ todo: String,
        seen: Todo?,
        _ key: String,
        _ made: Date
    ) -> [Step] {
        last += 1
        let entry = OutboxEntry(number: last, todo: todo, key: key, made: made, intent: intent, seen: seen)
        entries.append(entry)
        return [.put(entry)]
    }

    // MARK: What is shown

    /// A todo as it is shown: what the server has, and what was done here on top of it.
    ///
    /// - Parameters:
    ///   - todo: its id.
    ///   - base: the todo as the server shows it; nil for none.
    ///   - uid: whose todos.
    func projected(_ todo: String, on base: Todo?, of uid: String) -> Todo? {
        var shown = base
        for entry in entries where entry.todo == todo && !entry.isRefused {
            if case .answered(let id) = entry.state, let answer = entry.answer {
                // What came since is newer than the answer.
                if shown.map({ $0.revision < id.version }) ?? true { shown = answer }
                continue
            }
            switch entry.intent {
            case .add(let draft): shown = shown ?? draft.todo(of: uid, made: entry.made)
            case .edit(let patch): shown = shown.map { patch.applied(to: $0) }
            case .remove: shown = nil
            }
        }
        return shown
    }

    /// The todos of which something is here.
    var todos: Set<String> { Set(entries.lazy.filter { !$0.isRefused }.map(\.todo)) }

    // MARK: What is sent

    /// The next request, where one can be sent; those of other todos do not wait for it.
    ///
    /// - Parameters:
    ///   - base: the server's todos, as far as they are known.
    ///   - paused: todos of which nothing is sent for now.
    /// - Returns: the request, once the steps are written down.
    mutating func next(base: [String: Todo], besides paused: Set<String>) -> (request: Request?, steps: [Step]) {
        var steps: [Step] = []
        var seen = paused
        for entry in entries where entry.isOpen {
            // In the order of each todo.
            guard seen.insert(entry.todo).inserted, !inFlight.contains(entry.number),
                let index = index(of: entry.number)
            else { continue }
            if entry.state == .waiting, !prepare(index, base, &steps) {
                // It is settled or refused, and what comes behind it may be sent.
                let rest = next(base: base, besides: paused)
                return (rest.request, steps + rest.steps)
            }
            entries[index].attempts += 1
            let ready = entries[index]
            inFlight.insert(ready.number)
            let request = Request(
                number: ready.number,
                todo: ready.todo,
                key: ready.key,
                intent: ready.intent,
                revision: ready.revision
            )
            return (request, steps)
        }
        return (nil, steps)
    }

    /// Makes an entry what is sent, on top of what the server has; false where nothing of it is left.
    private mutating func prepare(_ index: Int, _ base: [String: Todo], _ steps: inout [Step]) -> Bool {
        let entry = entries[index]
        let theirs = latest(entry.todo, base)
        switch entry.intent {
        case .add: break
        case .edit(let patch):
            guard let theirs else {
                steps.append(refuse(index, "it was removed elsewhere: what was written is kept here"))
                return false
            }
            let merge = TodoMerge(patch, seen: entry.seen, theirs: theirs)
            steps += merge.overwritten.map { .tell($0) }
            guard merge.patch != TodoPatch() else {
                steps.append(drop(at: index))
                return false
            }
            entries[index].intent = .edit(merge.patch)
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
        case .remove:
            guard let theirs else {
                steps.append(drop(at: index))
                return false
            }
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
        }
        (entries[index].state, entries[index].attempts) = (.sent, 0)
        steps.append(.put(entries[index]))
        return true
    }

    /// A todo as the server has it: by the base, or by an answer that the base has not reached.
    private func latest(_ todo: String, _ base: [String: Todo]) -> Todo? {
        var latest = base[todo]
        for entry in entries where entry.todo == todo {
            guard case .answered(let id) = entry.state else { continue }
            if latest.map({ $0.revision < id.version }) ?? true { latest = entry.answer }
        }
        return latest
    }

    // MARK: What is answered

    /// A request was answered.
    ///
    /// - Parameter reached: the change up to which the base is.
    mutating func answered(_ number: Int, _ outcome: Outcome, reached: ChangeID) -> [Step] {
        inFlight.remove(number)
        guard let index = index(of: number), entries[index].isOpen else { return [] }
        switch outcome {
        case .written(let id, let todo): return settle(index, id, todo, reached)
        case .exists where entries[index].attempts < 2:
            return [refuse(index, "another todo has its id: take it back, and add it again")]
        // It was added by the first attempt, whose answer was lost, and changed since.
        case .unchanged(let todo), .exists(let todo):
            let id = ChangeID(version: todo.revision, microseconds: todo.micros)
            return settle(index, id, todo, reached)
        case .conflict(let theirs): return merge(index, theirs)
        case .missing(let reason):
            // Gone is gone, whoever removed it; for what was written elsewhere see ``retry(_:key:base:)``.
            if case .remove = entries[index].intent { return [drop(at: index)] }
            return [refuse(index, reason)]
        case .refused(let reason): return [refuse(index, reason)]
        // It may have been done: the same once more, when the time has come.
        case .passing: return []
        }
    }

    private mutating func settle(_ index: Int, _ id: ChangeID, _ todo: Todo?, _ reached: ChangeID) -> [Step] {
        guard reached.version < id.version else { return [drop(at: index)] }
        entries[index].state = .answered(id)
        entries[index].answer = todo
        return [.put(entries[index])]
    }

    private mutating func merge(_ index: Int, _ theirs: Todo) -> [Step] {
        switch entries[index].intent {
        case .edit(let patch):
            let merge = TodoMerge(patch, seen: entries[index].seen, theirs: theirs)
            guard merge.patch != TodoPatch() else { return [drop(at: index)] + merge.overwritten.map { .tell($0) } }
            entries[index].intent = .edit(merge.patch)
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
            // It is sent in these bytes from now on: what the server refuses it has not done.
            return [.put(entries[index])] + merge.overwritten.map { .tell($0) }
        case .remove:
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
            return [.put(entries[index])]
        case .add: return [refuse(index, "another todo has its id: take it back, and add it again")]
        }
    }

    // MARK: What the base says

    /// The base has come to a change: what it has reached goes.
    ///
    /// - Parameters:
    ///   - reached: the change up to which the base is.
    ///   - base: its todos.
    ///   - isNew: whether it is of another history than before, so that nothing that was answered counts.
    mutating func baseMoved(to reached: ChangeID, base: [String: Todo], isNew: Bool = false) -> [Step] {
        var steps: [Step] = []
        for entry in entries {
            guard case .answered(let id) = entry.state, let index = index(of: entry.number) else { continue }
            if isNew || isLost(entry, id, reached, base) {
                entries[index].state = .waiting
                entries[index].answer = nil
                steps.append(.put(entries[index]))
            } else if id.version <= reached.version {
                steps.append(drop(at: index))
            }
        }
        return steps
    }

    /// Whether the server has lost what it had answered: its change of that number is another one, or the todo is as it was before.
    private func isLost(_ entry: OutboxEntry, _ id: ChangeID, _ reached: ChangeID, _ base: [String: Todo]) -> Bool {
        // Todos of older versions do not say when they were written.
        if reached.version == id.version { return id.microseconds > 0 && reached != id }
        guard reached.version > id.version, let todo = base[entry.todo] else { return false }
        return todo.revision < id.version
    }

    private func index(of number: Int) -> Int? { entries.firstIndex { $0.number == number } }

    private mutating func drop(at index: Int) -> Step { .drop(entries.remove(at: index).number) }

    private mutating func refuse(_ index: Int, _ reason: String) -> Step {
        entries[index].state = .refused(reason)
        return .put(entries[index])
    }
}
