import TodoMate

/// What a writer was told about the todos that it alone writes.
struct Ledger {
    /// What is known of one todo.
    struct Entry {
        var uid: String
        /// The state that was acknowledged last; nil when that was its removal.
        var acknowledged: Todo?
        /// Contents that were written since without an answer.
        var maybeContents: Set<String> = []
        /// Whether a removal since had no answer.
        var isMaybeRemoved = false

        /// Whether the todo can only be as it was acknowledged.
        var isCertain: Bool { maybeContents.isEmpty && !isMaybeRemoved }
    }

    private(set) var entries: [String: Entry] = [:]
    /// States that were acknowledged once and are no more, by the todo's id: written over, removed, or lost on purpose.
    private(set) var former: [String: [Todo]] = [:]
    private var formerIDs: [String] = []
    /// Ids of which a write had no answer: it may still come.
    private var doubtful: Set<String> = []
    /// Every state that was ever acknowledged.
    private(set) var told: [Todo] = []

    private static let mostFormerIDs = 100
    private static let mostFormerStates = 5

    mutating func wrote(_ id: String, _ todo: Todo?, of uid: String) {
        if let before = entries[id]?.acknowledged, before.written != todo?.written { keep(before) }
        entries[id] = Entry(uid: uid, acknowledged: todo)
        if let todo { told.append(todo) }
    }

    mutating func mayHaveWritten(_ id: String, _ content: String) {
        doubtful.insert(id)
        entries[id]?.maybeContents.insert(content)
    }

    mutating func mayHaveRemoved(_ id: String) {
        doubtful.insert(id)
        entries[id]?.isMaybeRemoved = true
    }

    mutating func mayHaveAdded(_ id: String) { doubtful.insert(id) }

    /// All of a user's was lost on purpose.
    mutating func forget(of uid: String) {
        for (id, entry) in entries where entry.uid == uid {
            if let todo = entry.acknowledged { keep(todo) }
            entries[id] = nil
        }
    }

    /// Nothing is said of a todo any more.
    mutating func letGo(_ id: String) { entries[id] = nil }

    /// Whether no write of a todo can still come, so that its id can be used once more.
    func isQuiet(_ id: String) -> Bool { !doubtful.contains(id) }

    private mutating func keep(_ todo: Todo) {
        if former[todo.id] == nil { formerIDs.append(todo.id) }
        former[todo.id, default: []].append(todo)
        if former[todo.id, default: []].count > Self.mostFormerStates { former[todo.id]?.removeFirst() }
        if formerIDs.count > Self.mostFormerIDs { former[formerIDs.removeFirst()] = nil }
    }

    /// What is wrong with the final state, by what was acknowledged.
    func objections(to state: [String: [String: Todo]]) -> [String] {
        entries.sorted { $0.key < $1.key }.compactMap { id, entry in
            let stored = state[entry.uid]?[id]
            guard let acknowledged = entry.acknowledged else {
                return stored.map { "\(id): removed by an acknowledged write, but there: \($0)" }
            }
            guard let stored else {
                return entry.isMaybeRemoved ? nil : "\(id): acknowledged at revision \(acknowledged.revision), but gone"
            }
            if stored == acknowledged { return nil }
            let isLater = stored.revision > acknowledged.revision
            if isLater, entry.maybeContents.contains(stored.content) { return nil }
            return "\(id): acknowledged as \(acknowledged), but stored as \(stored)"
        }
    }
}
