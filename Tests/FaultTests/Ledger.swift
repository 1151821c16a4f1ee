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
    }

    private(set) var entries: [String: Entry] = [:]

    mutating func wrote(_ id: String, _ todo: Todo?, of uid: String) {
        entries[id] = Entry(uid: uid, acknowledged: todo)
    }

    mutating func mayHaveWritten(_ id: String, _ content: String) { entries[id]?.maybeContents.insert(content) }

    mutating func mayHaveRemoved(_ id: String) { entries[id]?.isMaybeRemoved = true }

    /// All of it was lost on purpose.
    mutating func forget() { entries = [:] }

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
