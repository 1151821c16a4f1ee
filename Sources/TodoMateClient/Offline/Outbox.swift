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
        /// Of an add that is said again: the last change that was known before it. The server may have done it, and forgotten that.
        var repeatedSince: ChangeID?
    }

    /// What became of a request.
    enum Outcome: Sendable, Equatable {
        /// The server has it as this change; the todo as it is then, nil where it is gone.
        case written(ChangeID, Todo?)
        /// The todo was so already.
        case unchanged(Todo)
        /// The settings are these since, or were so already.
        case settled(AccountSettings)
        /// What was to be there again is there.
        case unneeded
        /// The todo was written by somebody else meanwhile.
        case conflict(Todo)
        /// Another todo has the id, or this one was added before and changed since.
        case exists(Todo)
        /// There is no such todo.
        case missing(String)
        /// The server will not have it.
        case refused(TodoError)
        /// No answer, or none for now.
        case passing(String)
    }

    /// The most entries that wait: past that, the server has to be reached first. And the most that were refused.
    static let most = 1000

    /// In the order in which they were done.
    var entries: [OutboxEntry] = []
    /// Those whose answer is awaited by this program.
    var inFlight: Set<Int> = []
    /// Those of them that were sent before the base was replaced: their answer says nothing of what the server has now.
    var outdated: Set<Int> = []
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
            case .edit(let before):
                // What it has left alone is changed from what is shown by now.
                entries[index].seen = entries[index].seen.map { before.reference($0, now: seen) }
                let left = before.followed(by: patch).changing(entries[index].seen)
                guard left != TodoPatch() else { return [drop(at: index)] }
                entries[index].intent = .edit(left)
            // What is not there is not shown, but for a routine's day that is there again.
            case .remove, .skip: return append(.edit(patch), seen.id, seen: seen, key, made)
            }
            return [.put(entries[index])]
        }
        let left = patch.changing(seen)
        guard left != TodoPatch() else { return [] }
        try checkRoom()
        return append(.edit(left), seen.id, seen: seen, key, made)
    }

    /// A todo is removed.
    mutating func remove(_ seen: Todo, key: String, at made: Date) throws(TodoError) -> [Step] {
        guard let index = mergeable(seen.id) else {
            try checkRoom()
            return append(.remove, seen.id, seen: seen, key, made)
        }
        // What was never sent never was.
        if case .add = entries[index].intent { return [drop(at: index)] }
        // Nothing was made yet of the routine's day, which is not to come back.
        let isUnmade = seen.isUnmade && entries[index].unmade != nil && isUnmadeBefore(index)
        entries[index].intent = isUnmade ? .skip(isBack: false) : .remove
        return [.put(entries[index])]
    }

    func checkRoom() throws(TodoError) {
        let refused = entries.count(where: \.isRefused)
        guard entries.count - refused < Self.most else {
            throw .full("\(Self.most) changes wait to be sent: let this device reach the server first")
        }
        guard refused < Self.most else {
            throw .full("\(Self.most) changes were refused: try them again, or take them back")
        }
    }

    /// The last entry of a todo, where it was not sent: more can be put into it.
    func mergeable(_ todo: String) -> Int? {
        guard let index = entries.lastIndex(where: { $0.todo == todo && !$0.isRefused }),
            entries[index].state == .waiting, !inFlight.contains(entries[index].number)
        else { return nil }
        return index
    }

    mutating func append(
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
    ///   - settings: what they have decided, as far as that is known.
    func projected(_ todo: String, on base: Todo?, of uid: String, _ settings: AccountSettings? = nil) -> Todo? {
        var shown = base
        for entry in entries where entry.todo == todo && !entry.isRefused {
            if case .answered(let id) = entry.state, let answer = entry.answer {
                // What came since is newer than the answer.
                if shown?.isBefore(id) ?? true { shown = answer }
                continue
            }
            switch entry.intent {
            case .add(let draft):
                let usual = settings?.usualVisibility(for: draft.goal) ?? .followers
                shown = shown ?? draft.todo(of: uid, made: entry.made, usual: usual)
            case .edit(let patch): shown = (shown ?? entry.unmade).map { patch.applied(to: $0) }
            case .remove: shown = nil
            case .skip: break
            }
        }
        return shown
    }

    /// The todos of which something is here.
    var todos: Set<String> { Set(entries.lazy.filter { !$0.isRefused }.map(\.todo)) }

    // MARK: Entries

    func index(of number: Int) -> Int? { entries.firstIndex { $0.number == number } }

    mutating func drop(at index: Int) -> Step { .drop(entries.remove(at: index).number) }
}
